import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RosterEntry } from '@turnout/contract';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, openFair } from './fair.support.ts';
import { download, open } from './roster.support.ts';

/** A roster of 20,000 people: what sending it costs, and what happens when the reader is slow or the database goes away meanwhile. */
let fair: Fair;
afterAll(() => fair.t.stop());

let org: Id;
const paths = new Map<number, string>();
/** Inserts attendees by SQL, each with a ticket, as the server would have written them. */
async function fill(size: number): Promise<void> {
  const code = `big${size}`;
  const event = toUuid((await fair.post('/events', { code, name: code })).body.id);
  const day = toUuid((await fair.post(`/events/${code}/days`, { code: 'd1', date: '2031-01-01' })).body.id);
  const type = toUuid((await fair.post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' })).body.id);
  const rows = `(select n, md5('${code} r' || n)::uuid as r, md5('${code} a' || n)::uuid as a, md5('${code} t' || n)::uuid as t
    from generate_series(1, ${size}) as n) x`;
  const mine = `'${org}'::uuid as org_id, '${event}'::uuid as event_id, now() as created_at, now() as updated_at`;
  await runSql(
    fair.t.database.adminUrl,
    // Skips the foreign key checks: with plans made while the tables were small, they take half a minute for 20,000 rows.
    `set session_replication_role = replica;
    insert into registrations (org_id, event_id, created_at, updated_at, id, code, status, source, test, currency, total_minor,
      paid_minor, send_emails)
    select ${mine}, r, 'R' || n, 'confirmed', 'api', false, 'EUR', 0, 0, false from ${rows};
    insert into attendees (org_id, event_id, created_at, updated_at, id, registration_id, position, attendee_type_id, day_ids,
      first_name, last_name, answers, price_minor, status, test, name_key, given_key)
    select ${mine}, a, r, 0, '${type}', array['${day}'::uuid],
      (array['Anna','Ben','Carla','David','Elif','François','Grace','Hugo','Inès','João','Kofi','Léa'])[1 + n % 12],
      (array['Müller','Smith','García','Kowalski','Nguyen','Rossi','Silva'])[1 + n % 7] || '-' || initcap(substr(md5(n::text), 1, 5)),
      '{}', 0, 'confirmed', false, '', '' from ${rows};
    insert into tickets (org_id, event_id, created_at, updated_at, id, registration_id, code, status, test, extra, issued_at)
    select ${mine}, t, r, upper(md5('${code} c' || n)), 'valid', false, false, now() from ${rows};
    insert into ticket_people (org_id, ticket_id, attendee_id, position) select '${org}', t, a, 0 from ${rows};
    analyze registrations, attendees, tickets, ticket_people;`,
  );
  paths.set(size, new URL((await fair.get(`/events/${code}/scan/manifest`)).body.roster.url).pathname);
}
let gc: () => void;
beforeAll(async () => {
  fair = await openFair();
  org = (await fair.t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where code = 'acme'`))).id;
  await fill(2_000);
  await fill(20_000);
  setFlagsFromString('--expose-gc');
  gc = runInNewContext('gc');
});

const inUse = (): number => {
  gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
/** By how much the memory in use grew at most while the roster was read. */
async function peak(size: number, headers: Record<string, string>, keep: unknown[] | null = null): Promise<number> {
  const before = inUse();
  let most = 0;
  let seen = 0;
  const message = await open(fair.t.url + paths.get(size)!, headers);
  const step = headers['accept-encoding'] === undefined ? 400_000 : 100_000;
  let due = step;
  for await (const chunk of message) {
    keep?.push(chunk);
    seen += chunk.length;
    if (seen < due) continue;
    due += step;
    most = Math.max(most, inUse() - before);
  }
  return Math.max(most, inUse() - before);
}

test('contains everybody once, and is small', async () => {
  const { body } = await download(fair.t.url + paths.get(20_000)!, {});
  const sizes = await Promise.all(
    ['gzip', 'br', 'zstd'].map(
      async (name) => (await download(fair.t.url + paths.get(20_000)!, { 'accept-encoding': name })).body.length,
    ),
  );
  const { data } = JSON.parse(body.toString()) as { data: RosterEntry[] };
  expect(new Set(data.map((entry) => entry.code_sha256)).size).toBe(20_000);
  // It has 6.7 MB, and 1.8 MB compressed, whichever way (measured).
  expect(body.length).toBeLessThan(8_000_000);
  for (const size of sizes) expect(size).toBeLessThan(2_500_000);
});

test.each<[string, Record<string, string>]>([
  ['plain', {}],
  ['gzip', { 'accept-encoding': 'gzip' }],
  ['zstd', { 'accept-encoding': 'gzip, br, zstd' }],
])('streams: ten times the people need no more memory (%s)', async (_name, headers) => {
  await peak(2_000, headers); // fills the caches first
  const few = await peak(2_000, headers);
  const many = await peak(20_000, headers);
  expect(many - few).toBeLessThan(4_000_000);
});

test('the control: a server that keeps it in memory needs more, and the measurement shows it', async () => {
  const few = await peak(2_000, {}, []);
  expect((await peak(20_000, {}, [])) - few).toBeGreaterThan(4_000_000);
});

const busy = () => fair.t.pool.totalCount - fair.t.pool.idleCount;
test('a slow reader does not occupy a database connection', async () => {
  const stop = new AbortController();
  (await open(fair.t.url + paths.get(20_000)!, {}, stop.signal)).on('error', () => {});
  // Until the buffers between server and reader are full.
  await expect.poll(busy, { interval: 50, timeout: 20_000 }).toBe(0);
  for (let i = 0; i < 10; i += 1) {
    await sleep(20);
    expect(busy()).toBe(0);
  }
  stop.abort();
});

test.each<[string, Record<string, string>]>([
  ['plain', {}],
  ['gzip', { 'accept-encoding': 'gzip' }],
  ['zstd', { 'accept-encoding': 'gzip, br, zstd' }],
])('a lost database connection ends the download, not the server (%s)', async (_name, headers) => {
  const { pool } = fair.t;
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<PoolClient>;
  let left = 4;
  pool.connect = (async (...args: unknown[]) => {
    // The pool itself, for a statement of something else that is under way: it would wait for its callback forever.
    if (args.length > 0) return connect(...args);
    left -= 1;
    if (left < 0) throw new Error('the database has gone');
    return connect();
  }) as unknown as typeof pool.connect;
  try {
    const late = AbortSignal.timeout(10_000);
    await expect(download(fair.t.url + paths.get(20_000)!, headers, late)).rejects.toThrow(/aborted/);
    expect(late.aborted).toBe(false);
  } finally {
    pool.connect = connect as typeof pool.connect;
  }
  expect((await fair.t.call('GET', '/healthz')).status).toBe(200);
});
