import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Coalescer } from '../common/coalesce.ts';
import { type ReferenceParts, referencePages } from '../openapi/reference.ts';
import { lookup } from '../store/lookup.ts';
import { migrations } from '../store/migrate.ts';
import type { Pool } from '../store/pool.ts';
import { homePage } from './home-page.ts';
import { type MetricsParts, metricsPage } from './metrics.ts';

export interface PageParts extends ReferenceParts, MetricsParts {
  pool: Pool;
  log: Logger;
}

/** The pages that need no key: the home page, health, metrics and the published documents. */
export function publicPages(app: FastifyInstance, parts: PageParts): void {
  homePage(app, parts);
  app.get('/healthz', async () => ({ status: 'ok' }));
  // Anybody may ask, so those who ask at the same time share one question to the database.
  const ask = new Coalescer<null, Checks>(async (asks) => {
    const checks = await readiness(parts.pool, parts.log);
    return asks.map(() => checks);
  });
  app.get('/readyz', async (_request, reply) => {
    const checks = await ask.ask(null);
    const ready = Object.values(checks).every((check) => check === 'ok');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'not ready', checks });
  });
  metricsPage(app, parts);
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

interface Checks {
  database: string;
  migrations: string;
}

/** A balancer asks every few seconds and takes silence for an answer. */
const READY_MS = 2_000;
const READY = `select name, pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as read_only from migrations order by name`;

/** Says in a word what is wrong. The database's own message goes to the log, because it names hosts, users and databases. */
async function readiness(pool: Pool, log: Logger): Promise<Checks> {
  try {
    const asked = lookup<{ name: string; read_only: boolean }>(pool, { name: 'ready', text: READY });
    asked.catch(() => {}); // it may fail after nobody waits for it any more
    const { rows } = await Promise.race([asked, tooLate()]);
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

const tooLate = async (): Promise<never> => {
  await sleep(READY_MS, undefined, { ref: false });
  throw new Error(`the database did not answer within ${READY_MS} ms`);
};
