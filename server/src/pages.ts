import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { type ReferenceParts, referencePages } from './openapi/reference.ts';
import type { Measures } from './road/measures.ts';
import { migrations } from './store/migrate.ts';
import type { Pool } from './store/pool.ts';

export interface PageParts extends ReferenceParts {
  pool: Pool;
  measures: Measures;
}

/** What needs no key: health, metrics, the published documents. */
export function publicPages(app: FastifyInstance, parts: PageParts): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const checks = await readiness(parts.pool);
    const ready = Object.values(checks).every((check) => check === 'ok');
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'not ready', checks });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(parts.measures.registry.contentType).send(await parts.measures.registry.metrics()),
  );
  // What any scanner's decision, and any receiver's verifier, is held against.
  for (const [address, file] of [
    ['/scan-cases.json', '@turnout/checkin/scan-cases.json'],
    ['/webhook-vectors.json', '@turnout/sdk/webhook-vectors.json'],
  ] as const) {
    app.get(address, async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('Access-Control-Allow-Origin', '*')
        .send(readFileSync(new URL(import.meta.resolve(file)))),
    );
  }
  referencePages(app, parts);
}

async function readiness(pool: Pool): Promise<{ database: string; migrations: string }> {
  try {
    const { rows } = await pool.query({ name: 'ready', text: 'select name from migrations order by name' });
    const missing = migrations().filter((migration) => !rows.some((row) => row.name === migration.name));
    return {
      database: 'ok',
      migrations: missing.length === 0 ? 'ok' : `missing: ${missing.map((one) => one.name).join(', ')}`,
    };
  } catch (error) {
    return { database: (error as Error).message, migrations: 'unknown' };
  }
}
