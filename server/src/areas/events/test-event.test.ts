import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { runSql } from '../../../../test/support/database.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { doctor } from '../../cli/doctor/data.ts';
import { toUuid } from '../../common/ids.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { migrate } from '../../store/migrate.ts';
import { sql } from '../../store/sql.ts';

/** In a test event everything is a test, also what a live key makes. */
let t: TestTurnout;
let key: string;
let testKey: string;
let session: string;
const sent: unknown[] = [];
beforeAll(async () => {
  t = await startTest({
    clock: noonClock(),
    mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) },
  });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  session = await t.session('acme', 'admin');
});
afterAll(() => t.stop());

let trial = '';
let serial = 0;
beforeEach(async () => {
  serial += 1;
  trial = `trial-${serial}`;
  const today = t.clock.now().toISOString().slice(0, 10);
  await made('/events', { code: trial, name: 'Trial', test: true, timezone: 'UTC' });
  await made(`/events/${trial}/days`, { code: 'd1', date: today });
  await made(`/events/${trial}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 0 });
  await made(`/events/${trial}/attendee-types`, { code: 'payer', name: 'Payer', price_minor: 1000 });
  await made(`/events/${trial}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await made(`/events/${trial}/publish`);
});

const post = (path: string, body?: unknown, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const get = async (path: string, as = key) => (await t.call('GET', `/v1${path}`, { key: as })).body;
const made = async (path: string, body?: unknown, as = key) => {
  const reply = await post(path, body, as);
  expect([path, reply.status < 300, reply.text]).toEqual([path, true, reply.text]);
  return reply.body;
};
const member = (method: string, path: string, body?: unknown): Promise<Reply> =>
  t.call(method, `/app/api${path}`, { headers: { cookie: `${SESSION_COOKIE}=${session}` }, body });
const ada = (attendee_type = 'adult') => ({
  attendees: [{ attendee_type, first_name: 'Ada', last_name: `No${randomUUID()}`, email: 'ada@example.org' }],
});
const scan = (code: string, as = key, host = '/api/v1') =>
  t.call('POST', `${host}/events/${trial}/scan`, {
    key: as,
    body: { code, check_in_point: 'gate', client_uuid: randomUUID() },
  });
const ids = (list: { data: { id: string }[] }) => list.data.map((one) => one.id);

test('a live key does not see a test key’s job about a live event', async () => {
  await made('/events', { code: 'office', name: 'Office' });
  const job = await made('/exports', { what: 'people', format: 'csv', event: 'office' }, testKey);
  expect(job.test).toBe(true);
  expect((await get(`/jobs/${job.id}`)).error.code).toBe('not_found');
  expect(ids(await get('/jobs'))).not.toContain(job.id);
  expect(ids(await get('/jobs', testKey))).toContain(job.id);
});

test('a live key can do everything in it: register, pay, scan, write, import, export, get webhooks', async () => {
  const registration = await made(`/events/${trial}/registrations`, ada('payer'));
  expect(registration.test).toBe(true);
  const path = `/events/${trial}/registrations/${registration.id}`;
  const payment = await made(`${path}/payments`, { amount_minor: 1000, method: 'cash' });
  expect(payment.test).toBe(true);

  // The key that made it sees it, in lists and alone, and can change it.
  const paid = await get(path);
  expect([paid.status, paid.test, paid.attendees[0].test]).toEqual(['confirmed', true, true]);
  expect(ids(await get(`/events/${trial}/registrations`))).toContain(registration.id);
  expect(ids(await get(`/events/${trial}/attendees`))).toContain(paid.attendees[0].id);
  const [ticket] = (await get(`/events/${trial}/tickets`)).data;
  expect((await get(`/tickets/${ticket.id}`)).test).toBe(true);
  const another = await made(`/tickets/${ticket.id}/reissue`);
  expect(another.test).toBe(true);
  expect((await post(`/tickets/${another.id}/send`)).body.error.message).toBe('No e-mail is sent about test tickets.');

  // A scan by a live key is a test scan here, so a test ticket is admitted and counts.
  const admitted = await scan(another.code);
  expect(admitted.body).toMatchObject({ result: 'accepted', test: true, checkins: [{ test: true }] });
  expect((await get(`/events/${trial}/attendees/${paid.attendees[0].id}`)).checked_in).toBe(true);
  expect((await scan(another.code, testKey)).body.result).toBe('duplicate');
  // A live key lists live check-ins only, so it has to ask for these.
  for (const [as, query] of [
    [key, '?test=true'],
    [testKey, ''],
  ] as const) {
    const { body } = await t.call('GET', `/api/v1/events/${trial}/checkins${query}`, { key: as });
    expect(body.data.map((one: { result: string }) => one.result)).toEqual(['duplicate', 'accepted']);
  }
  const batch = await t.call('POST', `/api/v1/events/${trial}/scan/batch`, {
    key,
    body: { scans: [{ code: another.code, check_in_point: 'gate', client_uuid: randomUUID() }] },
  });
  expect(batch.body.results[0]).toMatchObject({ result: 'duplicate', test: true });
  const manifest = await t.call('GET', `/api/v1/events/${trial}/scan/manifest`, { key });
  expect(manifest.body.roster.count).toBeGreaterThan(0);

  const message = await made(`/events/${trial}/communications`, { subject: 'Hello', text: 'Hello' });
  expect(message.test).toBe(true);
  expect((await post(`/events/${trial}/communications/${message.id}/send`, {})).status).toBe(202);

  const csv = 'First name,Last name,Email,Type\nGrace,Hopper,grace@example.org,adult\n';
  const imported = await made(`/events/${trial}/imports`, { csv, send_ticket_emails: true });
  expect(imported).toMatchObject({ status: 'succeeded', counts: { created: 1 } });
  expect((await get(`/jobs/${imported.id}`)).id).toBe(imported.id);
  expect(ids(await get('/jobs'))).toContain(imported.id);
  const exported = await made('/exports', { what: 'people', format: 'csv', event: trial });
  expect(exported.counts.rows).toBe(2);
  expect((await get(`/jobs/${exported.id}`)).result_url).toBeTruthy();

  await t.step.jobs();
  await t.step.mails();
  expect(sent).toEqual([]);
  const event = toUuid((await get(`/events/${trial}`)).id);
  const live = await t.system((tx) =>
    tx.all(sql`
      select 'registration' as what from registrations where event_id = ${event} and not test
      union all select 'attendee' from attendees where event_id = ${event} and not test
      union all select 'ticket' from tickets where event_id = ${event} and not test
      union all select 'payment' from payments where event_id = ${event} and not test
      union all select 'check-in' from checkins where event_id = ${event} and not test
      union all select 'scan' from scans where event_id = ${event} and not test
      union all select 'communication' from communications where event_id = ${event} and not test
      union all select 'job' from jobs where event_id = ${event} and not test
      union all select 'places' from places where event_id = ${event} and not test
      union all select 'occurrence' from outbox where event_id = ${event} and livemode
      union all select 'contact' from contacts where not test`),
  );
  expect(live).toEqual([]);
  const raised = await t.system((tx) =>
    tx.all<{ type: string }>(sql`select distinct type from outbox where event_id = ${event} order by 1`),
  );
  expect(raised.map((one) => one.type)).toEqual(
    expect.arrayContaining(['checkin.recorded', 'payment.received', 'registration.created', 'ticket.reissued']),
  );
});

test('so can a member and a paired device; a member overrides and undoes there', async () => {
  const registered = await member('POST', `/events/${trial}/registrations`, ada());
  expect(registered.body.test).toBe(true);
  const [{ code }] = registered.body.attendees[0].tickets;
  const person = registered.body.attendees[0].id;
  const pairing = await member('POST', `/events/${trial}/devices/pairing-codes`, {});
  const device = await t.call('POST', '/api/v1/devices/pair', { body: { code: pairing.body.code, name: 'Phone' } });
  expect((await scan(code, device.body.token)).body).toMatchObject({ result: 'accepted', test: true });
  const again = await scan(code);
  expect(again.body).toMatchObject({ result: 'duplicate', test: true });
  const [refused] = again.body.checkins;
  const overridden = await member('POST', `/checkins/${refused.id}/override`, { reason: 'Known to us' });
  expect(overridden.body).toMatchObject({ admitted: true, test: true });
  const [{ id }] = (
    await t.call('GET', `/api/v1/events/${trial}/checkins?attendee=${person}&result=accepted&test=true`, { key })
  ).body.data;
  expect((await member('POST', `/checkins/${id}/undo`)).status).toBe(200);
});

test('of two scans of one ticket at once, by a live and a test key, exactly one is accepted', async () => {
  for (let i = 0; i < 5; i += 1) {
    const { attendees } = await made(`/events/${trial}/registrations`, ada());
    const { code } = attendees[0].tickets[0];
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => scan(code, n % 2 === 0 ? key : testKey)));
    expect(results.filter((one) => one.body.result === 'accepted')).toHaveLength(1);
  }
});

test('clearing tests removes all check-ins, also those by live keys', async () => {
  const { attendees } = await made(`/events/${trial}/registrations`, ada());
  await scan(attendees[0].tickets[0].code);
  const person = () => get(`/events/${trial}/attendees/${attendees[0].id}`);
  const before = await person();
  expect(before.checked_in).toBe(true);
  expect((await t.call('DELETE', `/v1/events/${trial}/checkins/test`, { key })).status).toBe(204);
  const after = await person();
  expect(after.checked_in).toBe(false);
  expect(after.updated_at > before.updated_at).toBe(true);
  expect((await scan(attendees[0].tickets[0].code)).body.result).toBe('accepted');
});

test('in a live event a live key neither sees nor admits what a test key made there', async () => {
  const today = t.clock.now().toISOString().slice(0, 10);
  await made('/events', { code: 'real', name: 'Real', timezone: 'UTC' });
  await made('/events/real/days', { code: 'd1', date: today });
  await made('/events/real/attendee-types', { code: 'adult', name: 'Adult' });
  await made('/events/real/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await made('/events/real/publish');
  const { id, attendees } = await made('/events/real/registrations', ada(), testKey);
  const { id: ticket, code } = attendees[0].tickets[0];
  for (const path of [`/events/real/registrations/${id}`, `/tickets/${ticket}`]) {
    expect((await t.call('GET', `/v1${path}`, { key })).status).toBe(404);
  }
  const body = { code, check_in_point: 'gate', client_uuid: randomUUID() };
  const reply = await t.call('POST', '/api/v1/events/real/scan', { key, body });
  expect(reply.body).toMatchObject({ result: 'rejected', reason: 'test_ticket', test: false });
});

test('what live keys made in a test event before that rule becomes a test, with its counts and answers', async () => {
  const before = await made(`/events/${trial}/registrations`, ada());
  const { code } = before.attendees[0].tickets[0];
  const uuid = randomUUID();
  const body = { code, check_in_point: 'gate', client_uuid: uuid };
  const retried = { key, body, idempotencyKey: randomUUID() };
  const first = await t.call('POST', `/api/v1/events/${trial}/scan`, retried);
  const event = toUuid(before.event_id);
  const admin = (text: string) => runSql(t.database.adminUrl, text);
  const tables = ['registrations', 'attendees', 'tickets', 'payments', 'checkins', 'scans', 'communications', 'jobs'];
  // The rows as an older build left them: live ones beside a few tests, and no check-in by a test scan.
  for (const table of tables) await admin(`update ${table} set test = false where event_id = '${event}'`);
  await admin(`
    update attendees set checked_in_at = null where event_id = '${event}';
    update places set test = false where event_id = '${event}';
    insert into places (org_id, event_id, scope_id, test, taken, waiting)
      select org_id, event_id, scope_id, true, 0, 0 from places where event_id = '${event}';
    update idempotency set kept_in = replace(kept_in, ' test', '') where kept_in like '${event} %';
    drop table unknown_scans;
    delete from migrations where name = '0024_door_words.sql'`);
  expect(await migrate(t.database.url)).toEqual(['0024_door_words.sql']);
  for (const table of [...tables, 'places']) {
    const [row] = await admin(`select count(*)::int as live from ${table} where event_id = '${event}' and not test`);
    expect([table, row.live]).toEqual([table, 0]);
  }
  const after = await get(`/events/${trial}/registrations/${before.id}`);
  expect(after.updated_at > before.updated_at).toBe(true);
  expect((await get(`/events/${trial}/attendees/${before.attendees[0].id}`)).checked_in).toBe(true);
  expect((await t.system((tx) => doctor(tx))).findings.find((one) => one.check === 'places')).toMatchObject({
    ok: true,
  });
  // A retry by either key gets the answer from back then.
  for (const again of [retried, { key, body }]) {
    expect((await t.call('POST', `/api/v1/events/${trial}/scan`, again)).text).toBe(first.text);
  }
});
