import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notesOf, startToy, type ToyInput } from '../../../test/support/toy-job.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { MINUTE } from '../clock.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ operations: [startToy] }); // this process starts jobs and watches; its children run them
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const get = async (id: string) => (await t.call('GET', `/v1/jobs/${id}`, { key })).body;

/** Each runner dies by kill -9, and the next one begins when the lease is over. The last one finishes the job. */
async function killed(input: ToyInput, crashes: readonly string[], end = 'succeeded'): Promise<string> {
  const { id } = (await t.call('POST', '/v1/toys', { key, body: input })).body;
  for (const [i, crash] of [...crashes, ''].entries()) {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('../../../test/support/toy-worker.ts', import.meta.url))],
      {
        env: {
          ...process.env,
          DATABASE_URL: t.database.url,
          FILES: t.database.files,
          AHEAD: String(i * MINUTE),
          CRASH: crash,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    expect(await once(child, 'exit')).toEqual(crash === '' ? [0, null] : [null, 'SIGKILL']);
    expect((await get(id)).status).toBe(crash === '' ? end : 'running');
  }
  return id;
}
const ALL = Array.from({ length: 12 }, (_, i) => i);

test('after kill -9 three times midway, nothing was done twice and nothing was left out', async () => {
  const id = await killed({ name: 'killed', notes: 12, file: true }, ['in:2', 'after:4', 'in:8']);
  expect(await notesOf(t, 'killed')).toEqual(ALL);
  const job = await get(id);
  expect(job).toMatchObject({ progress: { done: 12, total: 12 }, counts: { written: 12 } });
  expect(await (await fetch(t.url + new URL(job.result_url).pathname)).text()).toBe('12 notes');
});

test('the control: with work and progress in two transactions, what was killed between them is repeated', async () => {
  await killed({ name: 'apart', notes: 12, apart: true }, ['in:4']);
  expect(await notesOf(t, 'apart')).toEqual([...ALL, 4, 5].sort((a, b) => a - b));
});

test('a job that ends its process five times in a row without progress fails', async () => {
  const id = await killed({ name: 'poison', notes: 12 }, Array(5).fill('in:0'), 'failed');
  expect((await get(id)).error).toContain('interrupted 5 times');
  expect(await notesOf(t, 'poison')).toEqual([]);
});
