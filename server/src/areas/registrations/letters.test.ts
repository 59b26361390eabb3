import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
let testKey: string;
const sent: OutgoingMail[] = [];
beforeAll(async () => {
  t = await startTest({ mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) } });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  await t.system((tx) =>
    tx.run(
      sql`update organizations set terminology = '{"attendees": "guests", "attendee": "guest"}' where code = 'acme'`,
    ),
  );
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const [code, more] of [
    ['free', {}],
    ['paid', { language: 'de' }],
    ['asked', { registration: { approval: true, waitlist: true }, capacity: 1 }],
  ] as const) {
    await post('/events', { code, name: `Event ${code}`, ...more });
    await post(`/events/${code}/days`, { code: 'd1', name: 'Opening day', date: '2036-12-01' });
    await post(`/events/${code}/attendee-types`, {
      code: 'adult',
      name: 'Adult',
      price_minor: code === 'paid' ? 2500 : 0,
    });
    await post(`/events/${code}/publish`);
  }
});
afterAll(() => t.stop());
beforeEach(() => {
  sent.length = 0;
});

const post = (path: string, body?: unknown, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
let serial = 0;
const person = (email?: string) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: `Guest${++serial}`,
  ...(email && { email }),
});
async function letters(): Promise<OutgoingMail[]> {
  while ((await t.step.mails()) > 0);
  return sent.splice(0);
}
/** The attachments: the tickets to print, the days for the calendar, the QR code for the phone. */
const WITH_A_TICKET = ['application/pdf', 'text/calendar', 'image/png'];
const typeOf = ({ contentType }: { contentType: string }) => contentType.split(';')[0];
const failed = () => t.system((tx) => tx.all(sql`select kind, last_error from mails where last_error is not null`));

describe('mails', () => {
  test('the registrant gets all tickets as PDF, and attendees with an e-mail address of their own get theirs', async () => {
    const made = await post('/events/free/registrations', {
      attendees: [person('ada@example.org'), person('bob@example.org'), person()],
    });
    const mails = await letters();
    expect(await failed()).toEqual([]);
    expect(mails.map((mail) => mail.to).sort()).toEqual(['ada@example.org', 'bob@example.org']);
    const ada = mails.find((mail) => mail.to === 'ada@example.org')!;
    expect(ada.subject).toContain('Event free');
    expect(ada.text).toContain(made.body.code);
    expect(ada.html).toContain('Opening day');
    expect(ada.attachments[0]).toMatchObject({
      filename: `free-${made.body.code}.pdf`,
      contentType: 'application/pdf',
    });
    expect(Buffer.from(ada.attachments[0]!.base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    const bob = mails.find((mail) => mail.to === 'bob@example.org')!;
    expect(bob.text).toContain('Guest');
    expect(bob.text).not.toContain(made.body.attendees[0].last_name);
  });

  test('payment due, then confirmation, in the event’s language', async () => {
    const made = await post('/events/paid/registrations', { attendees: [person('ada@example.org')] });
    const [due] = await letters();
    expect(due!.text).toMatch(/25,00/);
    expect(due!.text).toContain('Fragen Sie den Veranstalter, wie Sie zahlen.');
    expect(due!.text).not.toContain('Jetzt zahlen');
    expect(due!.attachments).toEqual([]);
    await post(`/events/paid/registrations/${made.body.id}/payments`, { amount_minor: 2500, method: 'transfer' });
    const [confirmed] = await letters();
    expect(confirmed!.attachments.map(typeOf)).toEqual(WITH_A_TICKET);
    expect(confirmed!.subject).not.toBe(due!.subject);
  });

  test('approval, decline with its reason, waitlist, promotion, cancellation', async () => {
    const kinds = async () =>
      (
        await t.system((tx) =>
          tx.all<{ kind: string }>(
            sql`select m.kind from mails m join events e on e.id = m.event_id where e.code = 'asked' order by m.id`,
          ),
        )
      ).map((row) => row.kind);
    const first = await post('/events/asked/registrations', { attendees: [person('a@example.org')] });
    const second = await post('/events/asked/registrations', { attendees: [person('b@example.org')] });
    expect(second.body.status).toBe('waitlisted');
    await post(`/events/asked/registrations/${first.body.id}/decline`, { reason: 'No more room on the boat' });
    await post(`/events/asked/registrations/${second.body.id}/approve`);
    await post(`/events/asked/registrations/${second.body.id}/cancel`, {});
    expect(await kinds()).toEqual([
      'approval_pending',
      'waitlisted',
      'declined',
      'promoted',
      'confirmation',
      'cancelled',
    ]);
    const mails = await letters();
    expect(mails.find((mail) => mail.text.includes('No more room on the boat'))?.to).toBe('a@example.org');
    expect(await failed()).toEqual([]);
  });

  test('none is sent about test registrations or without send_emails', async () => {
    await post('/events/free/registrations', { attendees: [person('test@example.org')] }, testKey);
    await post('/events/free/registrations', { attendees: [person('quiet@example.org')], send_emails: false });
    expect(await letters()).toEqual([]);
  });

  test('a ticket is sent again, and reissued with a new code', async () => {
    const made = await post('/events/free/registrations', { attendees: [person('ada@example.org')] });
    await letters();
    const [ticket] = made.body.attendees[0].tickets;
    expect((await post(`/tickets/${ticket.id}/send`)).body).toEqual({ sent_to: 'ada@example.org' });
    expect((await letters())[0]!.attachments.map(typeOf)).toEqual(WITH_A_TICKET);
    const fresh = await post(`/tickets/${ticket.id}/reissue`);
    const [reissued] = await letters();
    expect(reissued!.text).toContain(fresh.body.code.slice(0, 4));
    expect((await post(`/tickets/${ticket.id}/send`)).status).toBe(409);
  });
});

test('a ticket as PDF, for paper and for the phone', async () => {
  const made = await post('/events/free/registrations', { attendees: [person()] });
  const [ticket] = made.body.attendees[0].tickets;
  for (const query of ['', '?format=phone']) {
    const reply = await fetch(`${t.url}/v1/tickets/${ticket.id}/pdf${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(
      Buffer.from(await reply.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  }
  expect((await t.call('GET', `/v1/tickets/${ticket.id}/pdf?format=poster`, { key })).status).toBe(400);
});

describe('contacts', () => {
  test('the same person is one contact: by ID, by e-mail and name, by phone and name', async () => {
    const register = async (more: object) =>
      (
        await post('/events/free/registrations', {
          attendees: [{ attendee_type: 'adult', first_name: 'Zoë', last_name: 'Müller', ...more }],
          send_emails: false,
        })
      ).body.attendees[0].contact_id;
    const first = await register({ email: 'zoe@example.org', phone: '+49 (0)30 123', external_id: 'Z-1' });
    expect(await register({ email: 'ZOE@example.org', first_name: 'zoe', last_name: 'MULLER ' })).toBe(first);
    expect(await register({ phone: '+49 030-123' })).toBe(first);
    expect(await register({ external_id: 'Z-1', first_name: 'Zoe-Anna', last_name: 'Meier' })).toBe(first);
    expect(await register({ email: 'zoe@example.org', external_id: 'Z-2' })).not.toBe(first);
    expect(await register({ email: 'zoe@example.org', last_name: 'Other' })).not.toBe(first);
    const found = await t.call('GET', '/v1/contacts?search=mull', { key });
    expect(found.body.data.map((one: { id: string }) => one.id)).toContain(first);
    const changed = await t.call('PATCH', `/v1/contacts/${first}`, { key, body: { phone: '555' } });
    expect(changed.body.phone).toBe('555');
  });

  test('erasing removes the person everywhere, keeps counts, and cannot be undone', async () => {
    const made = await post('/events/free/registrations', {
      attendees: [
        {
          attendee_type: 'adult',
          first_name: 'Forget',
          last_name: 'Mesoon',
          email: 'forget@example.org',
          phone: '0170 999',
        },
        person(),
      ],
    });
    const [attendee] = made.body.attendees;
    await letters();
    // The ticket is scanned as well, because the scan's answer is kept for retries.
    await post('/events/free/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
    const scan = { code: attendee.tickets[0].code, check_in_point: 'gate', client_uuid: randomUUID() };
    expect((await post('/events/free/scan', scan)).body.person.last_name).toBe('Mesoon');
    const before = await t.call('GET', '/v1/events/free/attendees?limit=200', { key });
    expect(
      (
        await t.call('POST', `/v1/contacts/${attendee.contact_id}/erase`, {
          key: (await t.key('acme', { scopes: ['write'] })).secret,
        })
      ).body.error.code,
    ).toBe('api_key_scope');
    const erased = await post(`/contacts/${attendee.contact_id}/erase`);
    expect(erased.body).toMatchObject({ first_name: null, last_name: null, email: null, phone: null });
    expect(erased.body.erased_at).not.toBeNull();
    expect((await post(`/contacts/${attendee.contact_id}/erase`)).status).toBe(409);
    const after = await t.call('GET', '/v1/events/free/attendees?limit=200', { key });
    expect(after.body.data).toHaveLength(before.body.data.length);
    const ticket = await t.call('GET', `/v1/tickets/${attendee.tickets[0].id}`, { key });
    expect(ticket.body.status).toBe('valid');
    const tables = await t.system((tx) =>
      tx.all<{ name: string }>(sql`
      select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`),
    );
    for (const { name } of tables) {
      const { name: identifier } = await import('../../store/sql.ts');
      const left = await t.system((tx) =>
        tx.one<{ n: number }>(sql`
        select count(*)::int as n from ${identifier(name)} x where x::text ilike '%Mesoon%' or x::text ilike '%forget@example.org%'
          or encode(convert_to(x::text, 'UTF8'), 'escape') ilike '%Mesoon%'`),
      );
      expect([name, left.n]).toEqual([name, 0]);
    }
    expect((await post('/events/free/scan', scan)).body.person).toMatchObject({
      id: attendee.id,
      first_name: 'Erased',
      last_name: 'person',
    });
    const stored = await t.system((tx) =>
      tx.one<{ n: number }>(sql`
      select count(*)::int as n from idempotency where position(convert_to('Mesoon', 'UTF8') in body) > 0`),
    );
    expect(stored.n).toBe(0);
  });
});

test('without SMTP, mails are written to files that a mail program opens', async () => {
  const plain = await startTest({ database: t.database, clock: t.clock });
  await post('/events/free/registrations', { attendees: [person('file@example.org')] });
  while ((await plain.step.mails()) > 0);
  const files = readdirSync(join(plain.dataDir, 'mails'));
  expect(files.length).toBeGreaterThan(0);
  expect(readFileSync(join(plain.dataDir, 'mails', files[0]!), 'utf8')).toContain('file@example.org');
  await plain.stop();
});
