import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../store/sql.ts';
import { type Acting, openActing, statuses } from './bulk.support.ts';
import { crons } from './job.ts';

let x: Acting;
beforeAll(async () => {
  x = await openActing();
});
afterAll(() => x.t.stop());

const APPROVAL = { registration: { approval: true } };
const ids = (objects: { id: string }[]) => objects.map((one) => one.id);

describe('registrations', () => {
  test('approve by ids: each gets the audit row, occurrences and mail of a single call', async () => {
    const [bulk, single] = [await x.event(APPROVAL), await x.event(APPROVAL)];
    const reply = await x.start(bulk, { action: 'approve', ids: ids(await x.registered(bulk, 12)) });
    await x.t.step.jobs();
    for (const { id } of await x.registered(single, 12)) {
      expect((await x.post(`/events/${single}/registrations/${id}/approve`)).status).toBe(200);
    }
    expect(await x.job(reply.body.id)).toMatchObject({
      status: 'succeeded',
      progress: { done: 12, total: 12 },
      counts: { done: 12, unchanged: 0, failed: 0 },
      rejects_url: null,
      result_url: null,
    });
    expect(statuses(await x.registrations(bulk))).toEqual({ confirmed: 12 });
    for (const type of ['registration.approved', 'registration.confirmed', 'registration.updated', 'ticket.issued']) {
      expect([type, await x.raised(bulk, type)]).toEqual([type, 12]);
      expect(await x.raised(single, type)).toBe(12);
    }
    const audit = await x.audit(bulk, 'registration.approved');
    expect(audit).toHaveLength(12);
    expect(new Set(audit.map((row) => row.object_id)).size).toBe(12);
    expect(audit[0]).toMatchObject({
      object_kind: 'registration',
      actor_kind: 'key',
      source: 'api',
      request_id: reply.headers.get('x-request-id'),
    });
    expect(await x.audit(bulk, 'bulk.started')).toHaveLength(1);
    const kinds = (mails: { kind: string; recipient: string }[]) => mails.map((mail) => [mail.kind, mail.recipient]);
    const mails = await x.mails(bulk);
    expect(kinds(mails)).toEqual(kinds(await x.mails(single)));
    expect(mails.filter((mail) => mail.bulk).length, 'behind those that somebody waits for').toBe(12);
  });

  test('named by code, or by id and code, are done once', async () => {
    const event = await x.event(APPROVAL);
    const [one, two] = await x.registered(event, 2);
    const job = await x.act(event, {
      action: 'approve',
      ids: [one.code.toLowerCase(), two.id, `${two.code.slice(0, 5)} – ${two.code.slice(5)}`],
    });
    expect(job.counts).toEqual({ done: 2, unchanged: 0, failed: 0 });
  });

  test('decline by filter, with a reason for the mail: what does not match is left alone', async () => {
    const event = await x.event(APPROVAL);
    const made = await x.registered(event, 5);
    await x.post(`/events/${event}/registrations/${made[0].id}/approve`);
    const job = await x.act(event, { action: 'decline', filter: { status: 'pending_approval' }, reason: 'No room.' });
    expect(job.counts).toEqual({ done: 4, unchanged: 0, failed: 0 });
    expect(statuses(await x.registrations(event))).toEqual({ confirmed: 1, declined: 4 });
    const byMail = await x.act(event, { action: 'cancel', filter: { email: 'p0@example.org' } });
    expect(byMail.counts.done).toBe(1);
  });

  test('a filter that matches nothing is a job without items', async () => {
    const event = await x.event();
    const job = await x.act(event, { action: 'cancel', filter: {} });
    expect(job).toMatchObject({ progress: { done: 0, total: 0 }, counts: { done: 0, unchanged: 0, failed: 0 } });
  });

  test('cancel all: waitlisted registrations are not promoted for a moment', async () => {
    const event = await x.event({ capacity: 3, registration: { waitlist: true } });
    await x.registered(event, 6);
    expect(statuses(await x.registrations(event))).toEqual({ confirmed: 3, waitlisted: 3 });
    await x.act(event, { action: 'cancel', filter: {} });
    expect(statuses(await x.registrations(event))).toEqual({ cancelled: 6 });
    expect(await x.raised(event, 'registration.promoted')).toBe(0);
  });

  test('promote: the oldest get the places, the others are reported and keep waiting', async () => {
    const event = await x.event({ capacity: 1, registration: { waitlist: true } });
    await x.registered(event, 1);
    const waiting = [];
    for (let n = 1; n < 5; n += 1)
      waiting.push(...(await x.registered(event, 1, () => ({ email: `w${n}@example.org` }))));
    await x.t.call('PATCH', `/v1/events/${event}`, { key: x.key, body: { capacity: 3 } });
    const job = await x.act(event, { action: 'promote', filter: { status: 'waitlisted' } });
    expect(job.counts).toEqual({ done: 2, unchanged: 0, failed: 2 });
    const report = await x.rejects(job);
    expect(report.map((row) => [row.ID, row.Code])).toEqual(waiting.slice(2).map(({ id }) => [id, 'invalid_state']));
    expect(report[0]!.Message).toContain("There aren't enough places for this registration.");
    expect(statuses(await x.registrations(event))).toEqual({ confirmed: 3, waitlisted: 2 });
  });

  test('the report names the refused items with the messages of the single operations, and the others are done', async () => {
    const event = await x.event(APPROVAL);
    const made = await x.registered(event, 3, (n) => ({ first_name: n === 1 ? '=cmd|calc' : 'Ada' }));
    const single = await x.post(`/events/${event}/registrations/${made[1].id}/approve`);
    expect(single.status).toBe(200);
    const again = await x.post(`/events/${event}/registrations/${made[1].id}/approve`);
    const job = await x.act(event, { action: 'approve', ids: ids(made) });
    expect(job.counts).toEqual({ done: 2, unchanged: 0, failed: 1 });
    expect(job.rejects_url).toMatch(/\/links\/jobs\//);
    expect(await x.rejects(job)).toEqual([
      {
        ID: made[1].id,
        Registration: made[1].code,
        Name: "'=cmd|calc Last",
        Code: 'invalid_state',
        Message: again.body.error.message,
      },
    ]);
  });
});

describe('attendees and tickets', () => {
  test('change moves places and adjusts tickets; of those who want a nearly full day, as many get it as there are places', async () => {
    const event = await x.event();
    await x.t.call('PATCH', `/v1/events/${event}/days/sat`, { key: x.key, body: { capacity: 2 } });
    await x.registered(event, 4);
    const job = await x.act(event, { action: 'change', filter: { day: 'fri' }, change: { days: ['sat'] } });
    expect(job.counts).toEqual({ done: 2, unchanged: 0, failed: 2 });
    const report = await x.rejects(job);
    expect(report.map((row) => row.Code)).toEqual(['day_full', 'day_full']);
    expect(report[0]!.Name).toMatch(/^First \d Last$/);
    const days = (await x.people(event)).map((person) => person.days.join()).sort();
    expect(days).toEqual(['fri', 'fri', 'sat', 'sat']);
    expect(await x.audit(event, 'attendee.changed')).toHaveLength(2);
  });

  test('change of answers and group applies to each attendee', async () => {
    const event = await x.event();
    await x.post(`/events/${event}/questions`, { code: 'shirt', label: 'Shirt', kind: 'text' });
    const made = await x.registered(event, 3);
    const people = made.map((one) => one.attendees[0]);
    const change = { group: 'north', answers: { shirt: 'M' } };
    expect((await x.act(event, { action: 'change', ids: ids(people), change })).counts.done).toBe(3);
    for (const person of await x.people(event))
      expect(person).toMatchObject({ group: 'north', answers: { shirt: 'M' } });
  });

  test('a shared ticket is sent once, and an attendee without a ticket is reported', async () => {
    const event = await x.event({ ticketing: 'shared' });
    const attendee = (first_name: string) => ({ attendee_type: 'adult', first_name, last_name: 'L', days: ['fri'] });
    const together = await x.post(`/events/${event}/registrations`, {
      attendees: [attendee('Ada'), attendee('Bob'), attendee('Cleo')],
      contact: { first_name: 'Ada', last_name: 'L', email: 'ada@example.org' },
      send_emails: false,
    });
    expect(together.status).toBe(201);
    const gone = (await x.registered(event, 1))[0].attendees[0];
    await x.post(`/events/${event}/attendees/${gone.id}/cancel`);
    const before = (await x.mails(event)).length;
    const job = await x.act(event, { action: 'send_tickets', filter: {} });
    expect(job).toMatchObject({ progress: { total: 2 }, counts: { done: 1, unchanged: 0, failed: 1 } });
    expect(await x.rejects(job)).toMatchObject(
      [{ ID: gone.id, Code: 'invalid_state', Message: /no valid ticket/ }].map((row) => ({
        ...row,
        Message: expect.stringMatching(row.Message),
      })),
    );
    const mails = await x.mails(event);
    expect(mails).toHaveLength(before + 1);
    expect(mails).toContainEqual({ kind: 'confirmation', recipient: 'ada@example.org', bulk: true });
    expect(await x.audit(event, 'ticket.sent')).toHaveLength(1);
  });

  test('reissue: every valid ticket once, and one mail to each person about all of theirs', async () => {
    const event = await x.event({ ticketing: 'per_day' });
    const made = await x.registered(event, 2, () => ({ days: ['fri', 'sat'] }));
    const people = made.map((one) => one.attendees[0]);
    const before = (await x.mails(event)).length;
    const byId = await x.act(event, { action: 'reissue', ids: [people[0].id] });
    expect(byId.counts).toEqual({ done: 2, unchanged: 0, failed: 0 });
    expect((await x.act(event, { action: 'reissue', filter: { search: 'First 1' } })).counts.done).toBe(2);
    const mails = await x.mails(event);
    expect(mails.length).toBe(before + 2);
    expect(mails.filter((mail) => mail.kind === 'ticket_reissued' && mail.bulk)).toHaveLength(2);
    expect(await x.raised(event, 'ticket.reissued')).toBe(4);
    for (const person of await x.people(event)) {
      const tickets: { status: string }[] = person.tickets;
      expect(statuses(tickets)).toEqual({ valid: 2, voided: 2 });
    }
    // With `send: false` nobody gets a mail.
    const quiet = await x.act(event, { action: 'reissue', ids: [people[0].id], send: false });
    expect(quiet).toMatchObject({ what: 'reissue', counts: { done: 2, unchanged: 0, failed: 0 } });
    expect(await x.mails(event)).toHaveLength(before + 2);
  });

  test('a change that makes no difference is counted as unchanged, and leaves no trace', async () => {
    const event = await x.event();
    const people = (await x.registered(event, 3)).map((one) => one.attendees[0]);
    await x.post(`/events/${event}/attendees/${people[2].id}/cancel`);
    const seen = async () => (await x.people(event)).map((one) => one.updated_at);
    const before = await seen();
    const job = await x.act(event, { action: 'change', ids: ids(people.slice(0, 2)), change: { days: ['fri'] } });
    expect(job.counts).toEqual({ done: 0, unchanged: 2, failed: 0 });
    expect(await seen()).toEqual(before);
    expect(await x.audit(event, 'attendee.changed')).toEqual([]);
  });
});

describe('400 validation_failed', () => {
  let event: string;
  beforeAll(async () => {
    event = await x.event();
  });
  const paths = async (body: object, as?: string) => {
    const { status, body: answer, text } = await x.start(event, body, as);
    expect(status, text).toBe(400);
    return answer.error.details.map((fault: { path: string }) => fault.path).sort();
  };
  test('for both ids and a filter, or neither', async () => {
    expect(await paths({ action: 'approve' })).toEqual(['']);
    const [one] = await x.registered(event, 1);
    expect(await paths({ action: 'approve', ids: [one.id], filter: {} })).toEqual(['filter']);
    expect(await paths({ action: 'approve', ids: [] })).toEqual(['ids']);
    const many = Array.from({ length: 10_001 }, (_, n) => `R${n}`);
    expect(await paths({ action: 'approve', ids: many })).toEqual(['ids']);
  });
  test('for fields of another action, together with all other faults', async () => {
    const body = { action: 'change', reason: 'x', send: true, filter: { email: 'a@example.org', day: 'never' } };
    expect(await paths(body)).toEqual(['change', 'filter/day', 'filter/email', 'reason', 'send']);
    const unknown = { attendee_type: 'none', days: ['fri', 'none'], group: 'none' };
    expect(await paths({ action: 'change', filter: { day: 'none' }, change: unknown, ids: ['nobody'] })).toEqual([
      'change/attendee_type',
      'change/days/1',
      'change/group',
      'filter',
      'filter/day',
      'ids/0',
    ]);
    const odd = { reason: 5, send: true, filter: { day: 'none', checked_in: true } };
    expect(await paths({ ...odd, action: 'approve' })).toEqual(['filter/checked_in', 'filter/day', 'reason', 'send']);
    expect(await paths({ action: 'approve', filter: { checked_in: true, limit: 5 } })).toEqual(['filter/limit']);
    expect(await paths({ action: 'approve', filter: { checked_in: true } })).toEqual(['filter/checked_in']);
  });
  test('for ids of the other kind, of another event or of another organization', async () => {
    const [mine] = await x.registered(event, 1);
    const [other] = await x.registered(await x.event(), 1);
    await x.t.org('others');
    const foreign = { key: (await x.t.key('others')).secret };
    expect(
      (await x.t.call('POST', `/v1/events/${event}/bulk`, { ...foreign, body: { action: 'cancel', filter: {} } }))
        .status,
    ).toBe(404);
    expect(await paths({ action: 'cancel', ids: [mine.id, other.id, other.code, mine.attendees[0].id] })).toEqual([
      'ids/1',
      'ids/2',
      'ids/3',
    ]);
    expect(await paths({ action: 'reissue', ids: [mine.id, mine.code] })).toEqual(['ids/0', 'ids/1']);
  });
  test('and no job was started', async () => {
    const jobs = await x.t.call('GET', `/v1/jobs?event=${event}`, { key: x.key });
    expect(jobs.body.data).toEqual([]);
  });
});

describe('reach', () => {
  test('a key limited to a group acts on its own attendees; what it reaches in part is reported, and nobody else is named', async () => {
    const event = await x.event();
    const person = (group: string, last_name: string) => ({
      attendee_type: 'adult',
      first_name: 'A',
      last_name,
      days: ['fri'],
      group,
      email: `${last_name}@example.org`,
    });
    const register = async (...attendees: object[]) =>
      (await x.post(`/events/${event}/registrations`, { attendees })).body;
    const own = await register(person('hill', 'Own'));
    const mixed = await register(person('south', 'Secret'), person('north', 'Mixed'));
    const theirs = await register(person('south', 'Theirs'));
    const refused = await x.start(event, { action: 'cancel', ids: [own.id, theirs.id] }, x.northKey);
    expect([refused.status, refused.body.error.details]).toEqual([
      400,
      [{ path: 'ids/1', message: `no such registration: ${theirs.id}` }],
    ]);
    const job = await x.act(event, { action: 'cancel', filter: {} }, x.northKey);
    expect(job.counts).toEqual({ done: 1, unchanged: 0, failed: 1 });
    expect(job.group).toBe('north');
    const report = await x.rejectsText(job);
    expect(report).not.toContain('Secret');
    expect(await x.rejects(job)).toMatchObject([
      { ID: mixed.id, Registration: mixed.code, Name: '', Code: 'mixed_groups' },
    ]);
    const states = (await x.registrations(event)).map((one) => [one.id, one.status]);
    expect(Object.fromEntries(states)).toEqual({
      [own.id]: 'cancelled',
      [mixed.id]: 'confirmed',
      [theirs.id]: 'confirmed',
    });
    const people = await x.act(event, { action: 'change', filter: {}, change: { days: ['sat'] } }, x.northKey);
    expect(people.counts, 'its one person that is left; the other is cancelled').toEqual({
      done: 1,
      unchanged: 0,
      failed: 1,
    });
  });

  test('a test key acts on test registrations only', async () => {
    const event = await x.event();
    const [live] = await x.registered(event, 1);
    const [test] = await x.registered(event, 1, () => ({}), x.testKey);
    const job = await x.act(event, { action: 'cancel', ids: [live.id, test.id] }, x.testKey);
    expect(job).toMatchObject({ test: true, counts: { done: 1, failed: 1 } });
    expect(await x.rejects(job)).toMatchObject([{ ID: live.id, Code: 'test_key_live_object' }]);
    expect((await x.act(event, { action: 'cancel', filter: {} })).progress.total, 'a live key sees no test').toBe(1);
  });
});

describe('the items', () => {
  test('are fixed when the job starts, and each is judged by its state at its turn', async () => {
    const event = await x.event(APPROVAL);
    const made = await x.registered(event, 3);
    const { id } = (await x.start(event, { action: 'approve', ids: ids(made) })).body;
    await x.post(`/events/${event}/registrations/${made[1].id}/cancel`);
    await x.registered(event, 1, () => ({ email: 'late@example.org' }));
    await x.t.step.jobs();
    const job = await x.job(id);
    expect(job.counts).toEqual({ done: 2, unchanged: 0, failed: 1 });
    expect(await x.rejects(job)).toMatchObject([{ ID: made[1].id, Code: 'invalid_state' }]);
    expect(statuses(await x.registrations(event))).toEqual({ confirmed: 2, cancelled: 1, pending_approval: 1 });
  });

  test('are deleted once the job has ended', async () => {
    const count = () =>
      x.t.system(async (tx) => (await tx.one<{ n: number }>(sql`select count(*)::int as n from bulk_items`)).n);
    const event = await x.event();
    const { id } = (await x.start(event, { action: 'cancel', ids: ids(await x.registered(event, 2)) })).body;
    const sweep = () => crons[0]!.run({ pool: x.t.pool, clock: x.t.clock, log: null as never, outside: x.t.outside });
    await sweep();
    expect(await count(), 'not those of a job that waits').toBe(2);
    await x.post(`/jobs/${id}/cancel`);
    await sweep();
    expect(await count()).toBe(0);
    expect(statuses(await x.registrations(event))).toEqual({ confirmed: 2 });
  });
});
