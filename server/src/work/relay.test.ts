import { setTimeout as sleep } from 'node:timers/promises';
import { API_VERSION } from '@turnout/contract';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../../../test/support/database.ts';
import { noteOperations } from '../../../test/support/operations.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { type Id, toUlid } from '../common/ids.ts';
import type { Occurrence } from '../road/operation.ts';
import { type FanOut, writeOutbox } from '../road/write/record.ts';
import { insertRow } from '../store/rows.ts';
import { sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';
import { Loop } from './loop.ts';
import { type Relayed, relayStep } from './relay.ts';

const silent = pino({ level: 'silent' });

let t: TestTurnout;
let org: Id;
let key: string;
/** What the running server's fan-out has received, and what it does with it. */
let handed: OutboxRow[] = [];
let fanOut: FanOut = async () => {};
beforeAll(async () => {
  t = await startTest({
    operations: noteOperations,
    fanOut: async (tx, claimed, held) => {
      const rows = await listen(tx, claimed);
      await fanOut(tx, claimed, held);
      handed.push(...rows);
    },
  });
  org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());
beforeEach(async () => {
  handed = [];
  fanOut = async () => {};
  await t.system((tx) => tx.run(sql`delete from outbox`));
});

const note = (text: string, more: object = {}) =>
  t.call('POST', '/v1/notes', { key, body: { text, ...more }, idempotencyKey: `${text}-${Math.random()}` });
const occurrence = (text: string): Occurrence => ({
  type: 'registration.created',
  event: null,
  group: null,
  livemode: true,
  data: { text },
});
const raise = (...texts: string[]) => t.system(async (tx) => writeOutbox(tx, org, texts.map(occurrence)));
const left = () => t.system(async (tx) => (await tx.one<{ n: number }>(sql`select count(*)::int as n from outbox`)).n);
interface OutboxRow {
  org_id: Id;
  id: Id;
  type: string;
  event_id: Id | null;
  group_id: Id | null;
  livemode: boolean;
  created_at: string;
  head: string;
  data: { text: string };
}
/** The relay passes the positions of the rows, which are still in the table. */
const listen = (tx: Tx, claimed: string): Promise<OutboxRow[]> =>
  tx.all<OutboxRow>(
    sql`select o.*, o.data::json as data from outbox o where o.ctid = any(${claimed}::tid[]) order by id`,
  );
const texts = (rows: readonly OutboxRow[] = handed) => rows.map((row) => row.data.text);
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `row ${String(i).padStart(3, '0')}`);

/** A gate: whoever reaches it waits until it is opened, and the test can wait until somebody has reached it. */
function gate() {
  let open!: () => void;
  let reach!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const pass = async () => {
    reach();
    await opened;
  };
  return { open, reached, pass };
}

describe('an occurrence', () => {
  // claim: one-id-per-occurrence
  test('is fanned out once, after its commit, as it was raised', async () => {
    const { body } = await note('one');
    expect(handed).toEqual([]);
    expect(await t.step.relay()).toBe(1);
    expect(handed).toEqual([
      {
        org_id: org,
        id: expect.any(String),
        type: 'registration.created',
        event_id: null,
        group_id: null,
        livemode: true,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        head: expect.any(String),
        data: { id: body.id, text: 'one' },
        held: null,
      },
    ]);
    const [{ id, created_at, head }] = handed as [OutboxRow];
    expect(JSON.parse(`${head}null}`)).toEqual({
      id: `evt_${toUlid(id)}`,
      type: 'registration.created',
      api_version: API_VERSION,
      created_at,
      livemode: true,
      data: null,
    });
    expect(await t.step.relay()).toBe(0);
    expect(handed).toHaveLength(1);
    expect(await left()).toBe(0);
  });

  test('is fanned out in the order in which it was raised', async () => {
    await raise('a', 'b', 'c');
    await raise('d');
    await t.step.relay();
    expect(texts()).toEqual(['a', 'b', 'c', 'd']);
  });

  // claim: one-id-per-occurrence
  test('is not fanned out twice because its request was repeated', async () => {
    const send = () => t.call('POST', '/v1/notes', { key, body: { text: 'twice' }, idempotencyKey: 'relay-twice' });
    await send();
    await send();
    await t.step.relay();
    expect(texts()).toEqual(['twice']);
  });

  // claim: raised-after-commit
  test('is not there before its commit', async () => {
    const { open, reached, pass } = gate();
    const work = t.system(async (tx) => {
      writeOutbox(tx, org, [occurrence('held')]);
      await tx.one(sql`select 1`);
      await pass();
    });
    await reached;
    expect(await t.step.relay()).toBe(0);
    open();
    await work;
    expect(await t.step.relay()).toBe(1);
    expect(texts()).toEqual(['held']);
  });

  // claim: nothing-for-rolled-back-work
  test.each(['refuse', 'validate', 'fault'])('of rolled-back work is never fanned out (%s)', async (fail) => {
    expect((await note(`never-${fail}`, { fail })).status).toBeGreaterThanOrEqual(400);
    expect(await t.step.relay()).toBe(0);
    expect(handed).toEqual([]);
  });
});

describe('the fan-out and the deletion from the outbox are one transaction', () => {
  const write = (tx: Tx, subject: string) =>
    insertRow(tx, 'mails', {
      org_id: org,
      id: crypto.randomUUID(),
      kind: 'fanned',
      recipient: 'nobody',
      subject,
      text: subject,
      status: 'sent',
      next_attempt_at: tx.clock.now(),
      created_at: tx.clock.now(),
    });
  const written = (subject: string) =>
    t.system(
      async (tx) =>
        (await tx.one<{ n: number }>(sql`select count(*)::int as n from mails where subject = ${subject}`)).n,
    );

  test('a fan-out that throws leaves the rows in the outbox and writes nothing', async () => {
    await raise('a', 'b');
    fanOut = async (tx, claimed) => {
      for (const text of texts(await listen(tx, claimed))) await write(tx, `thrown ${text}`);
      throw new Error('the fan-out failed');
    };
    await expect(t.step.relay()).rejects.toThrow('the fan-out failed');
    expect([await left(), await written('thrown a'), await written('thrown b')]).toEqual([2, 0, 0]);

    fanOut = async (tx, claimed) => {
      for (const text of texts(await listen(tx, claimed))) await write(tx, `kept ${text}`);
    };
    expect(await t.step.relay()).toBe(2);
    expect([await left(), await written('kept a'), await written('kept b')]).toEqual([0, 1, 1]);
  });

  test('so does a fan-out whose unawaited statement failed', async () => {
    await raise('a');
    fanOut = async (tx) => tx.send(sql`select 1 / 0`);
    await expect(t.step.relay()).rejects.toThrow();
    expect(await left()).toBe(1);
  });

  test('a worker whose connection is cut midway leaves the rows to others', async () => {
    await raise('a', 'b');
    fanOut = async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await runSql(t.database.adminUrl, 'select pg_terminate_backend($1, 10000)', [pid]);
    };
    await expect(t.step.relay()).rejects.toThrow();
    expect(await left()).toBe(2);
    fanOut = async () => {};
    expect(await t.step.relay()).toBe(2);
    expect(await left()).toBe(0);
  });
});

describe('two relays at once', () => {
  const drain = async (step: () => Promise<Relayed>) => {
    for (let found = await step(); found.relayed > 0; found = await step());
  };

  test('never relay a row twice, and leave none', async () => {
    await raise(...numbered(300));
    const got: OutboxRow[] = [];
    const slow: FanOut = async (tx, claimed) => {
      const rows = await listen(tx, claimed);
      await tx.run(sql`select pg_sleep(0.005)`); // long enough that the others run into the locks
      got.push(...rows);
    };
    const relays = Array.from({ length: 4 }, () => relayStep(t.pool, t.clock, slow, 10));
    await Promise.all(relays.map(drain));
    expect(texts(got).sort()).toEqual(numbered(300));
    expect(await left()).toBe(0);
  });

  test('one takes what the other has not claimed, without waiting', async () => {
    await raise(...numbered(6));
    const { open, reached, pass } = gate();
    const first: OutboxRow[] = [];
    const second: OutboxRow[] = [];
    const busy = relayStep(
      t.pool,
      t.clock,
      async (tx, claimed) => {
        first.push(...(await listen(tx, claimed)));
        await pass();
      },
      4,
    )();
    await reached;
    await drain(
      relayStep(t.pool, t.clock, async (tx, claimed) => {
        second.push(...(await listen(tx, claimed)));
      }),
    );
    expect([texts(first), texts(second)]).toEqual([numbered(6).slice(0, 4), numbered(6).slice(4)]);
    open();
    expect(await busy).toMatchObject({ relayed: 4 });
    expect(await left()).toBe(0);
  });

  test('the control: reading without a lock relays every row twice', async () => {
    await raise(...numbered(20));
    const got: string[] = [];
    const naive = () =>
      t.system(async (tx) => {
        const rows = await tx.all<{ id: Id; data: { text: string } }>(
          sql`select id, data::json as data from outbox order by id`,
        );
        got.push(...rows.map((row) => row.data.text));
        await tx.run(sql`select pg_sleep(0.3)`); // the fan-out
        await tx.run(sql`delete from outbox where id = any(${rows.map((row) => row.id)}::uuid[])`);
      });
    await Promise.all([naive(), naive()]);
    expect(got).toHaveLength(40);
  });
});

describe('organizations take turns', () => {
  const ids = new Map<string, Id>();
  beforeAll(async () => {
    for (const code of ['flood', 'lone', 'third']) ids.set(code, await t.org(code));
  });
  const raiseFor = (code: string, count: number) =>
    t.system(async (tx) =>
      writeOutbox(
        tx,
        ids.get(code)!,
        Array.from({ length: count }, (_, n) => occurrence(`${code} ${n}`)),
      ),
    );
  const steps = (take: FanOut, atOnce: number) => relayStep(t.pool, t.clock, take, atOnce);

  test('one occurrence behind very many of another organization is in the next step', async () => {
    await raiseFor('flood', 5000);
    await raiseFor('lone', 1);
    const got: OutboxRow[] = [];
    const step = steps(async (tx, claimed) => {
      got.push(...(await listen(tx, claimed)));
    }, 100);
    expect(await step()).toMatchObject({ relayed: 51, more: true, orgs: expect.arrayContaining([ids.get('lone')]) });
    expect(texts(got)).toContain('lone 0');
    // The flood gets everything as soon as nobody else has anything, and keeps its order.
    expect(await step()).toMatchObject({ relayed: 100, more: true, orgs: [ids.get('flood')] });
    const flood = got.filter((row) => row.org_id === ids.get('flood')).map((row) => row.data.text);
    expect(flood).toEqual(Array.from({ length: 150 }, (_, n) => `flood ${n}`));
  });

  test('the control: whoever takes the oldest first comes to it after everything else', async () => {
    await raiseFor('flood', 1000);
    await raiseFor('lone', 1);
    const oldest = () =>
      t.system(async (tx) => {
        const rows = await tx.all<OutboxRow>(
          sql`delete from outbox where id in (select id from outbox order by id limit 100 for update skip locked) returning *`,
        );
        return rows.some((row) => row.org_id === ids.get('lone'));
      });
    let taken = 1;
    while (!(await oldest())) taken += 1;
    expect(taken).toBe(11);
  });

  test('with more organizations than one step takes, each has its turn before one has its second', async () => {
    for (const code of ids.keys()) await raiseFor(code, 4);
    const step = steps(async () => {}, 2);
    const turns: (readonly Id[])[] = [];
    for (let found = await step(); ; found = await step()) {
      turns.push(found.orgs);
      if (!found.more) break;
    }
    expect(turns.slice(0, 2).flat().sort()).toEqual([...ids.values()].sort());
    expect(await left()).toBe(0);
  });
});

describe('a transaction that began earlier and commits later', () => {
  /** One transaction raises 'early' and stays open; another raises 'late' after it and commits first. */
  async function overtaken() {
    const { open, reached, pass } = gate();
    const early = t.system(async (tx) => {
      writeOutbox(tx, org, [occurrence('early')]);
      await tx.one(sql`select 1`);
      await pass();
    });
    await reached;
    await raise('late');
    return async () => {
      open();
      await early;
    };
  }

  test('is fanned out as well', async () => {
    const commitEarly = await overtaken();
    expect(await t.step.relay()).toBe(1);
    expect(texts()).toEqual(['late']);
    await commitEarly();
    expect(await t.step.relay()).toBe(1);
    expect(texts()).toEqual(['late', 'early']);
  });

  test('the control: a reader that remembers the last id loses it', async () => {
    let last = '00000000-0000-0000-0000-000000000000';
    const naive = () =>
      t.system(async (tx) => {
        const rows = await tx.all<{ id: Id; data: { text: string } }>(
          sql`select id, data::json as data from outbox where id > ${last} order by id`,
        );
        last = rows.at(-1)?.id ?? last;
        return rows.map((row) => row.data.text);
      });
    const commitEarly = await overtaken();
    expect(await naive()).toEqual(['late']);
    await commitEarly();
    expect(await naive()).toEqual([]);
    expect(await left()).toBe(2); // it is still there, and nobody reads it
  });
});

describe('the running worker', () => {
  test('relays an occurrence soon after its commit, without anybody calling a step', async () => {
    const got: OutboxRow[] = [];
    const running = await startTest({
      operations: noteOperations,
      env: { ROLES: 'api,worker' },
      fanOut: async (tx, claimed) => {
        got.push(...(await listen(tx, claimed)));
      },
    });
    try {
      await running.org('acme');
      const { secret } = await running.key('acme');
      for (const text of ['first', 'second']) {
        const { status } = await running.call('POST', '/v1/notes', { key: secret, body: { text } });
        expect(status).toBe(201);
        await expect.poll(() => texts(got), { timeout: 10_000 }).toContain(text);
      }
      expect(texts(got)).toEqual(['first', 'second']);
    } finally {
      await running.stop();
    }
  });

  test('goes on after the fan-out failed and after its connection was cut', async () => {
    const got: OutboxRow[] = [];
    const faults = ['throw', 'cut'];
    const running = await startTest({
      operations: noteOperations,
      env: { ROLES: 'api,worker' },
      fanOut: async (tx, claimed) => {
        const fault = faults.shift();
        if (fault === 'throw') throw new Error('not now');
        if (fault === 'cut') {
          const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
          await runSql(running.database.adminUrl, 'select pg_terminate_backend($1, 10000)', [pid]);
        }
        got.push(...(await listen(tx, claimed)));
      },
    });
    try {
      await running.org('acme');
      const { secret } = await running.key('acme');
      await running.call('POST', '/v1/notes', { key: secret, body: { text: 'stubborn' } });
      await expect.poll(() => texts(got), { timeout: 20_000 }).toEqual(['stubborn']);
      expect(faults).toEqual([]);
    } finally {
      await running.stop();
    }
  });

  test('stops only when the running step has ended', async () => {
    const { open, reached, pass } = gate();
    const running = await startTest({
      operations: noteOperations,
      env: { ROLES: 'api,worker' },
      fanOut: pass,
      database: t.database,
    });
    await raise('last');
    await reached;
    let stopped = false;
    const stopping = running.stop().then(() => {
      stopped = true;
    });
    await sleep(100); // long enough for a stop that does not wait
    expect(stopped).toBe(false);
    open();
    await stopping;
    expect(await left()).toBe(0);
  });

  test('an API process without the worker role leaves the rows to those that have it', async () => {
    await note('waits');
    const others = new pg.Client({ connectionString: t.database.adminUrl });
    await others.connect();
    await sleep(600); // proves that nothing happens: a relay would have looked more than twice
    expect((await others.query('select count(*)::int as n from outbox')).rows).toEqual([{ n: 1 }]);
    await others.end();
    expect(handed).toEqual([]);
  });
});

describe('the loop', () => {
  test('after a step that is not full, the next one waits for a wake-up and for the time to gather', async () => {
    const found = [5, 2, 1];
    const at: number[] = [];
    const step = async () => {
      at.push(performance.now());
      return found[at.length - 1] ?? 0;
    };
    const loop = new Loop('test', step, { everyMs: 60_000, full: 5, gatherMs: 200 }, silent);
    loop.start();
    await expect.poll(() => at.length, { timeout: 10_000 }).toBe(2);
    loop.wake();
    await expect.poll(() => at.length, { timeout: 10_000 }).toBe(3);
    expect(at[2]! - at[1]!).toBeGreaterThan(150);
    await sleep(400); // proves that no fourth step follows
    expect(at).toHaveLength(3);
    await loop.stop();
  });

  test('repeats while a step finds work, then waits', async () => {
    const found = [3, 2, 0];
    let steps = 0;
    const loop = new Loop('test', async () => found[steps++] ?? 0, { everyMs: 60_000 }, silent);
    loop.start();
    await expect.poll(() => steps, { timeout: 10_000 }).toBe(3);
    await sleep(50); // proves that no fourth step follows
    expect(steps).toBe(3);
    await loop.stop();
  });

  test('survives a step that throws, and looks again without a wake-up', async () => {
    let steps = 0;
    const loop = new Loop(
      'test',
      async () => {
        steps += 1;
        if (steps <= 2) throw new Error('the database restarts');
        return 0;
      },
      { everyMs: 60_000 },
      silent,
    );
    loop.start();
    await expect.poll(() => steps, { timeout: 10_000 }).toBe(3);
    await loop.stop();
  });

  test('a wake-up during a step is not lost', async () => {
    const first = gate();
    let steps = 0;
    const loop = new Loop(
      'test',
      async () => {
        steps += 1;
        if (steps === 1) await first.pass();
        return 0;
      },
      { everyMs: 60_000 },
      silent,
    );
    loop.start();
    await first.reached;
    loop.wake();
    first.open();
    await expect.poll(() => steps, { timeout: 10_000 }).toBe(2);
    await loop.stop();
  });

  test('stops between two steps: the one that runs ends, the next never begins', async () => {
    const first = gate();
    let begun = 0;
    let ended = 0;
    const loop = new Loop(
      'test',
      async () => {
        begun += 1;
        await first.pass();
        ended += 1;
        return 1; // there is more to do
      },
      { everyMs: 60_000 },
      silent,
    );
    loop.start();
    await first.reached;
    const stopping = loop.stop();
    loop.wake();
    first.open();
    await stopping;
    expect([begun, ended]).toEqual([1, 1]);
    await sleep(50); // proves that no second step follows
    expect(begun).toBe(1);
  });

  test.each(['nothing was found', 'the step failed'])('stops at once while it waits: %s', async (why) => {
    const first = gate();
    let steps = 0;
    const loop = new Loop(
      'test',
      async () => {
        steps += 1;
        await first.pass();
        if (why === 'the step failed') throw new Error('down');
        return 0;
      },
      { everyMs: 60_000 },
      silent,
    );
    loop.start();
    await first.reached;
    first.open();
    await new Promise((resolve) => setImmediate(resolve)); // now it waits
    await loop.stop();
    expect(steps).toBe(1);
  });
});
