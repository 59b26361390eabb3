import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { notesOf, startToy, type ToyInput, toyHooks, toyJob } from '../../../test/support/toy-job.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { toUuid } from '../common/ids.ts';
import { sql } from '../store/sql.ts';

let t: TestTurnout;
let acme: string;
let bravo: string;
let charlie: string;
beforeAll(async () => {
  t = await startTest({ jobs: [toyJob], operations: [startToy] });
  const keyOf = async (org: string) => {
    await t.org(org);
    return (await t.key(org)).secret;
  };
  [acme, bravo, charlie] = [await keyOf('acme'), await keyOf('bravo'), await keyOf('charlie')];
});
afterAll(() => t.stop());
afterEach(() => {
  toyHooks.afterStep = () => {};
});

let serial = 0;
async function start(key: string, wanted: Partial<ToyInput> = {}) {
  const input = { name: `fair-${++serial}`, notes: 20, ...wanted };
  const reply = await t.call('POST', '/v1/toys', { key, body: input });
  expect(reply.status, reply.text).toBe(202);
  return { id: reply.body.id as string, name: input.name };
}

/** Runs everything; every step takes five seconds. Answers for each step, in order, the job that it belonged to. */
async function stepsOf(jobs: { name: string }[], more: (steps: number) => unknown = () => {}): Promise<number[]> {
  const order: number[] = [];
  const look = async () => {
    for (const [i, { name }] of jobs.entries()) {
      const steps = (await notesOf(t, name)).length / 2;
      for (let n = order.filter((one) => one === i).length; n < steps; n += 1) order.push(i);
    }
    await more(order.length);
  };
  // Two jobs run at a time. They look one after the other; otherwise a step would be counted twice and a new job started twice.
  let turn = Promise.resolve();
  toyHooks.afterStep = () => {
    t.clock.advance(2500); // more than a job's slice of time, much less than a lease
    turn = turn.then(look);
    return turn;
  };
  await t.step.jobs();
  return order;
}

describe('fair shares while jobs run', () => {
  test('two long jobs of one organization make room for another one after a step', async () => {
    const jobs = [await start(acme, { notes: 40 }), await start(acme, { notes: 40 })];
    const order = await stepsOf(jobs, async (steps) => {
      if (steps >= 2 && jobs.length === 2) jobs.push(await start(bravo, { notes: 4 }));
    });
    // Of the 42 steps, the last one of the new job is among the first.
    expect(order.lastIndexOf(2)).toBeLessThan(15);
    for (const { name } of jobs.slice(0, 2)) expect(await notesOf(t, name)).toHaveLength(40);
    expect(await notesOf(t, jobs[2]!.name)).toEqual([0, 1, 2, 3]);
  });

  test('three organizations share two slots, and none finishes long before the others', async () => {
    const jobs = [await start(acme), await start(bravo), await start(charlie)];
    const order = await stepsOf(jobs);
    const ends = [0, 1, 2].map((job) => order.lastIndexOf(job));
    expect(Math.min(...ends)).toBeGreaterThan(18);
    for (const { name } of jobs) expect(await notesOf(t, name)).toHaveLength(20);
  });

  test('a job does not make room for one of its own organization, nor if nobody waits', async () => {
    const jobs = [await start(acme), await start(acme), await start(acme)];
    const order = await stepsOf(jobs);
    expect(order.indexOf(2)).toBeGreaterThan(Math.min(order.lastIndexOf(0), order.lastIndexOf(1)));
  });

  test('a job that cannot be interrupted goes on, and another one may run beside it', async () => {
    const jobs = [await start(acme, { stateless: true }), await start(acme, { stateless: true })];
    const order = await stepsOf(jobs, async (steps) => {
      if (steps >= 2 && jobs.length === 2) jobs.push(await start(bravo, { notes: 4 }));
    });
    expect(order.lastIndexOf(2)).toBeLessThan(15);
    for (const { name } of jobs.slice(0, 2)) expect(await notesOf(t, name)).toHaveLength(20);
  });

  test('being interrupted for others does not count as a run without progress', async () => {
    const jobs = [
      await start(acme, { notes: 30 }),
      await start(bravo, { notes: 30 }),
      await start(charlie, { notes: 30 }),
    ];
    await stepsOf(jobs);
    for (const { id } of jobs) {
      const { status, attempts } = await t.system((tx) =>
        tx.one<{ status: string; attempts: number }>(sql`select status, attempts from jobs where id = ${toUuid(id)}`),
      );
      expect([id, status]).toEqual([id, 'succeeded']);
      // A job that made room after its last step is claimed once more so that it can end.
      expect(attempts).toBeLessThanOrEqual(1);
    }
  });
});
