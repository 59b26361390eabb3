import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { writeOutbox } from '../../road/write/record.ts';
import { sql } from '../../store/sql.ts';

const MISSED = 1200; // three transactions of up to five hundred

let t: TestTurnout;
let org: Id;
let key: string;
beforeAll(async () => {
  t = await startTest(); // this process starts the jobs and watches; its children run them
  org = await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

/** An endpoint that has missed `MISSED` occurrences. It is paused, so what is replayed stays in the queue and can be counted. */
async function endpoint(): Promise<Id> {
  const { body } = await t.call('POST', '/v1/webhooks', { key, body: { url: 'https://x.example.org', events: ['*'] } });
  await t.call('POST', `/v1/webhooks/${body.id}/pause`, { key });
  await t.system(async (tx) =>
    writeOutbox(
      tx,
      org,
      Array.from({ length: MISSED }, (_, n) => ({
        ...{ type: 'ticket.issued' as const, event: null, group: null, livemode: true, data: { n } },
      })),
    ),
  );
  while ((await t.step.relay()) > 0);
  await t.system(async (tx) => {
    await tx.run(sql`update webhook_deliveries set dead = true where endpoint_id = ${toUuid(body.id)}`);
    await tx.run(sql`delete from webhook_queue where endpoint_id = ${toUuid(body.id)}`);
  });
  return body.id;
}

/** How many deliveries wait, and of how many occurrences. */
const queued = (id: string) =>
  t.system((tx) =>
    tx.one<{ copies: number; occurrences: number }>(sql`
      select count(*)::int as copies, count(distinct envelope_id)::int as occurrences from webhook_queue
      where endpoint_id = ${toUuid(id)}`),
  );
const job = async (id: string) => (await t.call('GET', `/v1/jobs/${id}`, { key })).body;
const start = async (id: string): Promise<string> =>
  (await t.call('POST', `/v1/webhooks/${id}/replay`, { key, body: {} })).body.id;

let ahead = 0;
/** A worker that dies by kill -9 at the n-th batch. The next worker takes over when the lease is over. */
async function killed(nth: number, where: 'in' | 'after'): Promise<void> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./replay-worker.support.ts', import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: t.database.url,
      FILES_URL: t.database.files,
      CRASH: JSON.stringify({ words: 'copied as materialized', nth, where }),
      AHEAD: String(ahead),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
  ahead += MINUTE;
  t.clock.advance(MINUTE);
}

test('after kill -9 three times midway, each occurrence has been replayed once and none was left out', async () => {
  const id = await endpoint();
  const running = await start(id);
  for (const [nth, where, stands] of [
    [1, 'in', 0], // replayed, but not committed
    [2, 'in', 500],
    [1, 'after', 1000], // committed, and the worker dies before the next batch
  ] as const) {
    await killed(nth, where);
    expect(await queued(id)).toEqual({ copies: stands, occurrences: stands });
    expect(await job(running)).toMatchObject({ status: 'running', counts: { replayed: stands } });
  }
  await t.step.jobs();
  expect(await queued(id)).toEqual({ copies: MISSED, occurrences: MISSED });
  expect(await job(running)).toMatchObject({
    status: 'succeeded',
    progress: { done: MISSED, total: MISSED },
    counts: { replayed: MISSED, skipped: 0 },
  });
}, 120_000);

/** Simulates a job whose position was stored apart from its work and got lost. */
const forget = (running: string) =>
  t.system((tx) => tx.run(sql`update jobs set state = null, done = 0 where id = ${toUuid(running)}`));

test('a job that has lost its position finds its own copies and replays nothing twice', async () => {
  const id = await endpoint();
  const running = await start(id);
  await killed(1, 'after');
  await forget(running);
  await t.step.jobs();
  expect(await queued(id)).toEqual({ copies: MISSED, occurrences: MISSED });
});

test('the control: a job that has lost its position and does not look for its copies replays them again', async () => {
  const id = await endpoint();
  const running = await start(id);
  await killed(1, 'after');
  await forget(running);
  await t.system((tx) => tx.run(sql`update webhook_deliveries set replay_of = null where endpoint_id = ${toUuid(id)}`));
  await t.step.jobs();
  expect(await queued(id)).toEqual({ copies: MISSED + 500, occurrences: MISSED });
});
