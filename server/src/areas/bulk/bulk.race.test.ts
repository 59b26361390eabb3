import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../store/sql.ts';
import { type Acting, openActing, statuses } from './bulk.support.ts';

let x: Acting;
beforeAll(async () => {
  x = await openActing();
});
afterAll(() => x.t.stop());

const PEOPLE = 40;

test('at the same time as single calls and a second job, every registration is approved once, and the other tries are reported', async () => {
  const event = await x.event({ registration: { approval: true } });
  const made = await x.registered(event, PEOPLE);
  const ids = made.map((one) => one.id);
  const jobs = await Promise.all([
    x.start(event, { action: 'approve', ids }),
    x.start(event, { action: 'approve', filter: { status: 'pending_approval' } }),
  ]);
  const running = x.t.step.jobs();
  const singles = await Promise.all(
    ids.toReversed().map((id) => x.post(`/events/${event}/registrations/${id}/approve`)),
  );
  await running;
  const byHand = singles.filter((reply) => reply.status === 200).length;
  expect(
    singles.filter((reply) => reply.status !== 200).every((reply) => reply.body.error.code === 'invalid_state'),
  ).toBe(true);
  let done = byHand;
  for (const { body } of jobs) {
    const job = await x.job(body.id);
    expect(job).toMatchObject({ status: 'succeeded' });
    expect(job.counts.done + job.counts.failed).toBe(job.progress.total);
    done += job.counts.done;
  }
  expect(done).toBe(PEOPLE);
  expect(statuses(await x.registrations(event))).toEqual({ confirmed: PEOPLE });
  expect(await x.raised(event, 'registration.approved')).toBe(PEOPLE);
  expect(await x.audit(event, 'registration.approved')).toHaveLength(PEOPLE);
});

test('a bulk change and new registrations at once never take more places than there are', async () => {
  const event = await x.event();
  await x.t.call('PATCH', `/v1/events/${event}/days/sat`, { key: x.key, body: { capacity: 15 } });
  await x.registered(event, PEOPLE);
  const { id } = (await x.start(event, { action: 'change', filter: { day: 'fri' }, change: { days: ['sat'] } })).body;
  const running = x.t.step.jobs();
  const attendee = { attendee_type: 'adult', first_name: 'New', last_name: 'Comer', days: ['sat'] };
  const newcomers = await Promise.all(
    Array.from({ length: 20 }, () => x.post(`/events/${event}/registrations`, { attendees: [attendee] })),
  );
  await running;
  const came = newcomers.filter((reply) => reply.status === 201).length;
  const job = await x.job(id);
  expect(came + job.counts.done).toBe(15);
  expect(job.counts.failed).toBe(PEOPLE - job.counts.done);
  const { taken } = await x.t.system((tx) =>
    tx.one<{ taken: number }>(sql`
      select p.taken from places p join days d on d.org_id = p.org_id and d.id = p.scope_id
      join events e on e.org_id = d.org_id and e.id = d.event_id where e.code = ${event} and d.code = 'sat' and not p.test`),
  );
  expect(taken).toBe(15);
});

test('cancelling the job stops it between two steps: what was done is kept and counted, the rest is untouched', async () => {
  const event = await x.event();
  const made = await x.registered(event, 60);
  const { id } = (await x.start(event, { action: 'cancel', ids: made.map((one) => one.id) })).body;
  const running = x.t.step.jobs();
  while ((await x.job(id)).progress.done === 0);
  const reply = await x.post(`/jobs/${id}/cancel`);
  await running;
  expect(reply.status, reply.text).toBe(200);
  const { status, progress, counts } = await x.job(id);
  expect(status).toBe('cancelled');
  expect(progress.done).toBeLessThan(60);
  expect(counts.done).toBe(progress.done);
  expect(statuses(await x.registrations(event))).toEqual({ cancelled: counts.done, confirmed: 60 - counts.done });
});
