import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { sql } from '../../store/sql.ts';
import { MAX_CHANGED_REGISTRATIONS } from './apply-contact.ts';
import { TICKET_MAILS, TICKET_MAILS_ELSEWHERE } from './ticket-files.ts';

let t: TestTurnout;
let key: string;
let testKey: string;
let limited: string;
const sent: OutgoingMail[] = [];
beforeAll(async () => {
  t = await startTest({ mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) } });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const code of ['rowing', 'sailing']) await done(post('/groups', { code, name: code }));
  limited = (await t.key('acme', { group: 'rowing' })).secret;
  for (const [code, more] of [
    ['fair', {}],
    ['once', { registration: { unique_email: true } }],
    ['family', { ticketing: 'shared' }],
    ['paid', {}],
    ['past', {}],
  ] as const) {
    await done(post('/events', { code, name: `The ${code}`, ...more }));
    await done(post(`/events/${code}/days`, { code: 'd1', date: '2030-12-01' }));
    const price_minor = code === 'paid' ? 1000 : 0;
    await done(post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor }));
    await done(post(`/events/${code}/publish`));
  }
});
afterAll(() => t.stop());
beforeEach(async () => {
  await giveUpMails();
});

const call = (method: string, path: string, body?: unknown, as = key) =>
  t.call(method, `/v1${path}`, { key: as, body });
const post = (path: string, body?: unknown, as = key) => call('POST', path, body, as);
const patch = (path: string, body?: unknown, as = key) => call('PATCH', path, body, as);
const get = (path: string, as = key) => call('GET', path, undefined, as);
async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, text, body } = await reply;
  if (status >= 300) throw new Error(text);
  return body;
}
let serial = 0;
const person = (more: object = {}) => {
  const last_name = `Guest${++serial}`;
  return { attendee_type: 'adult', first_name: 'Ada', last_name, email: `ada${serial}@example.org`, ...more };
};
const register = (event: string, attendees: object[] = [person()], more: object = {}, as = key) =>
  done(post(`/events/${event}/registrations`, { attendees, ...more }, as));
const at = (one: { event_id: string; id: string }) => `/events/${one.event_id}/registrations/${one.id}`;
/** Gives up the queued mails, because drawing their tickets for sending takes a while. */
const giveUpMails = () => t.system((tx) => tx.run(sql`update mails set status = 'failed' where status = 'queued'`));
async function letters(): Promise<OutgoingMail[]> {
  while ((await t.step.mails()) > 0);
  return sent.splice(0);
}
const outbox = (id: string) =>
  t.system(async (tx) => {
    const rows = await tx.all<{ type: string }>(sql`
      select type from outbox where data::json->>'id' = ${id} order by id`);
    return rows.map((row) => row.type);
  });
/** The types of what is raised about a registration while `act` runs. */
const raisedDuring = async (id: string, act: () => Promise<unknown>) => {
  const before = (await outbox(id)).length;
  await act();
  return (await outbox(id)).slice(before);
};

describe('the registrant', () => {
  test('is corrected: only the named fields change, registration.updated is raised, and later mails go to the new address', async () => {
    const made = await register('paid', [person()], { contact: { first_name: 'Max', email: 'max@exmaple.org' } });
    await giveUpMails();
    const body = { contact: { email: 'max@example.org', language: 'fr' } };
    let after: Reply['body'];
    expect(await raisedDuring(made.id, async () => (after = await done(patch(at(made), body))))).toEqual([
      'registration.updated',
    ]);
    expect(after.contact).toEqual({
      ...made.contact,
      id: after.contact.id,
      email: 'max@example.org',
      language: 'fr',
    });
    expect(after.updated_at > made.updated_at).toBe(true);
    expect(after).toEqual(await done(get(at(made))));
    expect((await done(get(`/events/paid/registrations?email=max@example.org`))).data).toMatchObject([{ id: made.id }]);
    await done(post(`${at(made)}/payments`, { amount_minor: 1000, method: 'cash' }));
    const mail = (await letters()).find((one) => one.to === 'max@example.org')!;
    expect(mail.subject).toBe('Inscription confirmée : The paid');
    const log = (await done(get('/audit-log'))).data;
    expect(log.some((row: { action: string }) => row.action === 'registration.changed')).toBe(true);
  });

  test('is linked to the contact of the new details: a known one or a new one, and never that of another person', async () => {
    const known = await register('fair', [
      person({ first_name: 'Grace', last_name: 'Hopper', email: 'g@example.org' }),
    ]);
    const made = await register('fair', [person()], { contact: { first_name: 'Grace', last_name: 'Hooper' } });
    const as = { first_name: 'Grace', last_name: 'Hopper', email: 'g@example.org' };
    expect((await done(patch(at(made), { contact: as }))).contact.id).toBe(known.contact.id);
    const other = await done(patch(at(made), { contact: { first_name: 'Alan', last_name: 'Turing' } }));
    expect(other.contact.id).not.toBe(known.contact.id);
    expect(await done(get(`/contacts/${other.contact.id}`))).toMatchObject({
      first_name: 'Alan',
      email: 'g@example.org',
    });
    expect(await done(get(`/contacts/${known.contact.id}`))).toMatchObject({ first_name: 'Grace' });
    // The registrant is one of the attendees, so they share a contact.
    const [self] = made.attendees;
    const { first_name, last_name, email } = self;
    const again = await done(patch(at(made), { contact: { first_name, last_name, email } }));
    expect(again.contact.id).toBe(self.contact_id);
  });

  test('null clears a field, equal values change nothing, and a name cannot be removed', async () => {
    const made = await register('fair', [person({ phone: '+49 30 1' })]);
    expect((await done(patch(at(made), { contact: { phone: null } }))).contact.phone).toBe(null);
    const before = await done(get(at(made)));
    const { first_name, email } = before.contact;
    expect(
      await raisedDuring(made.id, () => done(patch(at(made), { contact: { first_name, email }, send_emails: true }))),
    ).toEqual([]);
    expect(await done(get(at(made)))).toEqual(before);
    for (const body of [
      {},
      { contact: {} },
      { contact: { last_name: null } },
      { contact: { language: 'Klingon' } },
      { status: 'x' },
    ]) {
      expect((await patch(at(made), body)).status).toBe(400);
    }
  });

  test('is also corrected on an expired registration, without a second mail about the expiry', async () => {
    const made = await register('paid');
    await t.system((tx) => tx.run(sql`update registrations set status = 'expired' where id = ${toUuid(made.id)}`));
    await giveUpMails();
    await done(patch(at(made), { contact: { email: 'late@example.org' } }));
    expect(await letters()).toEqual([]);
  });

  test('409 if erased or of several groups, 404 out of reach, 403 for a live one with a test key', async () => {
    const made = await register('fair');
    await done(post(`/contacts/${made.contact.id}/erase`));
    const erased = await patch(at(made), { contact: { email: 'back@example.org' } });
    expect([erased.status, erased.body.error.code]).toEqual([409, 'invalid_state']);
    expect((await done(patch(at(made), { send_emails: false }))).send_emails).toBe(false);
    const mixed = await register('fair', [person({ group: 'rowing' }), person({ group: 'sailing' })]);
    const foreign = await register('fair', [person({ group: 'sailing' })]);
    // The attendees are in reach, and their registrant is not.
    const hidden = await register('fair', [person({ group: 'rowing' })], {
      group: 'sailing',
      contact: { first_name: 'Olga', last_name: 'Office', email: 'office@example.org' },
    });
    const change = { contact: { phone: '+49 30 2' } };
    const outcomes = [];
    for (const one of [mixed, foreign, hidden]) {
      const { status, body } = await patch(at(one), change, limited);
      outcomes.push([status, body.error.code]);
    }
    expect(outcomes).toEqual([
      [409, 'mixed_groups'],
      [404, 'not_found'],
      [409, 'mixed_groups'],
    ]);
    expect(JSON.stringify((await patch(at(hidden), { send_emails: false }, limited)).body)).not.toContain('Olga');
    const own = await register('fair', [person({ group: 'rowing' })]);
    expect((await patch(at(own), change, limited)).status).toBe(200);
    const live = await patch(at(own), change, testKey);
    expect([live.status, live.body.error.code]).toEqual([403, 'test_key_live_object']);
  });
});

describe('send_emails', () => {
  test('is shown and can be changed, and decides whether later mails are sent', async () => {
    const made = await register('paid', [person()], { send_emails: false });
    expect([made.send_emails, await letters()]).toEqual([false, []]);
    expect((await done(patch(at(made), { send_emails: true }))).send_emails).toBe(true);
    await done(post(`${at(made)}/payments`, { amount_minor: 1000, method: 'cash' }));
    expect((await letters()).map((mail) => mail.to)).toEqual([made.contact.email]);
    await done(patch(at(made), { send_emails: false }));
    await done(post(`${at(made)}/cancel`, {}));
    expect(await letters()).toEqual([]);
  });
});

describe('a changed contact', () => {
  test('changes its open registrations where they had the old values, and says how many', async () => {
    const ada = person({ phone: '+49 30 7', external_id: `M-${++serial}` });
    const own = await register('fair', [ada]);
    const contact = own.contact.id;
    const booker = await register('family', [person(), ada], {
      contact: { ...ada, attendee_type: undefined, external_id: undefined },
    });
    const spelled = await register('once', [{ ...ada, email: 'ada.at.work@example.org' }]);
    const over = await register('fair', [ada]);
    await done(post(`${at(over)}/cancel`, {}));
    const archived = await register('past', [ada]);
    await done(post('/events/past/archive'));
    expect([booker.contact.id, spelled.contact.id]).toEqual([contact, contact]);
    await giveUpMails();
    const body = { email: 'ada@correct.example', phone: null, apply_to_registrations: true };
    let answer: Reply['body'];
    expect(
      await raisedDuring(booker.id, async () => (answer = await done(patch(`/contacts/${contact}`, body)))),
    ).toEqual(['registration.updated']);
    expect(answer).toMatchObject({ id: contact, email: 'ada@correct.example', applied_to_registrations: 3 });
    const now = async (one: { event_id: string; id: string }) => done(get(at(one)));
    const right = { email: 'ada@correct.example', phone: null };
    expect(await now(own)).toMatchObject({ contact: right, attendees: [right] });
    expect(await now(booker)).toMatchObject({
      contact: right,
      attendees: [booker.attendees[0].email, right].map((one) => (typeof one === 'string' ? { email: one } : one)),
    });
    // This registration was made with another address, which stays.
    expect((await now(spelled)).attendees[0]).toMatchObject({ email: 'ada.at.work@example.org', phone: null });
    for (const closed of [over, archived]) {
      expect(await now(closed)).toMatchObject({ contact: { email: ada.email }, attendees: [{ email: ada.email }] });
    }
    expect(await letters()).toEqual([]);
    expect((await done(patch(`/contacts/${contact}`, { last_name: 'Byron' }))).applied_to_registrations).toBe(0);
    expect((await now(own)).attendees[0].last_name).toBe(ada.last_name);
  });

  test('422 duplicate_email if an event accepts each address only once, and nothing is changed', async () => {
    const taken = await register('once');
    const ada = person();
    const other = await register('once', [ada]);
    const free = await register('fair', [ada]);
    const body = { email: taken.contact.email, apply_to_registrations: true };
    const refused = await patch(`/contacts/${other.contact.id}`, body);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'duplicate_email']);
    expect((await done(get(`/contacts/${other.contact.id}`))).email).toBe(ada.email);
    expect(await done(get(at(free)))).toEqual(free);
  });

  test('by a key limited to a group changes its own attendees, and registrants only if all attendees are its own', async () => {
    const ada = person({ group: 'rowing' });
    const mixed = await register('fair', [ada, person({ group: 'sailing' })], { group: 'rowing' });
    const own = await register('fair', [ada], { group: 'rowing' });
    expect(mixed.contact.id).toBe(own.contact.id);
    const body = { first_name: 'Adele', apply_to_registrations: true };
    const answer = await done(patch(`/contacts/${own.contact.id}`, body, limited));
    expect(answer.applied_to_registrations).toBe(2);
    expect(await done(get(at(own)))).toMatchObject({
      contact: { first_name: 'Adele' },
      attendees: [{ first_name: 'Adele' }],
    });
    expect(await done(get(at(mixed)))).toMatchObject({ contact: { first_name: 'Ada' } });
    expect((await done(get(at(mixed)))).attendees.map((one: { first_name: string }) => one.first_name)).toEqual([
      'Adele',
      'Ada',
    ]);
  });

  // This failed while the contact was read before the clocks were held: each change missed some registrations.
  test('by many at once leaves the registrations and the contact with the same values', async () => {
    const ada = person();
    const made = [];
    for (const event of ['fair', 'family', 'fair', 'family']) made.push(await register(event, [ada]));
    const contact = `/contacts/${made[0].contact.id}`;
    const emails = Array.from({ length: 8 }, (_, i) => `ada.${i}.${serial}@example.org`);
    const answers = await Promise.all(
      emails.map((email) => done(patch(contact, { email, apply_to_registrations: true }))),
    );
    expect(answers.map((answer) => answer.applied_to_registrations)).toEqual(emails.map(() => 4));
    const { email } = await done(get(contact));
    expect(emails).toContain(email);
    for (const one of made)
      expect(await done(get(at(one)))).toMatchObject({ contact: { email }, attendees: [{ email }] });
  });

  test(`409 with more than ${MAX_CHANGED_REGISTRATIONS} open registrations; without apply_to_registrations only the contact is changed`, async () => {
    const ada = person();
    const made = await register('fair', [ada]);
    await t.system((tx) =>
      tx.run(sql`
        insert into registrations (org_id, id, event_id, code, status, source, test, contact_id, currency, total_minor, paid_minor,
          send_emails, created_at, updated_at)
        select r.org_id, gen_random_uuid(), r.event_id, 'MANY' || n, 'confirmed', 'api', false, r.contact_id, 'EUR', 0, 0, true,
          r.created_at, r.updated_at
        from registrations r, generate_series(1, ${MAX_CHANGED_REGISTRATIONS}) n where r.id = ${toUuid(made.id)}`),
    );
    const contact = `/contacts/${made.contact.id}`;
    const refused = await patch(contact, { phone: '+49 30 3', apply_to_registrations: true });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
    expect((await done(get(contact))).phone).toBe(null);
    expect(await done(patch(contact, { phone: '+49 30 3' }))).toMatchObject({ applied_to_registrations: 0 });
  });
});

describe('a ticket', () => {
  const ticketOf = (made: { attendees: { tickets: { id: string }[] }[] }, i = 0) => made.attendees[i]!.tickets[0]!.id;

  test('can be sent to another address: the attendee is not changed, and the mail names nobody else', async () => {
    const made = await register('fair', [person(), person()]);
    await giveUpMails();
    const reply = await done(post(`/tickets/${ticketOf(made)}/send`, { email: 'hotel@example.net' }));
    expect(reply).toEqual({ sent_to: 'hotel@example.net' });
    const [mail, ...others] = await letters();
    expect([mail!.to, others]).toEqual(['hotel@example.net', []]);
    expect(mail!.text).toContain(made.attendees[0].last_name);
    expect(mail!.text).not.toContain(made.attendees[1].last_name);
    expect(mail!.attachments[0]).toMatchObject({ contentType: 'application/pdf' });
    expect(await done(get(at(made)))).toEqual(made);
    const family = await register('family', [person(), person()]);
    await giveUpMails();
    await done(post(`/tickets/${ticketOf(family)}/send`, { email: 'hotel@example.net' }));
    const [shared] = await letters();
    for (const one of family.attendees) expect(shared!.text).toContain(one.last_name);
    expect((await post(`/tickets/${ticketOf(family)}/send`, { email: 'nowhere' })).status).toBe(400);
  });

  test('goes to another address only if its attendees are in reach, and never if it is a test ticket', async () => {
    const elsewhere = { email: 'hotel@example.net' };
    const mixed = await register('family', [person({ group: 'rowing' }), person({ group: 'sailing' })]);
    const refused = await post(`/tickets/${ticketOf(mixed)}/send`, elsewhere, limited);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'mixed_groups']);
    const tested = await register('fair', undefined, {}, testKey);
    expect((await post(`/tickets/${ticketOf(tested)}/send`, elsewhere, testKey)).status).toBe(409);
    await giveUpMails();
  });

  describe('429 rate_limited', () => {
    const fill = (what: string, mails: number) =>
      t.system((tx) =>
        tx.run(sql`
          insert into mail_counts (org_id, what, since, mails) select id, ${what}, ${t.clock.now()}, ${mails} from organizations
            where code = 'acme'
          on conflict (org_id, what) do update set since = excluded.since, mails = excluded.mails`),
      );

    test.each([
      ['to other addresses', TICKET_MAILS_ELSEWHERE, { email: 'hotel@example.net' }],
      ['one by one', TICKET_MAILS, undefined],
    ] as const)('past so many tickets %s in an hour, until the hour is over', async (_, { what, most }, body) => {
      const made = await register('fair');
      await fill(what, most - 1);
      const send = () => post(`/tickets/${ticketOf(made)}/send`, body);
      const replies = await Promise.all([send(), send(), send()]);
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 429, 429]);
      const refused = replies.find((reply) => reply.status === 429)!;
      expect(refused.body.error.code).toBe('rate_limited');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
      await giveUpMails();
      t.clock.advance(HOUR);
      expect((await send()).status).toBe(200);
    });
  });

  test('reissued says whether anybody gets a mail, which send_emails or the caller decides', async () => {
    const made = await register('fair');
    const quiet = await register('fair', [person()], { send_emails: false });
    const nobody = await register('fair', [person({ email: undefined })]);
    const tested = await register('fair', undefined, {}, testKey);
    await giveUpMails();
    const outcomes = [];
    for (const [one, body, as] of [
      [made, undefined, key],
      [made, { send: false }, key],
      [quiet, undefined, key],
      [quiet, { send: true }, key],
      [nobody, { send: true }, key],
      [tested, { send: true }, testKey],
    ] as const) {
      const now = await done(get(at(one), as));
      const valid = now.attendees[0].tickets.find((ticket: { status: string }) => ticket.status === 'valid');
      const { told, status } = await done(post(`/tickets/${valid.id}/reissue`, body, as));
      outcomes.push([status, told, (await letters()).length]);
    }
    expect(outcomes).toEqual([
      ['valid', true, 1],
      ['valid', false, 0],
      ['valid', false, 0],
      ['valid', true, 1],
      ['valid', false, 0],
      ['valid', false, 0],
    ]);
    expect((await done(get(at(quiet)))).send_emails).toBe(false);
  });
});

describe('a cancelled attendee', () => {
  const cancel = (made: Reply['body'], i: number) =>
    done(post(`/events/${made.event_id}/attendees/${made.attendees[i].id}/cancel`));

  test('gets a mail in the registration’s language, and nobody else does', async () => {
    const made = await register('fair', [person(), person(), person({ email: undefined })], {
      contact: { first_name: 'Olga', email: 'olga@example.org', language: 'de' },
    });
    await giveUpMails();
    await cancel(made, 1);
    const [mail, ...others] = await letters();
    expect([mail!.to, mail!.subject, others]).toEqual([
      made.attendees[1].email,
      'Storniert: Ihr Platz bei The fair',
      [],
    ]);
    expect(mail!.text).toContain(`Guten Tag Ada ${made.attendees[1].last_name},`);
    expect(mail!.text).not.toContain(made.attendees[0].last_name);
    // The mail removes the appointments from the attendee's calendar.
    expect((mail!.attachments as { contentType: string }[]).map((one) => one.contentType)).toEqual([
      'text/calendar; charset=utf-8; method=CANCEL',
    ]);
    await cancel(made, 2);
    expect(await letters()).toEqual([]);
    // Cancelling the last attendee cancels the registration, and the registrant gets a mail about that.
    await cancel(made, 0);
    expect((await letters()).map((one) => [one.to, one.subject]).sort()).toEqual([
      [made.attendees[0].email, 'Storniert: Ihr Platz bei The fair'],
      ['olga@example.org', 'Storniert: Ihre Anmeldung für The fair'],
    ]);
  });

  test('who registered alone gets one mail, and without send_emails nobody gets any', async () => {
    const alone = await register('fair');
    const quiet = await register('fair', [person(), person()], { send_emails: false });
    await giveUpMails();
    await cancel(alone, 0);
    expect((await letters()).map((mail) => mail.subject)).toEqual(['Cancelled: your registration for The fair']);
    await cancel(quiet, 1);
    expect(await letters()).toEqual([]);
  });
});
