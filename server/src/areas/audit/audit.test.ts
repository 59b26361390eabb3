import { randomUUID } from 'node:crypto';
import type { AuditEntry } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { newId, toUlid, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';

/** What the audit log says about an organizer's work, and how its entries are found. */

let t: TestTurnout;
let key: string;
let keyId: string;
let north: string;
const EVENT = '/v1/events/fair';
const SCANNER = '/api/v1/events/fair';

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  ({ secret: key, id: keyId } = await t.key('acme', { name: 'Office' }));
  await made('POST', '/v1/groups', { code: 'north', name: 'North' });
  north = (await t.key('acme', { group: 'north' })).secret;
  await made('POST', '/v1/events', { code: 'fair', name: 'Fair', capacity: 50 });
  for (const [code, date] of [
    ['fri', '2099-05-01'],
    ['sat', '2099-05-02'],
  ]) {
    await made('POST', `${EVENT}/days`, { code, date });
  }
  await made('POST', `${EVENT}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 1000 });
  await made('POST', `${EVENT}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await made('POST', `${EVENT}/publish`);
});
afterAll(() => t.stop());

const made = async (method: string, path: string, body?: object, by = key) => {
  const reply = await t.call(method, path, { key: by, ...(body !== undefined && { body }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};
const log = async (query: Record<string, string>, by = key): Promise<AuditEntry[]> =>
  (await made('GET', `/v1/audit-log?${new URLSearchParams(query)}`, undefined, by)).data;
/** The newest entry of an action. */
const last = async (action: string): Promise<AuditEntry> => (await log({ action, limit: '1' }))[0]!;
const actions = (rows: readonly AuditEntry[]) => rows.map((row) => row.action);

const guest = (first_name: string, more: object = {}) => ({
  ...{ attendee_type: 'adult', first_name, last_name: 'Guest', days: ['fri'] },
  ...more,
});
const register = async (people: object[], more: object = {}) =>
  made('POST', `${EVENT}/registrations`, { attendees: people, ...more });
const paid = async (people: object[]) => {
  const { id } = await register(people);
  const payment = await made('POST', `${EVENT}/registrations/${id}/payments`, {
    ...{ amount_minor: 1000 * people.length, method: 'cash' },
  });
  return { ...(await made('GET', `${EVENT}/registrations/${id}`)), payment };
};

describe('an entry says what changed', () => {
  test('a registration: its attendees and tickets', async () => {
    const { id, attendees } = await register([guest('Ada'), guest('Byron')]);
    const [row] = await log({ object: id });
    expect(row).toMatchObject({ action: 'registration.created', object: { kind: 'registration', id } });
    expect(row!.objects).toEqual([
      { kind: 'registration', id },
      ...attendees.map((one: { id: string }) => ({ kind: 'attendee', id: one.id })),
    ]);
    expect(row!.changes).toEqual({
      fields: { status: { before: null, after: 'pending_payment' } },
      objects: [],
      details: { people: 2 },
    });
  });

  test('an attendee: each field before and after, but for personal data only the field’s name', async () => {
    const { id, attendees } = await paid([guest('Ada', { email: 'ada@example.org' })]);
    await made('PATCH', `${EVENT}/attendees/${attendees[0].id}`, { first_name: 'Augusta', days: ['sat'] });
    const row = await last('attendee.changed');
    expect(row.object).toEqual({ kind: 'registration', id });
    expect(row.objects).toContainEqual({ kind: 'attendee', id: attendees[0].id });
    expect(row.changes!.objects[0]).toEqual({
      ...{ kind: 'attendee', id: attendees[0].id },
      fields: { first_name: { changed: true }, days: { before: ['fri'], after: ['sat'] } },
    });
    expect(JSON.stringify(row)).not.toMatch(/Ada|Augusta/);
  });

  test('a payment and its refund: the amount', async () => {
    const { id, payment } = await paid([guest('Paul')]);
    expect((await last('payment.recorded')).changes).toMatchObject({
      fields: { status: { before: 'pending_payment', after: 'confirmed' }, paid_minor: { before: 0, after: 1000 } },
      details: { amount_minor: 1000, currency: 'EUR' },
    });
    await made('POST', `/v1/payments/${payment.id}/refund`, { amount_minor: 300 });
    const row = await last('payment.refunded');
    expect(row.objects).toEqual(
      expect.arrayContaining([
        { kind: 'registration', id },
        { kind: 'payment', id: payment.id },
      ]),
    );
    expect(row.changes!.details).toMatchObject({ amount_minor: 300, currency: 'EUR' });
    expect(row.changes!.objects).toContainEqual({
      ...{ kind: 'payment', id: payment.id },
      fields: { refunded_minor: { before: 0, after: 300 } },
    });
  });

  test('a voided ticket: its reason', async () => {
    const { attendees } = await paid([guest('Vera')]);
    const ticket = attendees[0].tickets[0].id;
    await made('POST', `/v1/tickets/${ticket}/void`, { reason: 'Lost at the lake' });
    const row = await last('ticket.voided');
    expect(row.changes!.details).toMatchObject({ reason: 'Lost at the lake' });
    expect(row.changes!.objects).toContainEqual({
      ...{ kind: 'ticket', id: ticket },
      fields: { status: { before: 'valid', after: 'voided' } },
    });
  });

  test('a cancellation: its reason and all its attendees', async () => {
    const { id, attendees } = await paid([guest('Carl'), guest('Cleo')]);
    await made('POST', `${EVENT}/registrations/${id}/cancel`, { reason: 'Rain' });
    const row = await last('registration.cancelled');
    expect(row.changes!.details).toMatchObject({ reason: expect.stringContaining('Rain') });
    for (const one of attendees) {
      expect(row.objects).toContainEqual({ kind: 'attendee', id: one.id });
      expect(row.objects).toContainEqual({ kind: 'ticket', id: one.tickets[0].id });
    }
  });

  test('an export: its content and format; an import: its counts', async () => {
    const job = await made('POST', '/v1/exports', { what: 'people', format: 'xlsx', event: 'fair' });
    const [row] = await log({ object: job.id });
    expect(row!.changes!.details).toMatchObject({ kind: 'export', what: 'people', format: 'xlsx' });
    const csv = 'first name,last name,type,day\nIda,Import,adult,fri\n';
    const imported = await made('POST', `${EVENT}/imports`, { csv });
    const rows = await log({ object: imported.id });
    expect(rows[0]!.changes!.details).toMatchObject({ kind: 'import', preview: false, counts: { created: 1 } });
  });

  // claim: webhook-actions-audited
  test('a webhook endpoint and its deliveries', async () => {
    const hook = await made('POST', '/v1/webhooks', { url: 'https://hooks.example.org/a', events: ['*'] });
    await made('POST', `/v1/webhooks/${hook.id}/pause`);
    expect((await last('webhook_endpoint.paused')).changes!.fields).toMatchObject({
      status: { before: 'healthy', after: 'paused' },
    });
    await made('POST', `/v1/webhooks/${hook.id}/rotate-secret`);
    const delivery = await made('POST', `/v1/webhooks/${hook.id}/test`, {});
    const replayed = await made('POST', `/v1/webhooks/deliveries/${delivery.id}/replay`);
    expect(await log({ object: hook.id })).toHaveLength(5);
    const [row] = await log({ object: replayed.id });
    expect(row!.objects).toEqual([
      { kind: 'webhook_delivery', id: delivery.id },
      { kind: 'webhook_endpoint', id: hook.id },
      { kind: 'webhook_delivery', id: replayed.id },
    ]);
  });

  test('a registration promoted from the waitlist has an entry of its own', async () => {
    await made('POST', '/v1/events', { code: 'tiny', name: 'Tiny', capacity: 1, registration: { waitlist: true } });
    await made('POST', '/v1/events/tiny/days', { code: 'd', date: '2099-05-01' });
    await made('POST', '/v1/events/tiny/attendee-types', { code: 'adult', name: 'Adult' });
    await made('POST', '/v1/events/tiny/publish');
    const come = (name: string) =>
      made('POST', '/v1/events/tiny/registrations', { attendees: [{ ...guest(name), days: ['d'] }] });
    const [first, second] = [await come('First'), await come('Second')];
    await made('POST', `/v1/events/tiny/registrations/${first.id}/cancel`, {});
    expect((await log({ object: second.id }))[0]).toMatchObject({
      action: 'registration.promoted',
      changes: { fields: { status: { before: 'waitlisted', after: 'confirmed' } } },
    });
  });
});

describe('a scan', () => {
  const scan = (code: string, client_uuid: string, check_in_point = 'gate') => ({
    ...{ code, check_in_point, client_uuid },
    scanned_at: '2099-05-01T10:00:00Z',
  });

  test('is found by its check-in and names the attendee and the ticket', async () => {
    const { attendees } = await paid([guest('Sam')]);
    const [{ id, code }] = attendees[0].tickets;
    const { checkins } = await made('POST', `${SCANNER}/scan`, scan(code, randomUUID()));
    const [row] = await log({ object: checkins[0].id });
    expect(row).toMatchObject({ action: 'checkin.recorded', changes: { details: { result: 'accepted' } } });
    expect(row!.objects).toEqual([
      { kind: 'checkin', id: checkins[0].id },
      { kind: 'attendee', id: attendees[0].id },
      { kind: 'ticket', id },
    ]);
  });

  test('of a shared ticket is found by the check-in of each person', async () => {
    await made('POST', '/v1/events', { code: 'shared', name: 'Shared', ticketing: 'shared' });
    await made('POST', '/v1/events/shared/days', { code: 'd', date: '2099-05-01' });
    await made('POST', '/v1/events/shared/attendee-types', { code: 'adult', name: 'Adult' });
    await made('POST', '/v1/events/shared/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
    await made('POST', '/v1/events/shared/publish');
    const { attendees } = await made('POST', '/v1/events/shared/registrations', {
      attendees: ['Ann', 'Ben'].map((name) => ({ ...guest(name), days: ['d'] })),
    });
    const body = scan(attendees[0].tickets[0].code, randomUUID());
    const { checkins } = await made('POST', '/api/v1/events/shared/scan', body);
    expect(checkins).toHaveLength(2);
    for (const one of checkins) {
      const rows = await log({ object: one.id });
      expect(actions(rows)).toEqual(['checkin.recorded']);
      expect(rows[0]!.objects).toContainEqual({ kind: 'attendee', id: one.attendee_id });
    }
    const beside = await t.system((tx) =>
      tx.one<{ n: number }>(
        sql`select count(*)::int as n from audit_objects where object_id = ${toUuid(checkins[1].id)}`,
      ),
    );
    expect(beside.n).toBe(0);
  });

  test('that repeats a client_uuid writes no entry, alone or in a batch', async () => {
    const { attendees } = await paid([guest('Rita')]);
    const [{ code }] = attendees[0].tickets;
    const one = scan(code, randomUUID());
    const count = async () => (await log({ action: 'checkin.recorded', limit: '200' })).length;
    const before = await count();
    await made('POST', `${SCANNER}/scan`, one);
    expect(await count()).toBe(before + 1);
    await made('POST', `${SCANNER}/scan`, one);
    await made('POST', `${SCANNER}/scan/batch`, { scans: [one, one] });
    expect(await count()).toBe(before + 1);
    const other = scan(code, randomUUID());
    const batch = await made('POST', `${SCANNER}/scan/batch`, { scans: [one, other, other, { code: 'no scan' }] });
    expect(batch.results.map((result: { result?: string }) => result.result)).toEqual([
      ...['accepted', 'duplicate', 'duplicate', undefined],
    ]);
    expect(await count()).toBe(before + 2);
  });
});

describe('the filters', () => {
  test('object: an attendee, a ticket and a payment have their own entries and no others', async () => {
    const { id, attendees, payment } = await paid([guest('Olga'), guest('Otto')]);
    const [olga, otto] = attendees;
    await made('PATCH', `${EVENT}/attendees/${olga.id}`, { days: ['sat'] });
    await made('POST', `/v1/tickets/${otto.tickets[0].id}/void`, {});
    await made('POST', `/v1/payments/${payment.id}/refund`, {});
    const of = async (object: string) => actions(await log({ object })).reverse();
    const all = ['registration.created', 'payment.recorded', 'attendee.changed', 'ticket.voided', 'payment.refunded'];
    expect(await of(id)).toEqual(all);
    expect(await of(payment.id)).toEqual(['payment.recorded', 'payment.refunded']);
    expect(await of(olga.id)).toEqual(expect.arrayContaining(['registration.created', 'attendee.changed']));
    expect(await of(olga.id)).not.toContain('ticket.voided');
    expect(await of(otto.tickets[0].id)).toEqual(['payment.recorded', 'ticket.voided']);
    expect(await of(toUlid(newId(t.clock.now())))).toEqual([]);
    expect(await of('no-id')).toEqual([]);
  });

  test('actor, action, from and to, together and page by page', async () => {
    const { id: otherId, secret: other } = await t.key('acme', { name: 'Other' });
    const from = t.clock.now().toISOString();
    for (const name of ['One', 'Two', 'Three']) await made('POST', '/v1/groups', { name }, other);
    await made('POST', '/v1/groups', { name: 'Mine' });
    t.clock.advance(1000);
    const to = t.clock.now().toISOString();
    await made('POST', '/v1/groups', { name: 'Four' }, other);
    const wanted = { actor: otherId, action: 'group.created', from, to };
    const rows = await log(wanted);
    expect(rows.map((row) => row.changes!.fields.name!.after)).toEqual(['Three', 'Two', 'One']);
    const first = await made('GET', `/v1/audit-log?${new URLSearchParams({ ...wanted, limit: '2' })}`);
    const second = await log({ ...wanted, limit: '2', cursor: first.page.next_cursor });
    expect([...first.data, ...second]).toEqual(rows);
    expect((await log({ actor: keyId, from, to })).every((row) => row.actor.name === 'Office')).toBe(true);
    expect(await log({ actor: 'nobody' })).toEqual([]);
  });

  test('a key limited to a group reads about its own attendees only, also within one registration', async () => {
    const { id, attendees } = await register([guest('Nora', { group: 'north' }), guest('Sepp')], {
      send_emails: false,
    });
    await made('POST', `${EVENT}/registrations/${id}/payments`, { amount_minor: 2000, method: 'cash' });
    const [nora, sepp] = attendees;
    await made('PATCH', `${EVENT}/attendees/${nora.id}`, { days: ['sat'] });
    await made('PATCH', `${EVENT}/attendees/${sepp.id}`, { days: ['sat'] });
    expect(await log({ object: sepp.id }, north)).toEqual([]);
    const rows = await log({ object: id }, north);
    expect(actions(rows)).toEqual(['attendee.changed']);
    expect(JSON.stringify(rows)).not.toContain(sepp.id);
    expect(JSON.stringify(rows)).not.toMatch(/_minor/);
  });
});

test('entries of earlier releases are shown in the same way', async () => {
  const object = newId(t.clock.now());
  const write = (changes: object, kind: string) =>
    t.system((tx) =>
      tx.run(sql`
        insert into audit_log (org_id, id, at, action, actor_kind, actor_name, source, object_kind, object_id, changes)
        select org_id, ${newId(t.clock.now())}, now(), 'old', 'system', 'old', 'system', ${kind}, ${object}, ${JSON.stringify(changes)}
        from api_keys where id = ${toUuid(keyId)}`),
    );
  await write({ capacity: [5, 9], happened: ['registration.confirmed'] }, 'event');
  await write({ fields: ['days', 'phone'] }, 'attendee');
  await write({ email: ['old@example.org', null] }, 'contact');
  await write({ erased: true }, 'contact');
  expect((await log({ object: toUlid(object) })).map((row) => row.changes).reverse()).toEqual([
    { fields: { capacity: { before: 5, after: 9 } }, objects: [], details: { happened: ['registration.confirmed'] } },
    { fields: { days: { changed: true }, phone: { changed: true } }, objects: [], details: {} },
    { fields: { email: { changed: true } }, objects: [], details: {} },
    { fields: {}, objects: [], details: {}, erased: true },
  ]);
});

test('erasing removes a reason that somebody typed, and the entry can still be found', async () => {
  const { attendees } = await paid([guest('Erna', { email: 'erna@example.org' }), guest('Egon')]);
  const [erna, egon] = attendees;
  await made('POST', `/v1/tickets/${erna.tickets[0].id}/void`, { reason: 'She is ill' });
  await made('POST', `/v1/tickets/${egon.tickets[0].id}/void`, { reason: 'He is late' });
  await made('POST', `/v1/contacts/${erna.contact_id}/erase`, {});
  const [hers] = await log({ object: erna.tickets[0].id });
  expect(hers).toMatchObject({ action: 'ticket.voided', changes: { erased: true, details: {} } });
  expect((await log({ object: egon.tickets[0].id }))[0]!.changes!.details).toMatchObject({ reason: 'He is late' });
  expect(actions(await log({ object: erna.id }))).toContain('contact.erased');
});
