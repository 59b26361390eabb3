import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { makeWelcomeLinks, type WelcomeLinks } from '../areas/accounts/index.ts';
import { KnownHosts } from '../areas/hosts/index.ts';
import { crons, references } from '../areas/index.ts';
import { PUBLIC_TEST_KEY } from '../areas/sandbox/index.ts';
import { watchBacklog } from '../areas/webhooks/index.ts';
import { type Clock, systemClock } from '../clock.ts';
import { tracing } from '../common/tracing.ts';
import { type Config, requireDataDir } from '../config.ts';
import { requireEmbedded } from '../embedded/index.ts';
import type { MailTransport } from '../outside/mail.ts';
import { Links } from '../road/for-areas/links.ts';
import { Keys } from '../road/gate/authenticate.ts';
import { hostedLicense, type License, publicKeyFrom, revocations, SelfHostedLicense } from '../road/gate/license.ts';
import { loggedError } from '../road/log.ts';
import { Measures } from '../road/measures.ts';
import type { Outside } from '../road/operation.ts';
import { Road } from '../road/road.ts';
import { watchQueues } from '../service-pages/metrics.ts';
import { DatabaseRefused } from '../store/database-refused.ts';
import type { Pool } from '../store/pool.ts';
import { makeAdapters } from './adapters.ts';
import { Background, followTenantHosts, type Steps, startUsageLoop } from './background.ts';
import { makeBudgets } from './budgets.ts';
import { listenForHealth } from './health-port.ts';
import { healthPartsOf, listen, makeHttp } from './http.ts';
import { openStore } from './open-store.ts';
import { SameFiles } from './same-files.ts';
import type { StartOptions, Stops } from './startup.ts';
import { startTelemetry } from './telemetry.ts';

export type { StartOptions } from './startup.ts';

/** A running Turnout: what it was made of, where it answers, how it stops. */
export interface Turnout {
  url: string;
  pool: Pool;
  clock: Clock;
  road: Road;
  app: FastifyInstance;
  mail: MailTransport;
  outside: Outside;
  step: Steps;
  /** Makes the links that `npm start` prints. The link of the first person replaces the one before. */
  welcomeLinks(): Promise<WelcomeLinks>;
  /** Tells balancers to send nobody any more and goes on answering for so long: whoever is on the way still arrives. */
  leave(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** What a line of the log has of the span that it was written in. */
function traceOf(): object {
  const span = tracing?.current ?? null;
  return span === null ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

export async function startTurnout(config: Config, options: StartOptions = {}): Promise<Turnout> {
  const log = (
    options.log ?? pino({ level: config.logLevel, ...(config.telemetry !== null && { mixin: traceOf }) })
  ).child({}, { serializers: { err: loggedError } });
  const stops: Stops = [];
  const stop = once(async () => {
    for (const step of stops.reverse()) await step().catch((error) => log.error({ err: error }, 'while stopping'));
  });
  try {
    return { ...(await start(config, options, log, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Puts the parts together, in the order in which they need each other. Whatever has to be stopped is added to `stops`. */
async function start(config: Config, options: StartOptions, log: Logger, stops: Stops): Promise<Omit<Turnout, 'stop'>> {
  const { clock = systemClock, progress = () => {} } = options;
  if (config.databaseUrl === null) await requireEmbedded();
  requireDataDir(config);
  const since = performance.now();
  const measures = new Measures();
  await startTelemetry(config, measures, log, stops);
  const { pool, secrets, directUrl, replica } = await openStore(config, clock, progress, stops);
  const links = new Links(secrets, clock, config.scannerUrl, config.publicUrl);
  const keys = new Keys(pool, clock);
  const license = await licenseOf(config, pool, clock);
  const outside = await makeAdapters(config, options, { clock, secrets }, stops);
  const sameFiles = new SameFiles({ files: outside.files, pool, clock, log, since });
  // The embedded database and its files are in one folder.
  if (config.databaseUrl !== null) await sameFiles.require();
  const common = { pool, clock, log, secrets, links, outside, replica, measures, publicUrl: config.publicUrl };
  const background = new Background(common, options);
  const wakeRelay = () => background.wakeRelay();
  const wakeJobs = () => background.wakeJobs();
  const wakeMails = () => background.wakeMails();
  const { checkReply } = options;
  const road = new Road({ ...common, license, references, wake: wakeRelay, ...(checkReply && { checkReply }) });
  watch(measures, pool, clock, road);
  const budgets = await makeBudgets(config, common, stops);
  const tenantHosts = new KnownHosts(pool, [config.publicUrl, config.scannerUrl]);
  const parts = { ...common, ...budgets, tenantHosts, road, keys, license, wakeRelay, wakeJobs, wakeMails };
  const leaving = new AbortController();
  const { app, close } = makeHttp(config, options, { ...parts, sameFiles, leaving: leaving.signal });

  if (config.roles.includes('worker')) {
    progress('starting the background jobs');
    const due = config.sandbox ? crons : crons.filter((one) => one.name !== 'refresh-sandbox');
    await background.start(directUrl, due, stops);
  }
  startUsageLoop(keys, common, wakeMails, stops);
  let url = '';
  if (config.roles.includes('api')) {
    await followTenantHosts(tenantHosts, log, stops);
    await options.appsReady;
    url = await listen(app, config);
    // The last one runs first. The database must not go while calls are under way whose callers have hung up.
    stops.push(() => settle(road, log), close);
  } else if (config.metricsAddress !== null) {
    const health = healthPartsOf(config, { ...parts, sameFiles, leaving: leaving.signal });
    progress(`metrics and health at ${await listenForHealth(config.metricsAddress, health, stops)}`);
  }
  const leave = async (ms: number) => {
    leaving.abort();
    await sleep(ms);
  };
  const welcomeLinks = () => makeWelcomeLinks(pool, clock, config.sandbox);
  return { url, pool, clock, road, app, mail: outside.mail, outside, step: background.step, welcomeLinks, leave };
}

/**
 * How long a stop waits for calls whose callers have hung up, in milliseconds. Together with the time that the edge gives to answers
 * it is less than the minute after which a server that does not stop may be killed.
 */
const SETTLE_MS = 10_000;

async function settle(road: Road, log: Logger): Promise<void> {
  const left = await road.settled(SETTLE_MS);
  if (left > 0) log.warn({ calls: left }, 'stopping although calls are under way; their callers have hung up');
}

async function licenseOf(config: Config, pool: Pool, clock: Clock): Promise<License> {
  // A database that has recorded a revocation was self-hosted once. Its license is checked whatever EDITION says now.
  if (config.edition === 'hosted' && (await revocations(pool)).length === 0) return hostedLicense;
  const key = config.licensePublicKey === undefined ? undefined : publicKeyFrom(config.licensePublicKey);
  return new SelfHostedLicense(pool, clock, config.licenseKey, key);
}

function watch(measures: Measures, pool: Pool, clock: Clock, road: Road): void {
  measures.watch('turnout_pool_connections', 'Connections to PostgreSQL.', () => pool.totalCount);
  measures.watch('turnout_pool_idle', 'Connections to PostgreSQL that are not in use.', () => pool.idleCount);
  measures.watch(
    'turnout_pool_waiting',
    'Requests that wait for a connection.',
    () => pool.waitingCount + pool.places.waiting,
  );
  measures.watch('turnout_lane_waiting', 'Calls that wait for their turn in an event.', () => road.waiting);
  watchQueues(measures, pool);
  watchBacklog(measures, pool, clock);
}

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
};

export { DatabaseRefused, PUBLIC_TEST_KEY };
