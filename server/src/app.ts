import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { Redis } from 'ioredis';
import { type Logger, pino } from 'pino';
import { isMessage, messageRenderer, settleMessage, unsubscribePage } from './areas/communications/index.ts';
import { crons, jobs, operations, references } from './areas/index.ts';
import { jobLink } from './areas/jobs/index.ts';
import { warnOfUsage } from './areas/plans/index.ts';
import { renderLetter } from './areas/registrations/index.ts';
import { PUBLIC_TEST_KEY, refreshSandbox, SANDBOX_CODE } from './areas/sandbox/index.ts';
import { pairingPage, rosterLink } from './areas/scanning/index.ts';
import { Deliverer, fanOut, watchBacklog } from './areas/webhooks/index.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Config, ConfigError, masterSecret, requireDataDir } from './config.ts';
import { type Embedded, startEmbedded } from './embedded/index.ts';
import { watchQueues } from './metrics.ts';
import { eventbrite } from './outside/eventbrite.ts';
import { type Files, folderFiles } from './outside/files.ts';
import { Outbound } from './outside/https.ts';
import { fileTransport, type MailTransport, smtpTransport } from './outside/mail.ts';
import type { PaymentProvider } from './outside/payments.ts';
import { type Platform, Platforms } from './outside/platforms.ts';
import { stripeProvider } from './outside/stripe.ts';
import { publicPages } from './pages.ts';
import { providerPages } from './provider-pages.ts';
import { Keys } from './road/authenticate.ts';
import { Batches, MemoryBatches, PostgresBatches, RedisBatches } from './road/batches.ts';
import type { EdgeLimits } from './road/edge.ts';
import type { Job } from './road/job.ts';
import { hostedLicense, type License, publicKeyFrom, revocations, SelfHostedLicense } from './road/license.ts';
import { Links } from './road/links.ts';
import { loggedError } from './road/log.ts';
import type { RenderMail } from './road/mail.ts';
import { Measures } from './road/measures.ts';
import type { Operation, Outside } from './road/operation.ts';
import { MemoryRates, PostgresRates, type RateStore, RedisRates } from './road/rates.ts';
import type { FanOut } from './road/record.ts';
import { Road } from './road/road.ts';
import { makeRouter } from './road/router.ts';
import { Secrets } from './secrets.ts';
import { DatabaseRefused, migrate } from './store/migrate.ts';
import { openPool, type Pool } from './store/pool.ts';
import { sql } from './store/sql.ts';
import { transaction } from './store/tx.ts';
import { Runner } from './work/jobs.ts';
import { Loop } from './work/loop.ts';
import { Mailer } from './work/mails.ts';
import { RELAYED_AT_ONCE, relayStep } from './work/relay.ts';
import { startSchedule } from './work/schedule.ts';

export interface StartOptions {
  clock?: Clock;
  progress?: (line: string) => void;
  log?: Logger;
  /** Tests add operations of their own to the list and hold replies against their schemas. */
  operations?: readonly Operation[];
  jobs?: readonly Job[];
  checkReply?: (operation: Operation, body: unknown) => void;
  fanOut?: FanOut;
  mail?: MailTransport;
  payments?: PaymentProvider;
  eventbrite?: Platform;
  files?: Files;
  /** Tests do not wait as long as clients may. */
  edge?: Partial<EdgeLimits>;
  /** How webhooks leave; tests bring a resolver and a certificate of their own. */
  webhooks?: Outbound;
}

/** A running Turnout: what it was made of, where it answers, how it stops. */
export interface Turnout {
  url: string;
  pool: Pool;
  clock: Clock;
  road: Road;
  app: FastifyInstance;
  mail: MailTransport;
  outside: Outside;
  /** One step of what runs in the background, now: for tests that move the clock. */
  step: Record<'relay' | 'deliveries' | 'mails' | 'jobs', () => Promise<number>>;
  stop(): Promise<void>;
}

export async function startTurnout(config: Config, options: StartOptions = {}): Promise<Turnout> {
  const clock = options.clock ?? systemClock;
  const progress = options.progress ?? (() => {});
  const log = (options.log ?? pino({ level: config.logLevel })).child({}, { serializers: { err: loggedError } });
  const stops: (() => Promise<unknown>)[] = [];
  const stop = once(async () => {
    for (const step of stops.reverse()) await step().catch((error) => log.error({ err: error }, 'while stopping'));
  });
  try {
    requireDataDir(config);
    const { url, directUrl } = await database(config, progress, stops);
    await migrate(directUrl, progress);
    const pool = openPool({ url, max: config.poolSize });
    stops.push(() => pool.end());
    const secrets = new Secrets(masterSecret(config, () => randomBytes(32)));
    await requireSameSecret(pool, clock, secrets);
    if (config.sandbox) await seedSandbox(pool, clock, progress);

    const measures = new Measures();
    const links = new Links(secrets, clock, config.scannerUrl);
    const keys = new Keys(pool, clock);
    const license = await licenseOf(config, pool, clock);
    const mail =
      options.mail ??
      (config.smtpUrl === null
        ? fileTransport(join(config.dataDir, 'mails'), config.mailFrom)
        : smtpTransport(config.smtpUrl, config.mailFrom));
    const payments = options.payments ?? (config.stripe && (await stripeProvider({ ...config.stripe, clock })));
    const files = options.files ?? folderFiles(config.filesDir);
    const webhooks = options.webhooks ?? webhooksOf(config);
    stops.push(() => webhooks.close());
    const platforms = new Platforms({ eventbrite: options.eventbrite ?? eventbrite() }, secrets);
    const outside: Outside = { payments, files, webhooks, platforms, mail };
    const runner = new Runner({ pool, clock, log, outside }, [...jobs, ...(options.jobs ?? [])]);
    const deliverer = new Deliverer({ pool, clock, secrets, outbound: webhooks, log });
    const renderMessage = messageRenderer(links);
    const renderMail: RenderMail = (tx, mail) => (isMessage(mail) ? renderMessage(tx, mail) : renderLetter(tx, mail));
    const mailer = new Mailer({ pool, clock, transport: mail, log, render: renderMail, settle: settleMessage });
    const relayOnce = relayStep(pool, clock, options.fanOut ?? fanOut);
    const step = {
      jobs: () => runner.drain(),
      relay: async () => {
        const relayed = await relayOnce();
        if (relayed > 0) deliverer.wake();
        return relayed;
      },
      deliveries: () => deliverer.step(),
      mails: () => mailer.step(),
    };
    const relay = new Loop('relay', step.relay, { everyMs: 250, full: RELAYED_AT_ONCE, gatherMs: 200 }, log);
    const mails = new Loop('mails', () => mailer.fill(), { everyMs: 1000 }, log);
    mailer.onRoom = () => mails.wake();
    const background = new Loop('jobs', () => runner.fill(), { everyMs: 1000 }, log);
    runner.onRoom = () => background.wake();
    const road = new Road({
      pool,
      clock,
      secrets,
      license,
      links,
      outside,
      references,
      wake: () => relay.wake(),
      ...(options.checkReply && { checkReply: options.checkReply }),
    });
    watch(measures, pool, road);
    watchBacklog(measures, pool, clock);

    const { app, close } = makeRouter({
      operations: [...operations, ...(options.operations ?? [])],
      road,
      keys,
      ...(await budgetsOf(config, pool, clock, stops)),
      license,
      links,
      pool,
      clock,
      log,
      measures,
      ...(options.edge && { limits: options.edge }),
      ...(config.trustedProxies.length > 0 && { trustedProxies: config.trustedProxies }),
    });
    const testKey = config.sandbox ? PUBLIC_TEST_KEY : null;
    publicPages(app, {
      pool,
      log,
      measures,
      metrics: config.metrics,
      trustedProxies: config.trustedProxies,
      operations,
      testKey,
      publicUrl: config.publicUrl,
      scannerUrl: config.scannerUrl,
    });
    rosterLink(app, { pool, clock, links });
    jobLink(app, { pool, clock, links, files });
    app.addHook('onResponse', async (_request, reply) => {
      if (reply.statusCode === 202) background.wake();
    });
    unsubscribePage(app, { pool, clock, links });
    pairingPage(app, { pool, clock, secrets });
    if (payments !== null) providerPages(app, { payments, pool, clock, log, wake: () => relay.wake() });

    if (config.roles.includes('worker')) {
      progress('starting the background jobs');
      const schedule = await startSchedule(
        directUrl,
        config.sandbox ? crons : crons.filter((one) => one.name !== 'refresh-sandbox'),
        { pool, clock, log, outside },
      );
      relay.start();
      deliverer.start();
      mails.start();
      background.start();
      stops.push(
        () => schedule.stop(),
        async () => mail.close(),
        () => mailer.idle(),
        () => mails.stop(),
        () => deliverer.stop(),
        () => relay.stop(),
        () => runner.stop(),
        () => background.stop(),
      );
    }
    const recordUsage = async (): Promise<number> => {
      await keys.flush(async (orgs) => {
        if ((await warnOfUsage(pool, clock, orgs)) > 0) mails.wake();
      });
      return 0;
    };
    const usage = new Loop('usage', recordUsage, { everyMs: 1000 }, log);
    usage.start();
    stops.push(recordUsage, () => usage.stop());
    let address = '';
    if (config.roles.includes('api')) {
      address = await listen(app, config);
      stops.push(close);
    }
    return { url: address, pool, clock, road, app, mail, outside, step, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function database(config: Config, progress: (line: string) => void, stops: (() => Promise<unknown>)[]) {
  if (config.databaseUrl !== null)
    return { url: config.databaseUrl, directUrl: config.databaseDirectUrl ?? config.databaseUrl };
  const embedded: Embedded = await startEmbedded({ dataDir: config.dataDir, progress });
  stops.push(() => embedded.stop());
  return { url: embedded.url, directUrl: embedded.url };
}

/** Two processes with two secrets would each fail to read what the other encrypted: better not to start. */
async function requireSameSecret(pool: Pool, clock: Clock, secrets: Secrets): Promise<void> {
  const mark = secrets.sign('installation');
  const row = await transaction(pool, clock, { role: 'system' }, (tx) =>
    tx.one<{ secret_check: Buffer }>(sql`
      insert into installation (sole, secret_check) values (true, ${mark})
      on conflict (sole) do update set secret_check = coalesce(installation.secret_check, excluded.secret_check)
      returning secret_check`),
  );
  if (!row.secret_check.equals(mark)) {
    throw new ConfigError(
      'This database belongs to another secret key. Set SECRET_KEY to the one it was started with (data/secret.key of that installation).',
    );
  }
}

async function seedSandbox(pool: Pool, clock: Clock, progress: (line: string) => void): Promise<void> {
  const there = await transaction(pool, clock, { role: 'system' }, (tx) =>
    tx.maybe(
      sql`select 1 from organizations o join events e on e.org_id = o.id where o.code = ${SANDBOX_CODE} limit 1`,
    ),
  );
  if (there !== null) return;
  progress('filling the sandbox organization');
  await refreshSandbox(pool, clock, true);
}

async function licenseOf(config: Config, pool: Pool, clock: Clock): Promise<License> {
  // A database that took up a notice was self-hosted once: it is asked whatever EDITION says now.
  if (config.edition === 'hosted' && (await revocations(pool)).length === 0) return hostedLicense;
  const key = config.licensePublicKey === undefined ? undefined : publicKeyFrom(config.licensePublicKey);
  return new SelfHostedLicense(pool, clock, config.licenseKey, key);
}

function webhooksOf(config: Config): Outbound {
  const file = config.webhookCaFile;
  return new Outbound({
    allowedNetworks: config.webhookAllowedNetworks,
    ...(file !== null && { ca: readFileSync(file, 'utf8') }),
  });
}

/** One budget per key, one batch at a time per device: by memory only where a second process cannot be (the embedded database has one owner). */
async function budgetsOf(
  config: Config,
  pool: Pool,
  clock: Clock,
  stops: (() => Promise<unknown>)[],
): Promise<{ rates: RateStore; batches: Batches }> {
  if (config.redisUrl !== null) {
    const redis = new Redis(config.redisUrl, { lazyConnect: true, maxRetriesPerRequest: 1 });
    redis.on('error', () => {});
    try {
      await redis.connect();
    } catch (error) {
      redis.disconnect();
      throw new ConfigError(`REDIS_URL: Redis does not answer (${(error as Error).message}).`);
    }
    stops.push(async () => redis.disconnect());
    return { rates: new RedisRates(redis, clock), batches: new Batches(new RedisBatches(redis)) };
  }
  return config.databaseUrl === null
    ? { rates: new MemoryRates(clock), batches: new Batches(new MemoryBatches(clock)) }
    : { rates: new PostgresRates(pool, clock), batches: new Batches(new PostgresBatches(pool, clock)) };
}

function watch(measures: Measures, pool: Pool, road: Road): void {
  measures.watch('turnout_pool_connections', 'Connections to PostgreSQL.', () => pool.totalCount);
  measures.watch('turnout_pool_idle', 'Connections that wait for work.', () => pool.idleCount);
  measures.watch('turnout_pool_waiting', 'Requests that wait for a connection.', () => pool.waitingCount);
  measures.watch('turnout_lane_waiting', 'Calls that wait for their turn in an event.', () => road.waiting);
  watchQueues(measures, pool);
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new ConfigError(`Port ${config.port} is taken. Stop what runs there, or set PORT to another one.`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new ConfigError(`Cannot listen on ${config.host}:${config.port} (${code}).`);
    throw error;
  }
}

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
};

export { DatabaseRefused, PUBLIC_TEST_KEY };
