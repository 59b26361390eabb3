import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest(); // this process starts the jobs, and child processes run them
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const worker = fileURLToPath(new URL('./discount-batch-worker.support.ts', import.meta.url));
const COUNT = 1200; // three transactions of up to five hundred

/** Makes codes in processes of which each but the last is killed (kill -9); answers the lines of the file and how many codes there are. */
async function made(event: string, crashes: readonly string[], env: Record<string, string> = {}) {
  await t.call('POST', '/v1/events', { key, body: { code: event, name: event } });
  const body = { count: COUNT, name: 'Press', kind: 'percent', value: 100 };
  const { id } = (await t.call('POST', `/v1/events/${event}/discounts/batches`, { key, body })).body;
  for (const [i, crash] of [...crashes, ''].entries()) {
    const child = spawn(process.execPath, [worker], {
      env: {
        ...process.env,
        ...env,
        DATABASE_URL: t.database.url,
        FILES: t.database.files,
        AHEAD: String(i * MINUTE),
        CRASH: crash,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual(crash === '' ? [0, null] : [null, 'SIGKILL']);
  }
  const job = (await t.call('GET', `/v1/jobs/${id}`, { key })).body;
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  const { text: file } = await t.call('GET', new URL(job.result_url).pathname);
  const { discounts } = await t.system((tx) =>
    tx.one<{ discounts: number }>(sql`
      select count(*)::int as discounts from discounts d join events e on e.org_id = d.org_id and e.id = d.event_id where e.code = ${event}`),
  );
  return { job, lines: file.trim().split('\r\n').slice(1), discounts };
}

test('after three times kill -9 there are as many codes as were wanted, and the file has each once', async () => {
  const { job, lines, discounts } = await made('killed', ['in:0', 'after:0', 'in:1']);
  expect(discounts).toBe(COUNT);
  expect(job).toMatchObject({ progress: { done: COUNT, total: COUNT }, counts: { created: COUNT } });
  expect(new Set(lines).size).toBe(COUNT);
  expect(lines).toHaveLength(COUNT);
});

test('the control: if codes were committed before the progress, a kill would make more than were wanted', async () => {
  const { discounts } = await made('control', ['in:1'], { APART: '1' });
  expect(discounts).toBeGreaterThan(COUNT);
});
