import { connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../test/support/database.ts';
import { noteOperations, traces } from '../../../test/support/operations.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { systemClock } from '../clock.ts';
import { type Id, newId } from '../common/ids.ts';
import { openPool, type Pool } from './pool.ts';
import { insertRow } from './rows.ts';
import { sql } from './sql.ts';
import { type Authority, CommitUnknown, type Tx, transaction } from './tx.ts';

let database: TestDatabase;
let pool: Pool;
const pools: Pool[] = [];
const open = (max: number, url = database.url): Pool => {
  const opened = openPool({ url, max });
  pools.push(opened);
  return opened;
};
beforeAll(async () => {
  database = await cloneDatabase();
  await runSql(
    database.adminUrl,
    `create table counters (id int primary key, n int not null);
     grant select, insert, update, delete on counters to turnout_app, turnout_system`,
  );
  pool = open(10);
});
afterEach(async () => {
  for (const opened of pools.splice(1)) await opened.end();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await runSql(database.adminUrl, 'truncate counters');
  await runSql(database.adminUrl, 'insert into counters select i, 0 from generate_series(1, 9) i');
});

const SYSTEM: Authority = { role: 'system' };
/** Lookups take no place, because these tests use every connection of a pool at once. */
const system = <T>(work: (tx: Tx) => Promise<T>, on = pool, options = {}) =>
  transaction(on, systemClock, SYSTEM, work, { kind: 'lookup', ...options });
const add = (tx: Tx, id: number) => tx.run(sql`update counters set n = n + 1 where id = ${id}`);
const counter = async (id: number): Promise<number> =>
  (await runSql(database.adminUrl, 'select n from counters where id = $1', [id]))[0].n;
const pidOf = async (tx: Tx) => (await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid;
/** Ends a connection as an administrator or a failover would. Resolves when its process is gone. */
const terminate = (pid: number) =>
  runSql(database.adminUrl, 'select pg_terminate_backend($1, 10000)', [pid]) as Promise<unknown>;

/** A barrier: nobody passes before `count` have arrived. */
function meeting(count: number): () => Promise<void> {
  let here = 0;
  let all!: () => void;
  const met = new Promise<void>((resolve) => {
    all = resolve;
  });
  return () => {
    here += 1;
    if (here === count) all();
    return met;
  };
}

describe('two transactions that lock two rows in opposite order', () => {
  test('both succeed: the one that the database refuses is run again', async () => {
    const meet = meeting(2);
    let tries = 0;
    const both = (first: number, second: number) =>
      system(async (tx) => {
        tries += 1;
        await add(tx, first);
        if (tries <= 2) await meet();
        await add(tx, second);
        return `${first}${second}`;
      });
    expect(await Promise.all([both(1, 2), both(2, 1)])).toEqual(['12', '21']);
    expect(tries).toBeGreaterThan(2); // at least one of the two was run again
    expect([await counter(1), await counter(2)]).toEqual([2, 2]);
  });

  test('the control: without `transaction` one of them fails', async () => {
    const meet = meeting(2);
    const both = async (first: number, second: number) => {
      const client = new pg.Client({ connectionString: database.adminUrl });
      await client.connect();
      try {
        await client.query('begin');
        await client.query('update counters set n = n + 1 where id = $1', [first]);
        await meet();
        await client.query('update counters set n = n + 1 where id = $1', [second]);
        await client.query('commit');
        return 'done';
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await client.end();
      }
    };
    expect((await Promise.all([both(1, 2), both(2, 1)])).sort()).toEqual(['40P01', 'done']);
  });
});

describe('serialization failures', () => {
  /** Two are on duty, and each leaves if it sees the other on duty: a write skew. */
  async function leave(on: Pool): Promise<{ tries: number; onDuty: number }> {
    await runSql(database.adminUrl, 'update counters set n = 1 where id in (1, 2)');
    const meet = meeting(2);
    let tries = 0;
    await Promise.all(
      [1, 2].map((me) =>
        system(async (tx) => {
          tries += 1;
          const { n } = await tx.one<{ n: number }>(sql`select sum(n)::int as n from counters where id in (1, 2)`);
          if (tries <= 2) await meet();
          if (n > 1) await tx.run(sql`update counters set n = 0 where id = ${me}`);
        }, on),
      ),
    );
    return { tries, onDuty: (await counter(1)) + (await counter(2)) };
  }

  test('are retried: both transactions succeed as if one had come after the other', async () => {
    const [{ name }] = await runSql(database.adminUrl, 'select current_database() as name');
    await runSql(database.adminUrl, `alter database ${name} set default_transaction_isolation = 'serializable'`);
    const serializable = open(2);
    try {
      expect(await leave(serializable)).toEqual({ tries: 3, onDuty: 1 });
    } finally {
      await runSql(database.adminUrl, `alter database ${name} reset default_transaction_isolation`);
    }
  });

  test('the control: at a level at which the database does not notice, both leave', async () => {
    expect(await leave(open(2))).toEqual({ tries: 2, onDuty: 0 });
  });

  describe('that only COMMIT reports', () => {
    beforeEach(async () => {
      // A sequence is not rolled back, so the check can fail a given number of times and then let the commit through.
      await runSql(
        database.adminUrl,
        `create sequence checked; grant usage on sequence checked to turnout_system;
         create function late_check() returns trigger language plpgsql as $$ begin
           if nextval('checked') <= new.n then
             raise exception 'told late' using errcode = case when new.id = 9 then '23514' else '40001' end;
           end if;
           return null;
         end $$;
         create constraint trigger late_check after update on counters deferrable initially deferred
           for each row when (new.id >= 8) execute function late_check()`,
      );
    });
    afterEach(async () => {
      await runSql(
        database.adminUrl,
        'drop trigger late_check on counters; drop function late_check; drop sequence checked',
      );
    });
    const set = (id: number, n: number) => {
      let tries = 0;
      const done = system(async (tx) => {
        tries += 1;
        await tx.run(sql`update counters set n = ${n} where id = ${id}`);
        return 'done';
      });
      return done.then(
        (value) => ({ value, tries }),
        (error: { code?: string }) => ({ code: error.code, tries }),
      );
    };

    test('is retried, and done once', async () => {
      expect(await set(8, 2)).toEqual({ value: 'done', tries: 3 });
      expect(await counter(8)).toBe(2);
    });

    test('ends with the database’s own error when it never works', async () => {
      const end = await set(8, 1000);
      expect(end).toMatchObject({ code: '40001' });
      expect(end.tries).toBeGreaterThan(2);
      expect(end.tries).toBeLessThan(10);
      expect(await counter(8)).toBe(0);
    });

    test('is thrown when it is no conflict: a deferred check that fails is not a success', async () => {
      expect(await set(9, 1)).toEqual({ code: '23514', tries: 1 });
      expect(await counter(9)).toBe(0);
    });
  });
});

describe('any other failure', () => {
  test('is thrown at once and undoes everything', async () => {
    let tries = 0;
    const work = system(async (tx) => {
      tries += 1;
      await add(tx, 1);
      throw new Error('the work failed');
    });
    await expect(work).rejects.toThrow('the work failed');
    expect([tries, await counter(1)]).toEqual([1, 0]);
  });

  test('of a statement keeps its code', async () => {
    const work = system(async (tx) => {
      await add(tx, 1);
      await tx.run(sql`insert into counters values (1, 1)`);
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect(await counter(1)).toBe(0);
  });

  test('leaves the connection and its prepared statements as good as before', async () => {
    const one = open(1);
    const fresh = () => sql`select n + 1000 as n from counters where id = ${3}`;
    const pids: number[] = [];
    const failing = system(async (tx) => {
      pids.push(await pidOf(tx));
      const failed = tx.run(sql`select 1 / 0`);
      const echo = tx.one(fresh()); // prepared for the first time in a transaction that has already failed
      await Promise.allSettled([failed, echo]);
      await failed;
    }, one);
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    const row = await system(async (tx) => {
      pids.push(await pidOf(tx));
      return tx.one(fresh());
    }, one);
    expect(row).toEqual({ n: 1000 });
    expect(pids[1]).toBe(pids[0]);
  });
});

describe('a statement sent without waiting', () => {
  const fails = sql`select 1 / 0`;

  test('that works is part of the transaction', async () => {
    await system(async (tx) => tx.send(sql`update counters set n = 5 where id = 1`));
    expect(await counter(1)).toBe(5);
  });

  test.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['as the last one', async (tx) => tx.send(fails)],
    [
      'with a good one after it',
      async (tx) => {
        tx.send(fails);
        tx.send(sql`update counters set n = 7 where id = 2`);
      },
    ],
    [
      'with an awaited one after it',
      async (tx) => {
        tx.send(fails);
        await add(tx, 2);
      },
    ],
    [
      'with an awaited one after it whose error the work swallows',
      async (tx) => {
        tx.send(fails);
        await add(tx, 2).catch(() => {});
        return 'all is well';
      },
    ],
  ])('that fails makes the transaction fail: %s', async (_where, work) => {
    const done = system(async (tx) => {
      await add(tx, 1);
      return work(tx);
    });
    await expect(done).rejects.toThrow();
    expect([await counter(1), await counter(2)]).toEqual([0, 0]);
  });

  test('the control: PostgreSQL itself answers COMMIT of a lost transaction without an error', async () => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    await client.query('begin');
    await client.query('select 1 / 0').catch(() => {});
    expect((await client.query('commit')).command).toBe('ROLLBACK');
    await client.end();
  });
});

/** A proxy between the pool and PostgreSQL that loses a COMMIT or the answer to one. */
class Wire {
  lose: 'commit' | 'answer' | null = null;
  /** Only on a connection that has carried this text, because other connections end transactions in the meantime. */
  of = '';
  lost = 0;
  readonly #server: Server;
  readonly #target: string;
  url = '';

  constructor(target: string) {
    this.#target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as { port: number };
    const { user, password, database: name } = new pg.Client({ connectionString: this.#target });
    this.url = `postgres://${user}${password ? `:${encodeURIComponent(password)}` : ''}@127.0.0.1:${port}/${name}`;
    return this;
  }

  #join(client: Socket): void {
    const { host, port } = new pg.Client({ connectionString: this.#target });
    const server = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    let cutting = false;
    const cut = () => {
      this.lost += 1;
      client.destroy();
      server.destroy();
    };
    let carried = '';
    client.on('data', (bytes) => {
      if (bytes.includes(this.of)) carried = this.of;
      if (this.lose !== null && carried === this.of && bytes.includes('commit\0')) {
        cutting = this.lose === 'answer';
        this.lose = null;
        if (!cutting) return cut();
      }
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      // ReadyForQuery (idle): the transaction is over, and the client is never told.
      if (cutting && bytes.includes(Buffer.from('Z\0\0\0\x05I', 'latin1'))) cut();
      if (!cutting) client.write(bytes);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => {});
      one.on('close', () => other.destroy());
    }
  }

  close(): Promise<unknown> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('a connection that breaks at COMMIT', () => {
  let wire: Wire;
  beforeAll(async () => {
    wire = await new Wire(database.url).open();
  });
  afterAll(() => wire.close());

  test.each([
    ['the answer is lost: the work stands', 'answer', 1],
    ['COMMIT is lost: the work does not stand', 'commit', 0],
  ] as const)('is CommitUnknown, whatever became of the work: %s', async (_what, lose, stands) => {
    const broken = open(1, wire.url);
    let tries = 0;
    const work = system(async (tx) => {
      tries += 1;
      await add(tx, 1);
      wire.lose = lose;
    }, broken);
    await expect(work).rejects.toBeInstanceOf(CommitUnknown);
    expect(tries).toBe(1); // it may have been committed, so this function must not run it again
    await expect.poll(() => counter(1), { timeout: 10_000 }).toBe(stands);
    await system((tx) => add(tx, 2), broken);
    expect(await counter(2)).toBe(1);
  });

  test('is CommitUnknown also when the process that served it is gone before', async () => {
    const one = open(1);
    const work = system(async (tx) => {
      await add(tx, 1);
      await terminate(await pidOf(tx));
    }, one);
    await expect(work).rejects.toBeInstanceOf(CommitUnknown);
    expect(await counter(1)).toBe(0);
  });

  test('the control: with the wire whole, the same work commits', async () => {
    const before = wire.lost;
    await system((tx) => add(tx, 1), open(1, wire.url));
    expect([await counter(1), wire.lost]).toEqual([1, before]);
  });

  describe('on the road', () => {
    let t: TestTurnout;
    let behind: TestTurnout;
    let through: Wire;
    let key: string;
    beforeAll(async () => {
      behind = await startTest({ operations: noteOperations });
      through = await new Wire(behind.database.url).open();
      t = await startTest({ operations: noteOperations, database: { ...behind.database, url: through.url } });
      await behind.org('acme');
      key = (await behind.key('acme')).secret;
    });
    afterAll(async () => {
      await t.stop();
      await through.close();
      await behind.stop();
    });

    test.each(['answer', 'commit'] as const)('a POST is settled by its idempotency key (%s lost)', async (lose) => {
      const text = `alone-${lose}-lost`;
      Object.assign(through, { lose, of: text });
      const before = through.lost;
      const reply = await t.call('POST', '/v1/notes', { key, idempotencyKey: text, body: { text } });
      expect(through.lost).toBe(before + 1);
      expect([reply.status, reply.body.text]).toEqual([201, text]);
      expect(await traces(behind, text)).toEqual({ notes: 1, audit: 1, outbox: 1 });
      const again = await t.call('POST', '/v1/notes', { key, idempotencyKey: text, body: { text } });
      expect(again.text).toBe(reply.text);
    });

    test.each(['answer', 'commit'] as const)('so is each call of a batch (%s lost)', async (lose) => {
      const texts = Array.from({ length: 12 }, (_, i) => `shared-${i}-${lose}-lost`);
      Object.assign(through, { lose, of: texts[11] });
      const before = through.lost;
      const replies = await Promise.all(
        texts.map((text) => t.call('POST', '/v1/shared-notes', { key, idempotencyKey: text, body: { text } })),
      );
      expect(through.lost).toBe(before + 1);
      expect(replies.map((reply) => [reply.status, reply.body.text])).toEqual(texts.map((text) => [201, text]));
      for (const text of texts) expect(await traces(behind, text)).toEqual({ notes: 1, audit: 1, outbox: 1 });
    });

    test('a write without an Idempotency-Key is answered with 503: its caller has to check', async () => {
      const event = (await t.call('POST', '/v1/events', { key, body: { name: 'Before' } })).body.id;
      Object.assign(through, { lose: 'answer', of: 'After the loss' });
      const reply = await t.call('PATCH', `/v1/events/${event}`, { key, body: { name: 'After the loss' } });
      expect([reply.status, reply.body.error?.code, reply.headers.get('retry-after')]).toEqual([
        503,
        'unavailable',
        '1',
      ]);
      expect((await t.call('GET', `/v1/events/${event}`, { key })).body.name).toBe('After the loss');
    });
  });
});

describe('a read-only transaction', () => {
  test('reads, and cannot write', async () => {
    const options = { readOnly: true };
    expect(await system((tx) => tx.one(sql`select n from counters where id = 1`), pool, options)).toEqual({ n: 0 });
    await expect(system((tx) => add(tx, 1), pool, options)).rejects.toMatchObject({ code: '25006' });
    await expect(
      transaction(pool, systemClock, { role: 'app', org: newId(new Date()) }, (tx) => add(tx, 1), options),
    ).rejects.toMatchObject({ code: '25006' });
    expect(await counter(1)).toBe(0);
  });

  test('does not make the next one on its connection read-only', async () => {
    const one = open(1);
    for (let i = 0; i < 3; i += 1) {
      await system(async (tx) => tx.one(sql`select 1`), one, { readOnly: true });
      await system((tx) => add(tx, 1), one);
    }
    expect(await counter(1)).toBe(3);
  });
});

describe('the pool', () => {
  test('survives the end of all its idle connections', async () => {
    const some = open(5);
    const meet = meeting(5);
    const pids = await Promise.all(
      Array.from({ length: 5 }, () =>
        system(async (tx) => {
          const pid = await pidOf(tx);
          await meet();
          return pid;
        }, some),
      ),
    );
    expect(new Set(pids).size).toBe(5);
    await Promise.all(pids.map(terminate));
    await expect.poll(() => some.totalCount, { timeout: 10_000 }).toBe(0);
    await Promise.all(Array.from({ length: 20 }, () => system((tx) => add(tx, 1), some)));
    expect(await counter(1)).toBe(20);
  });

  test('survives the end of a connection in use: that work fails, the next gets another one', async () => {
    const one = open(1);
    let killed = 0;
    const work = system(async (tx) => {
      killed = await pidOf(tx);
      await add(tx, 1);
      await terminate(killed);
      await add(tx, 2);
    }, one);
    await expect(work).rejects.toThrow();
    const next = await system(async (tx) => {
      await add(tx, 3);
      return pidOf(tx);
    }, one);
    expect(next).not.toBe(killed);
    expect([await counter(1), await counter(2), await counter(3)]).toEqual([0, 0, 1]);
  });

  test('loses none of its connections to work that fails', async () => {
    const two = open(2);
    await Promise.allSettled(Array.from({ length: 20 }, () => system(() => Promise.reject(new Error('no')), two)));
    await Promise.all([1, 2].map((id) => system((tx) => add(tx, id), two)));
    expect([await counter(1), await counter(2)]).toEqual([1, 1]);
    expect(two.idleCount).toBe(2);
  });
});

describe('on one pooled connection, nothing of a transaction is left to the next', () => {
  let one: Pool;
  const orgs: Id[] = [];
  beforeAll(async () => {
    for (const code of ['alpha', 'beta']) {
      await system(async (tx) => {
        const now = new Date();
        const id = newId(now);
        const stamps = { created_at: now, updated_at: now };
        await insertRow(tx, 'organizations', { id, code, name: code, plan: 'free', ...stamps });
        await insertRow(tx, 'groups', { org_id: id, id, code: `of-${code}`, name: code, path: [id], ...stamps });
        orgs.push(id);
      });
    }
  });
  beforeEach(() => {
    one = open(1);
  });

  const seen = async (tx: Tx) =>
    (await tx.all<{ code: string }>(sql`select code from groups order by code`)).map((row) => row.code);
  const as = <T>(i: number, work: (tx: Tx) => Promise<T>, options = {}) =>
    transaction(one, systemClock, { role: 'app', org: orgs[i]! }, work, options);
  /** The role and organization of a bare connection, outside of a transaction. */
  const bare = async () =>
    (
      await one.query(
        `select current_user = session_user as login, current_setting('turnout.org', true) as org,
           (select count(*)::int from groups) as groups`,
      )
    ).rows[0];

  test('neither its organization nor its role', async () => {
    const pids = new Set([await as(0, pidOf), await as(1, pidOf), await system(pidOf, one)]);
    expect(pids.size).toBe(1);
    expect(await as(0, seen)).toEqual(['of-alpha']);
    expect(await as(1, seen)).toEqual(['of-beta']);
    expect(await system(seen, one)).toEqual(['of-alpha', 'of-beta']);
    expect(await as(0, seen, { readOnly: true })).toEqual(['of-alpha']);
    expect(await as(1, seen)).toEqual(['of-beta']);
    expect(await bare()).toEqual({ login: true, org: '', groups: 0 });
  });

  test('nor after the work threw, a statement failed, or one was sent that failed', async () => {
    const failures: ((tx: Tx) => Promise<unknown>)[] = [
      () => Promise.reject(new Error('the work failed')),
      (tx) => tx.run(sql`select 1 / 0`),
      async (tx) => tx.send(sql`select 1 / 0`),
    ];
    for (const fail of failures) {
      await expect(as(0, fail)).rejects.toThrow();
      expect(await as(1, seen)).toEqual(['of-beta']);
      await expect(system(fail, one)).rejects.toThrow();
      expect(await as(1, seen)).toEqual(['of-beta']);
      await expect(as(0, fail)).rejects.toThrow();
      expect(await bare()).toEqual({ login: true, org: '', groups: 0 });
    }
  });

  test('nor when they stand in line for it', async () => {
    const turns = Array.from({ length: 60 }, (_, i) => i % 2);
    const all = await Promise.all(turns.map((i) => as(i, seen, { readOnly: i % 3 === 0 })));
    expect(all).toEqual(turns.map((i) => [i === 0 ? 'of-alpha' : 'of-beta']));
  });

  test('and one organization cannot write into the other', async () => {
    const now = new Date();
    const stranger = { org_id: orgs[1], id: newId(now), code: 'mine', name: 'Mine', path: [orgs[1]] };
    await expect(
      as(0, (tx) => insertRow(tx, 'groups', { ...stranger, created_at: now, updated_at: now })),
    ).rejects.toMatchObject({ code: '42501' });
    expect(await as(0, (tx) => tx.run(sql`update groups set name = 'Mine' where org_id = ${orgs[1]}`))).toBe(0);
    expect(await as(0, (tx) => tx.run(sql`delete from groups where org_id = ${orgs[1]}`))).toBe(0);
    expect(await as(1, seen)).toEqual(['of-beta']);
  });

  test('the control: settings of the session, not of the transaction, do leak', async () => {
    const client = await one.connect();
    await client.query('begin');
    await client.query(`select set_config('role', 'turnout_app', false), set_config('turnout.org', $1, false)`, [
      orgs[0],
    ]);
    await client.query('commit');
    client.release();
    expect(await bare()).toEqual({ login: false, org: orgs[0], groups: 1 });
  });
});

describe('a statement that nobody waited for', () => {
  test('tells its cause, not the echo', async () => {
    const first = await system(async (tx) => {
      tx.send(sql`select 1 / 0`);
      await add(tx, 1);
    }).catch((error) => error);
    const last = await system(async (tx) => tx.send(sql`select 1 / 0`)).catch((error) => error);
    expect([first.code, last.code]).toEqual(['22012', '22012']);
    expect(await counter(1)).toBe(0);
  });

  test('in a deadlock is run again with the rest', async () => {
    const meet = meeting(2);
    let tries = 0;
    const both = (a: number, b: number) =>
      system(async (tx) => {
        tries += 1;
        await add(tx, a);
        if (tries <= 2) await meet();
        tx.send(sql`update counters set n = n + 1 where id = ${b}`);
      });
    await Promise.all([both(1, 2), both(2, 1)]);
    expect([await counter(1), await counter(2)]).toEqual([2, 2]);
    expect(tries).toBeGreaterThan(2); // at least one of the two was run again
  });
});

test('a serialization failure is retried three times', async () => {
  let tries = 0;
  const failing = system(async (tx) => {
    tries += 1;
    await tx.run(sql`do $$ begin raise exception 'x' using errcode = '40001'; end $$`);
  });
  await expect(failing).rejects.toMatchObject({ code: '40001' });
  expect(tries).toBe(4);
});

test('a COMMIT that PostgreSQL answers by going away is unknown, and its connection is not used again', async () => {
  await runSql(
    database.adminUrl,
    `create function end_it() returns trigger language plpgsql security definer as $$ begin
       perform pg_terminate_backend(pg_backend_pid()); return null; end $$;
     create constraint trigger end_it after update on counters deferrable initially deferred
       for each row when (new.id = 9) execute function end_it()`,
  );
  const single = open(1);
  await expect(system((tx) => add(tx, 9), single)).rejects.toBeInstanceOf(CommitUnknown);
  expect(await system((tx) => add(tx, 1), single)).toBe(1);
  await runSql(database.adminUrl, 'drop trigger end_it on counters');
});

test('a read sees one instant throughout', async () => {
  const seen = await system(
    async (tx) => {
      const before = await tx.one<{ n: number }>(sql`select n from counters where id = 1`);
      await system((other) => add(other, 1));
      return [before.n, (await tx.one<{ n: number }>(sql`select n from counters where id = 1`)).n];
    },
    pool,
    { readOnly: true },
  );
  expect(seen).toEqual([0, 0]);
  expect(await counter(1)).toBe(1);
});

test('a read that asks nothing takes no connection', async () => {
  const none = open(1);
  await system(async () => {}, none, { readOnly: true });
  expect(none.totalCount).toBe(0);
});
