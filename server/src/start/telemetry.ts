import type { Logger } from 'pino';
import { traceWith } from '../common/tracing.ts';
import type { Config } from '../config.ts';
import type { Measures } from '../road/measures.ts';
import type { Stops } from './startup.ts';

/** Loads OpenTelemetry if it was asked for. It is stopped last, so that it sends what the other parts did while they stopped. */
export async function startTelemetry(config: Config, measures: Measures, log: Logger, stops: Stops): Promise<void> {
  if (config.telemetry === null) return;
  const { startTelemetry: start } = await import('../outside/telemetry/index.ts');
  const { tracing, stop } = start(config.telemetry, measures.registry, log);
  traceWith(tracing);
  stops.push(async () => {
    await stop();
    traceWith(null);
  });
}
