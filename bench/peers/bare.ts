import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';
import { newId, toUlid } from '../../server/src/common/ids.ts';
import { headOf } from '../../server/src/road/write/record.ts';
import { announce } from '../support.ts';

/**
 * The server that somebody would write who needs nothing of what the road does: Fastify and one prepared, indexed query; no limits
 * of keys, no plans, no row-level security (it logs in as a superuser), no log. Library, pool size, rows and machine are the same.
 */
const { BARE_DATABASE_URL: connectionString, BARE_POOL, BARE_ORG: org, BARE_PIPELINE = 'on' } = process.env;
const pool = new pg.Pool({
  connectionString,
  max: Number(BARE_POOL),
  pipeline: BARE_PIPELINE === 'on',
  // Times stay the text that PostgreSQL sends: making Dates only to print them again would slow the peer down.
  types: {
    getTypeParser: (oid: number, format: 'text') => (oid === 1184 ? String : pg.types.getTypeParser(oid, format)),
  },
} as pg.PoolConfig);
pool.on('error', () => {});
const app = Fastify();

app.get('/me', async (request) => {
  const hash = createHash('sha256').update(request.headers.authorization!.slice(7)).digest();
  const { rows } = await pool.query({
    name: 'key',
    text: 'select id, org_id, name, mode, scopes, group_id, expires_at, requests_per_minute, created_at from api_keys where hash = $1',
    values: [hash],
  });
  return { id: rows[0].id, key: rows[0] };
});

app.get('/events', async (request) => {
  const { org: of, limit } = request.query as { org: string; limit: string };
  const { rows } = await pool.query({
    name: 'events',
    text: `select id, code, name, status, test, group_id, timezone, starts_at, ends_at, venue, currency, capacity, ticketing, language,
      terms, registration, created_at, updated_at from events where org_id = $1 order by updated_at, id limit $2`,
    values: [of, Number(limit)],
  });
  return { data: rows };
});

/** The rows that the road writes for `POST /v1/bench-notes`, in one transaction. Pipelined, they are one packet in each direction. */
app.post('/bench-notes', async (request, reply) => {
  const { name } = request.body as { name: string };
  const key = request.headers['idempotency-key'] as string;
  const at = new Date();
  const id = newId(at);
  const shape = { id: toUlid(id), code: `n-${id}`, name, created_at: at.toISOString() };
  const text = JSON.stringify(shape);
  const occurrence = newId(at);
  const fingerprint = createHash('sha256').update(name).digest();
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    await Promise.all([
      client.query({ name: 'begin', text: 'begin' }),
      client.query({
        name: 'note',
        text: 'insert into groups (org_id, id, code, name, path, created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $6)',
        values: [org, id, shape.code, name, [id], at],
      }),
      client.query({
        name: 'audit',
        text: `insert into audit_log (org_id, at, id, action, actor_kind, actor_id, actor_name, source, request_id, object_kind, object_id,
          group_id, test, changes) values ($1, $2, $3, 'bench.noted', 'key', $4, 'bench', 'api', $5, 'group', $6, $6, false, $7)`,
        values: [org, at, newId(at), org, key, id, text],
      }),
      client.query({
        name: 'outbox',
        text: `insert into outbox (org_id, created_at, id, type, group_id, livemode, head, data)
          values ($1, $2, $3, 'registration.created', $4, true, $5, $6)`,
        values: [org, at, occurrence, id, headOf(occurrence, 'registration.created', at, true), text],
      }),
      client.query({
        name: 'idempotency',
        text: `insert into idempotency (org_id, actor_id, key, fingerprint, request_id, status, body, encrypted, created_at)
          values ($1, $1, $2, $3, $4, 201, $5, false, $6)`,
        values: [org, key, fingerprint, key, Buffer.from(text), at],
      }),
      client.query({ name: 'commit', text: 'commit' }),
    ]);
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    client.release(failed);
  }
  return reply.code(201).send(shape);
});

const url = await app.listen({ port: 0, host: '127.0.0.1' });
announce({ url }, async () => {
  await app.close();
  await pool.end();
});
