import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Coalescer } from '../common/coalesce.ts';
import { inTime } from '../common/in-time.ts';
import { type ReferenceParts, referencePages } from '../openapi/reference.ts';
import type { FilesState } from '../start/same-files.ts';
import { lookup } from '../store/lookup.ts';
import { migrations } from '../store/migrate.ts';
import type { Pool } from '../store/pool.ts';
import { homePage } from './home-page.ts';
import { type MetricsParts, metricsPage } from './metrics.ts';

export interface PageParts extends ReferenceParts, HealthParts {}

export interface HealthParts extends MetricsParts {
  pool: Pool;
  log: Logger;
  /** Aborted once the process is to be stopped, so that balancers send nobody here any more. */
  leaving: AbortSignal;
  /** How the store of files was lately. */
  files(): FilesState;
}

/** The pages that need no key: the home page, health, metrics and the published documents. */
export function publicPages(app: FastifyInstance, parts: PageParts): void {
  homePage(app, parts);
  healthPages(app, parts);
  // Test cases for other implementations: of the check-in decision, and of the verification of webhook signatures.
  for (const [address, file] of [
    ['/scan-cases.json', '@turnout/checkin/scan-cases.json'],
    ['/webhook-vectors.json', '@turnout/sdk/webhook-vectors.json'],
  ] as const) {
    app.get(address, async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('Access-Control-Allow-Origin', '*')
        .header('Cache-Control', 'no-cache')
        .send(readFileSync(new URL(import.meta.resolve(file)))),
    );
  }
  referencePages(app, parts);
}

/** What monitors and balancers ask. A process that serves no requests answers them at an address of its own (METRICS_PORT). */
export function healthPages(app: FastifyInstance, parts: HealthParts): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  // Anybody may ask, so those who ask at the same time share one question to the database.
  const ask = new Coalescer<null, Checks>(async (asks) => {
    const checks = { ...(await readiness(parts.pool, parts.log)), files: parts.files() };
    return asks.map(() => checks);
  });
  app.get('/readyz', async (_request, reply) => {
    if (parts.leaving.aborted) return reply.code(503).send({ status: 'stopping' });
    const checks = await ask.ask(null);
    const { database, migrations, files } = checks;
    // Without its files, a process still answers at a door.
    const ready = database === 'ok' && migrations === 'ok' && files !== 'another store';
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'not ready', checks });
  });
  metricsPage(app, parts);
}

interface Checks extends DatabaseChecks {
  files: FilesState;
}

interface DatabaseChecks {
  database: string;
  migrations: string;
}

/** A balancer asks every few seconds and takes silence for an answer. */
const READY_MS = 2_000;
const READY = `select name, pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only from migrations order by name`;

/** Says in a word what is wrong. The database's own message goes to the log, because it names hosts, users and databases. */
async function readiness(pool: Pool, log: Logger): Promise<DatabaseChecks> {
  try {
    const asked = lookup<{ name: string; read_only: boolean }>(pool, { name: 'ready', text: READY });
    const { rows } = await inTime(READY_MS, asked);
    const missing = migrations().filter((migration) => !rows.some((row) => row.name === migration.name));
    return {
      database: rows[0]?.read_only === true ? 'read-only' : 'ok',
      migrations: missing.length === 0 ? 'ok' : `missing: ${missing.map((one) => one.name).join(', ')}`,
    };
  } catch (error) {
    log.warn({ err: error }, 'the database does not answer');
    return { database: 'unreachable', migrations: 'unknown' };
  }
}
