import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../test/support/database.ts';
import { startTest } from '../../../test/support/turnout.ts';
import { systemClock } from '../clock.ts';
import { hostsOf } from '../common/several-hosts.ts';
import { NotWritable } from './hosts.ts';
import { answerGrace, statementLimits } from './kinds.ts';
import { lookup } from './lookup.ts';
import { openPool, type Pool } from './pool.ts';
import { sql } from './sql.ts';
import { transaction } from './tx.ts';

test('an address may name several servers', () => {
  expect(hostsOf('postgres://u:p@a:5432,b:5433,c/turnout?sslmode=require')).toEqual([
    'postgres://u:p@a:5432/turnout?sslmode=require',
    'postgres://u:p@b:5433/turnout?sslmode=require',
    'postgres://u:p@c/turnout?sslmode=require',
  ]);
  expect(hostsOf('postgres://u:p,q@a/turnout')).toEqual(['postgres://u:p,q@a/turnout']);
  expect(hostsOf('postgres:///turnout?host=/run/a,/run/b')).toEqual(['postgres:///turnout?host=/run/a,/run/b']);
});

/** A port that leads to PostgreSQL, which listens on a socket here. It passes bytes on, until it is told to keep them: a server that was stopped takes them and answers nothing. */
class Wire {
  readonly #target: URL;
  readonly #sockets = new Set<Socket>();
  #server!: Server;
  accepted = 0;
  /** The words in a statement at which it freezes. */
  freezesAt: string | null = null;

  constructor(url: string) {
    this.#target = new URL(url);
  }

  async listen(): Promise<string> {
    this.#server = createServer((client) => {
      this.accepted += 1;
      client.on('data', (bytes) => {
        if (this.freezesAt !== null && bytes.includes(this.freezesAt)) this.freeze();
      });
      const server = dial(`${decodeURIComponent(this.#target.hostname)}/.s.PGSQL.5432`);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => {});
        from.on('close', () => to.destroy());
        from.pipe(to);
        if (this.#isFrozen) from.pause();
      }
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as { port: number };
    const { username, password, pathname } = this.#target;
    return `postgres://${username}${password && `:${password}`}@127.0.0.1:${port}${pathname}`;
  }

  #isFrozen = false;
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let database: TestDatabase;
let direct: Wire;
let url: string;
const pools: Pool[] = [];
beforeAll(async () => {
  database = await cloneDatabase();
  direct = new Wire(database.url);
  url = await direct.listen();
});
afterAll(async () => {
  for (const pool of pools) await pool.end();
  await direct.close();
  await database.drop();
});
const open = (url: string): Pool => {
  const pool = openPool({ url, max: 4 });
  pools.push(pool);
  return pool;
};
const one = { text: 'select current_database() as name' };
/** The same address with another server before it, which refuses connections. */
const afterDead = (url: string): string => url.replace(/@([^/]+)/, '@127.0.0.1:1,$1');

describe('of several servers', () => {
  test('the one that can be reached serves', async () => {
    const pool = open(afterDead(url));
    expect((await lookup(pool, one)).rows).toHaveLength(1);
    expect((await Promise.all(Array.from({ length: 8 }, () => lookup(pool, one)))).length).toBe(8);
  });

  test('the one that takes writes serves, and a standby alone is refused', async () => {
    const standby = await cloneDatabase();
    const name = new URL(standby.url).pathname.slice(1);
    await runSql(standby.adminUrl, `alter database ${name} set default_transaction_read_only = on`);
    await expect(lookup(open(standby.url), one)).rejects.toThrow(NotWritable);
    await standby.drop();
  });

  test('when none can be reached, that is said', async () => {
    await expect(lookup(open(afterDead(url).replace(/:\d+\//, ':2/')), one)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });
});

describe('a server that does not answer any more', () => {
  const before = { limits: { ...statementLimits }, grace: answerGrace.ms };
  let wire: Wire;
  let wired: string;
  let pool: Pool;
  beforeEach(async () => {
    wire = new Wire(database.url);
    wired = await wire.listen();
    pool = open(wired);
    return async () => {
      Object.assign(statementLimits, before.limits);
      answerGrace.ms = before.grace;
      await wire.close();
    };
  });

  test('fails what is under way within its limit, and the connection is given up', async () => {
    await lookup(pool, one);
    statementLimits.write = 300;
    answerGrace.ms = 200;
    const work = transaction(pool, systemClock, { role: 'system' }, async (tx) => {
      await tx.one(sql`select 1 as one`);
      wire.freeze();
      await tx.one(sql`select 2 as two`);
    });
    await expect(work).rejects.toThrow(/Query read timeout|Connection terminated/);
    expect(pool.idleCount).toBe(0);
  });

  test('after it has taken a connection is given up, and the next one serves', async () => {
    statementLimits.lookup = 300;
    answerGrace.ms = 200;
    wire.freezesAt = 'pg_is_in_recovery';
    const { host } = new URL(url);
    const both = open(wired.replace(/@[^/]+/, (first) => `${first},${host}`));
    expect((await lookup(both, one)).rows).toHaveLength(1);
    expect(wire.accepted).toBe(1);
  });
});

test('a primary that became read-only is 503, and the call works again once it is not', async () => {
  const t = await startTest();
  await t.org('acme');
  const { secret } = await t.key('acme');
  const make = (code: string) => t.call('POST', '/v1/events', { key: secret, body: { code, name: 'Fair' } });
  expect((await make('fair')).status).toBe(201);
  const name = new URL(t.database.url).pathname.slice(1);
  await runSql(t.database.adminUrl, `alter database ${name} set default_transaction_read_only = on`);
  await runSql(
    t.database.adminUrl,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const refused = await make('other');
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'unavailable',
    '1',
  ]);
  const ready = await t.call('GET', '/readyz');
  expect([ready.status, ready.body.status]).toEqual([503, 'not ready']);
  await runSql(
    `${t.database.adminUrl.replace(/\/t_\w+/, '/postgres')}`,
    `alter database ${name} reset default_transaction_read_only`,
  );
  expect((await make('other')).status).toBe(201);
  expect((await t.call('GET', '/readyz')).status).toBe(200);
  await t.stop();
});
