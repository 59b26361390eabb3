import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startToy, toyJob } from '../../../test/support/toy-job.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { MINUTE, MovedClock } from '../clock.ts';
import { toUuid } from '../common/ids.ts';
import { job, type StoredJob } from '../road/for-areas/job.ts';
import { sql } from '../store/sql.ts';

/** Two versions of the app on one database, as during an upgrade: the later one has changed what the job reads. */

const ran: StoredJob[] = [];
let upgraded = 0;
const laterJob = job<{ wanted: number }, { next: number }>({
  kind: 'toy',
  upgrades: [
    ({ input, state }) => {
      upgraded += 1;
      const { notes, ...rest } = input as { notes: number };
      if (notes < 0) throw new Error('such a job cannot be upgraded');
      return { input: { ...rest, wanted: notes }, state };
    },
  ],
  run: async (run) => {
    ran.push({ input: run.input, state: run.state });
    await run.step(async () => ({ state: { next: run.input.wanted } }));
  },
});

let earlier: TestTurnout;
let later: TestTurnout;
let key: string;
beforeAll(async () => {
  const clock = new MovedClock();
  earlier = await startTest({ jobs: [toyJob], operations: [startToy], clock });
  later = await startTest({ jobs: [laterJob], operations: [startToy], clock, database: earlier.database });
  await earlier.org('acme');
  key = (await earlier.key('acme')).secret;
});
afterAll(async () => {
  await later.stop();
  await earlier.stop();
});

beforeEach(() => {
  ran.length = 0;
  upgraded = 0;
});

async function start(notes = 2): Promise<string> {
  const started = await earlier.call('POST', '/v1/toys', { key, body: { name: 'toy', notes } });
  expect(started.status).toBe(202);
  return started.body.id;
}
const statusOf = async (id: string) => (await earlier.call('GET', `/v1/jobs/${id}`, { key })).body.status;
const change = (id: string, format: number) =>
  earlier.system((tx) => tx.run(sql`update jobs set format = ${format} where id = ${toUuid(id)}`));

test('a job that the earlier version has queued is brought to the format of the later one, once, and run', async () => {
  const id = await start();
  await later.step.jobs();
  expect(await statusOf(id)).toBe('succeeded');
  expect(ran).toEqual([{ input: { name: 'toy', wanted: 2 }, state: null }]);
  const { format } = await earlier.system((tx) =>
    tx.one<{ format: number }>(sql`select format from jobs where id = ${toUuid(id)}`),
  );
  expect([format, upgraded]).toEqual([2, 1]);
});

test('a job of the later version waits for it: the earlier one leaves it alone', async () => {
  const id = await start();
  await change(id, 2);
  expect(await earlier.step.jobs()).toBe(0);
  expect(await statusOf(id)).toBe('queued');
  await change(id, 3);
  expect(await later.step.jobs()).toBe(0);
  await change(id, 2);
  expect(await later.step.jobs()).toBe(1);
});

test('a job that cannot be brought to the format fails, and holds up no other', async () => {
  const [broken, whole] = [await start(-1), await start()];
  await later.step.jobs();
  later.clock.advance(MINUTE);
  await later.step.jobs();
  expect([await statusOf(broken), await statusOf(whole)]).toEqual(['failed', 'succeeded']);
});
