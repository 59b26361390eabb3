import { trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SamplingResult,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { TelemetryConfig } from '../../common/telemetry-config.ts';
import type { Tracing } from '../../common/tracing.ts';
import { Budget } from './budget.ts';
import { FromPrometheus } from './from-prometheus.ts';
import { OtelTracing } from './tracer.ts';

export interface Telemetry {
  /** Null if only metrics are exported. */
  tracing: Tracing | null;
  /** Sends what is left, but does not wait long for a collector that does not answer. */
  stop(): Promise<void>;
}

const WARN_EVERY_MS = 60_000;
const FLUSH_MS = 3000;

/** The addresses, headers, time limits and compression are read from the usual variables by the exporters themselves. */
export function startTelemetry(config: TelemetryConfig, registry: Registry, log: Logger): Telemetry {
  const resource = resourceOf();
  const warn = seldom(log);
  const stops: (() => Promise<unknown>)[] = [];
  let tracing: Tracing | null = null;
  if (config.traces) {
    const provider = tracerProvider(config, resource, warn);
    tracing = new OtelTracing(provider.getTracer('turnout'));
    stops.push(() => provider.shutdown());
  }
  if (config.metrics) {
    const reader = new PeriodicExportingMetricReader({
      exporter: heard(new OTLPMetricExporter(), 'metrics', warn),
      exportIntervalMillis: config.metricsEveryMs,
      exportTimeoutMillis: Math.min(config.metricsEveryMs, 30_000),
      metricProducers: [new FromPrometheus(registry)],
    });
    const provider = new MeterProvider({ resource, readers: [reader] });
    stops.push(() => provider.shutdown());
  }
  return {
    tracing,
    stop: async () => {
      const late = new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref());
      const stopped = Promise.allSettled(stops.map((stop) => stop()));
      await Promise.race([stopped, late]);
    },
  };
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go before ours. */
function resourceOf(): Resource {
  const ours = resourceFromAttributes({ 'service.name': 'turnout' });
  const given = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  return defaultResource().merge(ours).merge(given);
}

function tracerProvider(config: TelemetryConfig, resource: Resource, warn: Warn): TracerProvider {
  const exporter = heard(new OTLPTraceExporter(), 'traces', warn);
  return new TracerProvider({
    resource,
    sampler: new Bounded(samplerOf(config), new Budget(config.spansPerSecond)),
    // A batch of the lane has up to 256 calls.
    spanLimits: { linkCountLimit: 256, attributeValueLengthLimit: 1000 },
    spanProcessors: [new BatchSpanProcessor({ exporter, ...config.batches })],
  });
}

function samplerOf({ sampler: name, ratio }: TelemetryConfig): Sampler {
  const [how, parentBased] = name.startsWith('parentbased_')
    ? [name.slice('parentbased_'.length), true]
    : [name, false];
  const root =
    how === 'always_off'
      ? new AlwaysOffSampler()
      : how === 'traceidratio'
        ? new TraceIdRatioBasedSampler(ratio)
        : new AlwaysOnSampler();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** What the sampler has chosen, as far as the budget allows. */
class Bounded implements Sampler {
  readonly #sampler: Sampler;
  readonly #budget: Budget;

  constructor(sampler: Sampler, budget: Budget) {
    this.#sampler = sampler;
    this.#budget = budget;
  }

  shouldSample(...given: Parameters<Sampler['shouldSample']>): SamplingResult {
    const parent = trace.getSpanContext(given[0]);
    // Whether a trace is recorded is decided once in each process.
    const goesOn = parent !== undefined && parent.isRemote !== true;
    const result = goesOn ? RECORD : this.#sampler.shouldSample(...given);
    if (result.decision !== SamplingDecision.RECORD_AND_SAMPLED) return result;
    if (!goesOn && !this.#budget.mayBegin(parent !== undefined)) return LEAVE_OUT;
    this.#budget.take();
    return result;
  }

  toString(): string {
    return `Bounded{${this.#sampler}}`;
  }
}
const RECORD = { decision: SamplingDecision.RECORD_AND_SAMPLED };
const LEAVE_OUT = { decision: SamplingDecision.NOT_RECORD };

type Warn = (what: string, error: Error | undefined) => void;

/** A collector that does not answer is worth a line now and then. What it answered is not: the line has the kind of the failure. */
function seldom(log: Logger): Warn {
  const warned = new Map<string, number>();
  return (what, error) => {
    const last = warned.get(what);
    if (last !== undefined && performance.now() - last < WARN_EVERY_MS) return;
    warned.set(what, performance.now());
    const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
    log.warn({ what, why: code ?? name ?? 'unknown' }, 'telemetry could not be sent to the collector');
  };
}

/** The exporter, whose failures are heard of. */
function heard<Exporter extends SpanExporter | PushMetricExporter>(
  exporter: Exporter,
  what: string,
  warn: Warn,
): Exporter {
  const send = exporter.export.bind(exporter) as (
    given: unknown,
    done: (result: { code: number; error?: Error }) => void,
  ) => void;
  exporter.export = (given: unknown, done: (result: { code: number; error?: Error }) => void) =>
    send(given, (result) => {
      if (result.code !== 0) warn(what, result.error);
      done(result);
    });
  return exporter;
}
