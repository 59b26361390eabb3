import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AGENTS_ADDRESS, agentRoutes } from '../agents/index.ts';
import {
  type AccountOperation,
  type AccountParts,
  accountRoutes,
  accountUrl,
  oidcPages,
  Passwords,
  Refused,
} from '../areas/accounts/index.ts';
import { unsubscribePage } from '../areas/communications/index.ts';
import { type KnownHosts, tenantHostPages } from '../areas/hosts/index.ts';
import { accountOperations, operations } from '../areas/index.ts';
import { jobLink } from '../areas/jobs/index.ts';
import { liveStream } from '../areas/live/index.ts';
import { answerAlone, Layout, ownLook, registrationPages } from '../areas/pages/index.ts';
import { PUBLIC_TEST_KEY } from '../areas/sandbox/index.ts';
import { oldestScanner, pairingPage, rosterLink } from '../areas/scanning/index.ts';
import type { Clock } from '../clock.ts';
import type { Secrets } from '../common/secrets.ts';
import { type Config, ConfigError } from '../config.ts';
import { InnerCalls } from '../road/for-areas/inner-calls.ts';
import type { Links } from '../road/for-areas/links.ts';
import type { Keys } from '../road/gate/authenticate.ts';
import type { Batches } from '../road/gate/batches.ts';
import type { License } from '../road/gate/license.ts';
import type { RateStore } from '../road/gate/rates.ts';
import type { Measures } from '../road/measures.ts';
import type { Operation, Outside } from '../road/operation.ts';
import type { Road } from '../road/road.ts';
import { makeRouter } from '../road/router.ts';
import { type HealthParts, publicPages } from '../service-pages/pages.ts';
import { providerPages } from '../service-pages/provider-pages.ts';
import type { Pool } from '../store/pool.ts';
import { appPages } from '../web/app-pages.ts';
import { builtPages } from '../web/page-assets.ts';
import type { SameFiles } from './same-files.ts';
import type { StartOptions } from './startup.ts';

export interface HttpParts {
  road: Road;
  keys: Keys;
  rates: RateStore;
  batches: Batches;
  license: License;
  links: Links;
  secrets: Secrets;
  outside: Outside;
  pool: Pool;
  clock: Clock;
  log: Logger;
  measures: Measures;
  tenantHosts: KnownHosts;
  sameFiles: SameFiles;
  /** Aborted once the process is to be stopped. */
  leaving: AbortSignal;
  wakeRelay: () => void;
  wakeJobs: () => void;
  wakeMails: () => void;
}

/** Everything that answers over HTTP: the operations, the public pages, signed links and the pages of payment providers. */
export function makeHttp(config: Config, options: StartOptions, parts: HttpParts) {
  const { pool, clock, log, links, secrets, outside } = parts;
  const identifying = { ...parts, publicUrl: config.publicUrl, oldestScanner };
  const { app, leave, close, turnOtherMethodsAway } = makeRouter({
    ...identifying,
    operations: [...operations, ...(options.operations ?? [])],
    rewriteUrl: parts.tenantHosts.rewrite,
    ...(options.edge && { limits: options.edge }),
    ...(config.trustedProxies.length > 0 && { trustedProxies: config.trustedProxies }),
  });
  const accounts = accountPartsOf(config, parts);
  accountRoutes(app, accounts, accountOperations, replyCheck(options));
  turnOtherMethodsAway(accountOperations.map(accountUrl));
  oidcPages(app, accounts);
  publicPages(app, {
    ...healthPartsOf(config, parts),
    operations,
    testKey: config.sandbox ? PUBLIC_TEST_KEY : null,
    publicUrl: config.publicUrl,
    scannerUrl: config.scannerUrl,
  });
  tenantHostPages(app, parts.tenantHosts, config.trustedProxies);
  appPages(app, { publicUrl: config.publicUrl, ...(options.apps !== undefined && { builds: options.apps }) });
  const layout = pagesOf(app, config, options, parts);
  agentRoutes(app, { ...identifying, operations, calls: new InnerCalls(parts) });
  turnOtherMethodsAway([AGENTS_ADDRESS]);
  liveStream(app, { ...identifying, ...(options.live && { settings: options.live }) });
  rosterLink(app, { pool, clock, links });
  jobLink(app, { pool, clock, links, files: outside.files });
  // 202 is the answer of a call that has queued a job.
  app.addHook('onResponse', async (request, reply) => {
    if ((request.road?.status ?? reply.statusCode) === 202) parts.wakeJobs();
  });
  unsubscribePage(app, {
    pool,
    clock,
    links,
    draw: ownLook({ pool, layout }),
    fail: (error, request, reply) => answerAlone({ layout }, error, request, reply),
  });
  pairingPage(app, { pool, clock, secrets, links }, options.pairing);
  if (outside.payments !== null) {
    providerPages(app, { payments: outside.payments, pool, clock, log, wake: parts.wakeRelay });
  }
  options.routes?.(app);
  parts.leaving.addEventListener('abort', leave);
  return { app, close };
}

export const healthPartsOf = (
  config: Config,
  { pool, log, measures, leaving, sameFiles }: Pick<HttpParts, 'pool' | 'log' | 'measures' | 'leaving' | 'sameFiles'>,
): HealthParts => ({
  pool,
  log,
  leaving,
  files: () => (config.databaseUrl === null ? 'ok' : sameFiles.state),
  measures,
  metrics: config.metrics,
  trustedProxies: config.trustedProxies,
});

function pagesOf(app: FastifyInstance, config: Config, options: StartOptions, parts: HttpParts): Layout {
  const { publicUrl, formSubmissions: submissions } = config;
  const assets = builtPages(options.pages);
  const layout = new Layout({ publicUrl, assets });
  registrationPages(app, { ...parts, publicUrl, submissions, assets, layout, visitors: new InnerCalls(parts) });
  return layout;
}

function accountPartsOf(
  config: Config,
  { pool, clock, log, secrets, license, outside, wakeMails }: HttpParts,
): AccountParts {
  const { publicUrl, signup, sandbox } = config;
  const settings = { publicUrl, signup, sandbox, oidc: outside.oidc };
  return {
    pool,
    clock,
    log,
    secrets,
    license,
    wakeMails,
    passwords: new Passwords(),
    refused: new Refused(),
    settings,
  };
}

/** Tests check the replies of account operations like those of all others: by their id and their schema. */
const replyCheck =
  ({ checkReply }: StartOptions) =>
  (operation: AccountOperation, body: unknown): void =>
    checkReply?.(operation as unknown as Operation, body);

export async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    return await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new ConfigError(`Port ${config.port} is taken. Stop what runs there, or set PORT to another one.`);
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new ConfigError(`Cannot listen on ${config.host}:${config.port} (${code}). Check HOST and PORT.`);
    throw error;
  }
}
