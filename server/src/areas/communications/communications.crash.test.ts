import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Receiver } from '../../../../test/support/mail-receiver.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { Fair } from './communications.support.ts';

const PEOPLE = 250; // three transactions of at most a hundred

let receiver: Receiver;
let t: TestTurnout;
let fair: Fair;
// Each test has a server of its own: the tests move its clock, and count all its mails.
beforeEach(async () => {
  receiver = await new Receiver().start();
  t = await startTest({ env: { SMTP_URL: receiver.url } }); // only starts the sending; child processes do it
  await t.org('acme');
  fair = await Fair.open(t, (await t.key('acme')).secret, 'fair');
  for (let from = 0; from < PEOPLE; from += 50) {
    const guests = Array.from({ length: 50 }, (_, i) => ({ first_name: 'G', email: `g${from + i}@example.org` }));
    await fair.register(guests);
  }
});
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  t.mail.close();
  await t.stop();
  await receiver.stop();
});

function worker(env: Record<string, string>): ChildProcess {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../../test/support/dying-worker.ts', import.meta.url))],
    {
      env: {
        ...process.env,
        DATA_DIR: t.dataDir,
        DATABASE_URL: t.database.url,
        FILES_URL: t.database.files,
        SANDBOX: 'off',
        ROLES: 'worker',
        SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        SMTP_URL: receiver.url,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  children.push(child);
  return child;
}

const rows = () =>
  t.system((tx) =>
    tx.one<{ people: number; pending: number; mails: number }>(sql`
      select (select count(*)::int from communication_recipients) as people,
        (select count(*)::int from communication_recipients where status = 'pending') as pending,
        (select count(*)::int from mails) as mails`),
  );

test('after kill -9 three times midway everybody gets the message once', async () => {
  const id = await fair.draft({ subject: 'News', text: 'The same for all' });
  expect((await fair.act(id, 'send')).status).toBe(202);
  const deaths = [
    // The recipients are fixed, but not yet committed.
    [
      { words: 'insert into communication_recipients', nth: 1, where: 'in' },
      { people: 0, pending: 0, mails: 0 },
    ],
    // Mails are queued; those of the second transaction are not committed.
    [
      { words: 'insert into mails', nth: 2, where: 'in' },
      { people: PEOPLE, pending: 150, mails: 100 },
    ],
    // A transaction is committed, and its worker dies before the next one.
    [
      { words: 'insert into mails', nth: 1, where: 'after' },
      { people: PEOPLE, pending: 50, mails: 200 },
    ],
  ] as const;
  for (const [i, [crash, stands]] of deaths.entries()) {
    const child = worker({ CRASH: JSON.stringify(crash), AHEAD: String(i * MINUTE) });
    expect((await once(child, 'exit'))[1], JSON.stringify(crash)).toBe('SIGKILL');
    expect(await rows()).toEqual(stands);
    expect((await fair.get(id)).status).toBe('sending');
  }
  const last = worker({ AHEAD: String(deaths.length * MINUTE) });
  const { job_id } = await fair.get(id);
  const job = async () => (await t.call('GET', `/v1/jobs/${job_id}`, { key: fair.key })).body;
  await expect.poll(async () => (await job()).status, { timeout: 120_000 }).toBe('succeeded');
  const gone = once(last, 'exit');
  last.kill('SIGTERM');
  expect((await gone)[0]).toBe(0);

  // Mails that a dead worker had claimed are due again when its lease has ended.
  t.clock.advance(HOUR);
  await fair.background();
  expect(await job()).toMatchObject({
    progress: { done: PEOPLE, total: PEOPLE },
    counts: { queued: PEOPLE, skipped: 0 },
  });
  expect(await fair.get(id)).toMatchObject({ status: 'sent', counts: { recipients: PEOPLE, sent: PEOPLE, queued: 0 } });

  const mails = new Map<string, Set<string>>();
  for (const { to, mail } of receiver.received) {
    const ids = mails.get(to[0]!) ?? new Set();
    mails.set(to[0]!, ids.add(mail.headers.get('message-id')!));
  }
  expect(mails.size).toBe(PEOPLE);
  // A mail that was being sent when its worker died is sent again with the same Message-ID, so nobody counts it twice.
  expect([...mails.values()].filter((ids) => ids.size !== 1)).toEqual([]);
}, 180_000);

test('if it is cancelled while mails are being queued, those who do not have it yet do not get it', async () => {
  const id = await fair.draft({ subject: 'Never mind', text: 'The same for all' });
  await fair.act(id, 'send');
  const queueing = t.step.jobs();
  const cancelled = await fair.act(id, 'cancel');
  expect(cancelled.body.status).toBe('cancelled');
  await queueing;
  await fair.background();
  const { counts } = await fair.get(id);
  expect(counts).toMatchObject({ queued: 0, sent: 0, skipped: counts.recipients });
  expect(receiver.received).toEqual([]);
});

test('the control: without a row per recipient, a restarted job queues mails again', async () => {
  const id = await fair.draft({ subject: 'Again', text: 'The same for all' });
  await fair.act(id, 'send');
  const crash = { words: 'insert into mails', nth: 1, where: 'after' };
  await once(worker({ CRASH: JSON.stringify(crash), AHEAD: '0' }), 'exit');
  expect((await rows()).mails).toBe(100);
  await t.system((tx) => tx.run(sql`update communication_recipients set status = 'pending' where status = 'queued'`));
  t.clock.advance(HOUR);
  await t.step.jobs();
  expect((await rows()).mails).toBe(PEOPLE + 100);
});
