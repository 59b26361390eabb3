import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../clock.ts';
import { type Acting, openActing, statuses } from './bulk.support.ts';

let x: Acting;
beforeAll(async () => {
  x = await openActing(); // this process starts the jobs, and child processes run them
});
afterAll(() => x.t.stop());

const worker = fileURLToPath(new URL('./bulk-worker.support.ts', import.meta.url));
const PEOPLE = 24;

/** Runs a job in child processes. Each but the last is killed (kill -9), and the next one takes over when its lease has expired. */
async function run(id: string, crashes: readonly string[], env: Record<string, string> = {}) {
  for (const [i, crash] of [...crashes, ''].entries()) {
    const child = spawn(process.execPath, [worker], {
      env: {
        ...process.env,
        ...env,
        DATABASE_URL: x.t.database.url,
        FILES: x.t.database.files,
        AHEAD: String(i * MINUTE),
        CRASH: crash,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual(crash === '' ? [0, null] : [null, 'SIGKILL']);
    if (crash !== '') expect((await x.job(id)).progress.done).toBeLessThan(PEOPLE);
  }
  const job = await x.job(id);
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  return job;
}

test('after three times kill -9 nothing is done twice, nothing is left out, and the report is complete', async () => {
  const event = await x.event({ registration: { approval: true } });
  const made = await x.registered(event, PEOPLE);
  for (const n of [2, 9, 20]) await x.post(`/events/${event}/registrations/${made[n].id}/cancel`);
  const before = (await x.mails(event)).length;
  const { id } = (await x.start(event, { action: 'approve', ids: made.map((one) => one.id) })).body;
  const job = await run(id, ['in:1', 'after:1', 'in:1']);
  expect(job).toMatchObject({
    progress: { done: PEOPLE, total: PEOPLE },
    counts: { done: PEOPLE - 3, unchanged: 0, failed: 3 },
  });
  expect(statuses(await x.registrations(event))).toEqual({ confirmed: PEOPLE - 3, cancelled: 3 });
  expect(await x.raised(event, 'registration.approved')).toBe(PEOPLE - 3);
  expect(await x.audit(event, 'registration.approved')).toHaveLength(PEOPLE - 3);
  expect(await x.mails(event)).toHaveLength(before + PEOPLE - 3);
  expect((await x.rejects(job)).map((row) => row.ID)).toEqual([2, 9, 20].map((n) => made[n].id));
});

test('a filter whose search was killed is searched again, and every ticket is sent once', async () => {
  const event = await x.event();
  await x.registered(event, PEOPLE);
  const before = (await x.mails(event)).length;
  const { id } = (await x.start(event, { action: 'send_tickets', filter: {} })).body;
  const job = await run(id, ['in:0', 'after:0', 'after:1']);
  expect(job.counts).toEqual({ done: PEOPLE, unchanged: 0, failed: 0 });
  expect(await x.mails(event)).toHaveLength(before + PEOPLE);
});

test('people of one registration are done together, and a kill leaves each registration as it was or done as a whole', async () => {
  const event = await x.event();
  const attendee = { attendee_type: 'adult', first_name: 'First', last_name: 'Last', days: ['fri'] };
  const attendees = Array.from({ length: PEOPLE / 3 }, () => attendee);
  for (let i = 0; i < 3; i += 1) {
    const contact = { first_name: 'Re', last_name: 'Gistrant', email: `r${i}@example.org` };
    await x.post(`/events/${event}/registrations`, { attendees, contact, send_emails: false });
  }
  const { id } = (await x.start(event, { action: 'reissue', filter: {}, send: true })).body;
  const job = await run(id, ['in:1', 'after:0', 'in:0']);
  expect(job.counts).toEqual({ done: PEOPLE, unchanged: 0, failed: 0 });
  for (const person of await x.people(event)) expect(statuses(person.tickets)).toEqual({ valid: 1, voided: 1 });
  expect(await x.raised(event, 'ticket.reissued')).toBe(PEOPLE);
  expect(await x.raised(event, 'registration.updated')).toBe(3);
  expect(await x.audit(event, 'ticket.reissued')).toHaveLength(PEOPLE);
  expect(await x.mails(event)).toHaveLength(3);
});

test('the control: with work and progress in two transactions, a kill between them sends tickets twice', async () => {
  const event = await x.event();
  const made = await x.registered(event, PEOPLE);
  const before = (await x.mails(event)).length;
  const ids = made.map((one) => one.attendees[0].id);
  const { id } = (await x.start(event, { action: 'send_tickets', ids })).body;
  await run(id, ['in:1'], { APART: '1' });
  expect((await x.mails(event)).length).toBeGreaterThan(before + PEOPLE);
});
