import Fastify from 'fastify';
import { newUlid } from '../common/ids.ts';
import { type Config, ConfigError } from '../config.ts';
import { answerError } from '../road/errors.ts';
import { frameworkLog } from '../road/log.ts';
import { unknownAddress } from '../road/request/unknown-address.ts';
import { type HealthParts, healthPages } from '../service-pages/pages.ts';
import type { Stops } from './startup.ts';

/** Monitors ask for little and at once. */
const LIMITS = { bodyLimit: 1, connectionTimeout: 10_000, requestTimeout: 5_000, keepAliveTimeout: 72_000 };

/** Where a process that serves no requests answers for its metrics and its health (METRICS_PORT). Answers its address. */
export async function listenForHealth(
  { host, port }: NonNullable<Config['metricsAddress']>,
  parts: HealthParts,
  stops: Stops,
): Promise<string> {
  const { log, trustedProxies } = parts;
  const app = Fastify({
    ...LIMITS,
    loggerInstance: frameworkLog(log),
    genReqId: () => newUlid(new Date()),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    forceCloseConnections: true,
  });
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
  app.setNotFoundHandler(unknownAddress);
  healthPages(app, parts);
  stops.push(() => app.close());
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new ConfigError(`Port ${port} is taken. Stop what runs there, or set METRICS_PORT to another one.`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new ConfigError(`Cannot listen on ${host}:${port} (${code}). Check METRICS_HOST and METRICS_PORT.`);
    throw error;
  }
}
