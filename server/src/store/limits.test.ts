import { createServer, connect as dial, type NetConnectOpts, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../clock.ts';
import { CallerGone, statementLimits, TookTooLong } from './kinds.ts';
import { lookup } from './lookup.ts';
import { placeWaits } from './places.ts';
import { openPool, type Pool } from './pool.ts';
import { sql } from './sql.ts';
import { type Authority, type TransactionOptions, type Tx, transaction } from './tx.ts';

/** Statements end when they have taken too long, and when nobody waits for them any more. */

let database: TestDatabase;
let pool: Pool;
const usual = { limits: { ...statementLimits }, waits: { ...placeWaits } };
beforeAll(async () => {
  database = await cloneDatabase();
});
afterEach(async () => {
  Object.assign(statementLimits, usual.limits);
  Object.assign(placeWaits, usual.waits);
  await pool.end();
});
afterAll(() => database.drop());

const SYSTEM: Authority = { role: 'system' };
const run = <T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}) =>
  transaction(pool, systemClock, SYSTEM, work, options);
const read = <T>(work: (tx: Tx) => Promise<T>, signal?: AbortSignal) => run(work, { readOnly: true, signal });
/** So that a statement which ends was cancelled, and did not reach its limit. */
const withoutLimits = () => Object.assign(statementLimits, { read: 3_600_000, write: 3_600_000 });
/** Takes longer than any test. */
const endless = (tx: Tx) => tx.run(sql`select pg_sleep(3600)`);
const sleeping = async (): Promise<number> =>
  (
    await runSql(
      database.adminUrl,
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()`,
    )
  )[0].n;
const until = (count: number) => vi.waitFor(async () => expect(await sleeping()).toBe(count), { timeout: 60_000 });
const soon = { timeout: 60_000 };

test('a statement is stopped at the limit of its kind, and its work is not run again', async () => {
  pool = openPool({ url: database.url, max: 4 });
  Object.assign(statementLimits, { read: 20, write: 20, scan: 20 });
  for (const options of [{ readOnly: true }, {}, { kind: 'scan' }] as const) {
    const work = vi.fn(endless);
    const stopped = run(work, options);
    await expect(stopped).rejects.toBeInstanceOf(TookTooLong);
    await expect(stopped).rejects.toMatchObject({ kind: 'readOnly' in options ? 'read' : (options.kind ?? 'write') });
    expect(work).toHaveBeenCalledTimes(1);
  }
});

test('the limit belongs to the transaction, and each kind has its own', async () => {
  pool = openPool({ url: database.url, max: 2 });
  const limitOf = (options: TransactionOptions) =>
    run(
      async (tx) => (await tx.one<{ statement_timeout: string }>(sql`show statement_timeout`)).statement_timeout,
      options,
    );
  expect(await limitOf({ readOnly: true })).toBe('5s');
  expect(await limitOf({})).toBe('10s');
  expect(await limitOf({ kind: 'job' })).toBe('10min');
  const shown = (await lookup(pool, { text: 'show statement_timeout' })).rows[0];
  expect(shown).toEqual({ statement_timeout: '5s' });
  expect((await pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '0' }]);
});

test('a lookup is stopped at its limit, and its connection serves the next', async () => {
  pool = openPool({ url: database.url, max: 1 });
  statementLimits.lookup = 20;
  await expect(lookup(pool, { text: 'select pg_sleep(3600)' })).rejects.toMatchObject({ kind: 'lookup' });
  statementLimits.lookup = usual.limits.lookup;
  await expect(lookup(pool, { text: 'select 1 / 0' })).rejects.toMatchObject({ code: '22012' });
  expect((await lookup(pool, { text: 'select 1 as one' })).rows).toEqual([{ one: 1 }]);
  expect(pool.totalCount).toBe(1);
});

test('a read whose caller hangs up disappears from the database, and its connection serves the next', async () => {
  pool = openPool({ url: database.url, max: 2 });
  withoutLimits();
  const gone = new AbortController();
  const work = vi.fn(endless);
  const left = read(work, gone.signal);
  await until(1);
  gone.abort();
  await expect(left).rejects.toBeInstanceOf(CallerGone);
  await until(0);
  expect(await read((tx) => tx.one(sql`select 1 as one`))).toEqual({ one: 1 });
  expect(pool.totalCount).toBe(1);
  expect(work).toHaveBeenCalledTimes(1);
});

test('a read that somebody else shares goes on until they all have hung up', async () => {
  pool = openPool({ url: database.url, max: 4 });
  withoutLimits();
  const [first, second] = [new AbortController(), new AbortController()];
  const reads = [read(endless, first.signal), read((tx) => tx.one(sql`select 2 as two`), second.signal)];
  for (const one of reads) one.catch(() => {});
  await until(1);
  expect(pool.totalCount).toBe(1);
  first.abort();
  // A statement on another connection is answered after a cancel request would have been.
  await run((tx) => tx.one(sql`select 1 as one`));
  expect(await sleeping()).toBe(1);
  second.abort();
  await until(0);
  for (const one of reads) await expect(one).rejects.toBeInstanceOf(CallerGone);
});

test('a read that others have left is stopped when the last one who waited has its answer', async () => {
  pool = openPool({ url: database.url, max: 4 });
  withoutLimits();
  const gone = new AbortController();
  const [answered, left] = [read((tx) => tx.one(sql`select 2 as two`)), read(endless, gone.signal)];
  left.catch(() => {});
  expect(await answered).toEqual({ two: 2 });
  await until(1);
  gone.abort();
  await expect(left).rejects.toBeInstanceOf(CallerGone);
  await until(0);
});

test('whoever hangs up before the work has begun never begins it; a write that has begun goes on', async () => {
  pool = openPool({ url: database.url, max: 2 });
  withoutLimits();
  let finish!: () => void;
  const begun = new AbortController();
  const writing = run(
    async (tx) => {
      await tx.run(sql`select 1`);
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return tx.one(sql`select 3 as three`);
    },
    { signal: begun.signal },
  );
  await vi.waitFor(() => expect(finish).toBeTypeOf('function'), soon);
  const [gone, work] = [new AbortController(), vi.fn(endless)];
  const waiting = [run(work, { signal: gone.signal }), read(work, gone.signal)];
  for (const one of waiting) one.catch(() => {});
  await vi.waitFor(() => expect(pool.places.waiting).toBe(2), soon);
  gone.abort();
  begun.abort();
  for (const one of waiting) await expect(one).rejects.toBeInstanceOf(CallerGone);
  finish();
  expect(await writing).toEqual({ three: 3 });
  expect(work.mock.calls.length).toBeLessThanOrEqual(1); // a read asks for its connection with its first statement
  expect(await sleeping()).toBe(0);
});

let address: NetConnectOpts;
/** Holds cancel requests back, as a slow network would, and then sends them where the connection leads. */
async function slowRoad(): Promise<{ port: number; arrived: Promise<void>; pass: () => void; server: Server }> {
  let pass!: () => void;
  let arrive!: () => void;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const server = createServer((socket) => {
    arrive();
    void passed.then(() => {
      const on = dial(address);
      socket.pipe(on).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, arrived, pass, server };
}

test('a cancel request that is late never stops the statement of whoever uses the connection next', async () => {
  pool = openPool({ url: database.url, max: 2 });
  placeWaits.read = 600_000;
  const road = await slowRoad();
  const gone = new AbortController();
  let finish!: () => void;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  pool.once('acquire', (client) => {
    const { host, port } = client as unknown as { host: string; port: number };
    address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
    Object.assign(client, { port: road.port, host: '127.0.0.1' });
  });
  const left = read(async (tx) => {
    await tx.run(sql`select 1`);
    await held;
    await tx.run(sql`select 1`);
  }, gone.signal);
  left.catch(() => {});
  await vi.waitFor(() => expect(pool.totalCount - pool.idleCount).toBe(1), soon);
  await vi.waitFor(async () => expect((await runSql(database.adminUrl, IDLE))[0].n).toBe(1), soon);
  gone.abort();
  await road.arrived;
  finish();
  await expect(left).rejects.toBeInstanceOf(CallerGone);
  // The next read needs the same place. It must not begin while the cancel request is on its way.
  const next = read((tx) => tx.one(sql`select pg_sleep(0.2), 1 as one`));
  next.catch(() => {});
  await vi.waitFor(() => expect(pool.places.waiting).toBe(1), soon);
  road.pass();
  expect(await next).toMatchObject({ one: 1 });
  road.server.close();
});
const IDLE = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`;
