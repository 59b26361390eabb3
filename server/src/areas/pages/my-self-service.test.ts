import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StripeDouble } from '../../../../test/support/stripe-double.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { MovedClock } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { stripeProvider } from '../../outside/stripe.ts';
import { textOf } from '../../outside/ticket-pdf/ticket-pdf.support.ts';
import { stampEvent } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { formIn, Pages } from './my.support.ts';

/** A clock that can be stopped at an instant. */
class StoppedClock extends MovedClock {
  at: Date | null = null;
  override now(): Date {
    return this.at ?? super.now();
  }
}

let t: TestTurnout;
const clock = new StoppedClock();
let stripe: StripeDouble;
let pages: Pages;
const sent: OutgoingMail[] = [];
const UNTIL = '2055-11-01T00:00:00Z';
const SOON = { change_until: UNTIL, cancel_until: UNTIL, transfer_until: UNTIL };

beforeAll(async () => {
  stripe = await StripeDouble.start(() => clock.now());
  const options = { secretKey: stripe.secretKey, webhookSecret: stripe.webhookSecret, apiUrl: stripe.url };
  const payments = await stripeProvider({ ...options, clock: { now: () => clock.now() }, timeoutMs: 2000 });
  t = await startTest({
    clock,
    payments,
    mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) },
  });
  pages = new Pages(t, sent);
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  await pages.event('open', { self_service: SOON });
  await pages.made('/events/open/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await pages.event('paid', { self_service: SOON, payment_instructions: 'Not needed' }, 2500);
});
afterAll(async () => {
  await t.stop();
  await stripe.stop();
});
beforeEach(() =>
  t.system(async (tx) => {
    await tx.run(sql`delete from mails`);
    // The tests use the same addresses, whose budgets they would use up together.
    await tx.run(sql`delete from stranger_mails`);
  }),
);

let serial = 0;
const person = (more: object = {}) => {
  serial += 1;
  return {
    attendee_type: 'adult',
    first_name: 'Ada',
    last_name: `L${serial}`,
    email: `ada${serial}@example.org`,
    ...more,
  };
};
const register = (event: string, attendees: object[] = [person()], more: object = {}) =>
  pages.made(`/events/${event}/registrations`, { attendees, ...more });
const now = async (event: string, id: string) => (await pages.api('GET', `/events/${event}/registrations/${id}`)).body;
const queued = () =>
  t.system((tx) => tx.all<{ kind: string; recipient: string }>(sql`select kind, recipient from mails order by id`));
const NEW = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org' };

/** Makes the next work of an event wait, changes something meanwhile, and lets it go on. */
async function meanwhile<T>(
  event: string,
  start: () => Promise<T>,
  change: (id: Id, org: Id) => ReturnType<typeof sql> | null,
) {
  const row = await t.system((tx) =>
    tx.one<{ id: Id; org_id: Id }>(sql`select id, org_id from events where code = ${event}`),
  );
  let started: Promise<T> | undefined;
  await transaction(t.pool, t.clock, { role: 'app', org: row.org_id }, async (tx) => {
    await stampEvent(tx, row.org_id, row.id);
    started = start();
    await untilWaitingForLock(t.database);
    const statement = change(row.id, row.org_id);
    if (statement !== null) await tx.run(statement);
  });
  return started!;
}

describe('cancelling', () => {
  test('asks once more, cancels the registration without a refund, and leaves a credit', async () => {
    const made = await register('paid');
    await pages.made(`/events/paid/registrations/${made.id}/payments`, { amount_minor: 2500, method: 'cash' });
    const link = await pages.link(made);
    const asks = await pages.get(`${link}/cancel`);
    expect(asks.text).toContain('You don’t get your money back automatically');
    expect(asks.html).toMatch(/<button class="danger">Cancel registration<\/button>/);
    expect((await now('paid', made.id)).status).toBe('confirmed');
    const done = await pages.send(`${link}/cancel`);
    expect([done.status, done.headers.get('location')]).toEqual([303, `${link}?done=cancelled`]);
    expect(await now('paid', made.id)).toMatchObject({ status: 'cancelled', paid_minor: 2500, balance_minor: -2500 });
    expect((await pages.get(link)).text).toMatch(/Cancelled .* Credit €25\.00/);
    expect((await queued()).map(({ kind }) => kind)).toContain('cancelled');
    expect(await pages.audit('registration.cancelled', toUuid(made.id))).toMatchObject([
      { actor_kind: 'visitor', actor_id: toUuid(made.id), source: 'pages' },
    ]);
  });

  test('an attendee cancels the own place, and with the last place the registration', async () => {
    const made = await register('open', [person(), person()]);
    const [ada, bob] = made.attendees;
    const links = [await pages.link(made, ada), await pages.link(made, bob)];
    expect((await pages.send(`${links[1]}/people/${bob.id}/cancel`)).status).toBe(303);
    const after = await now('open', made.id);
    expect(after.attendees.map((one: { status: string }) => one.status)).toEqual(['confirmed', 'cancelled']);
    expect(after.status).toBe('confirmed');
    expect((await pages.get(links[1]!)).text).toContain('Cancelled');
    expect((await pages.send(`${links[0]}/people/${ada.id}/cancel`)).status).toBe(303);
    expect((await now('open', made.id)).status).toBe('cancelled');
  });

  test('the registrant cancels one of several places', async () => {
    const made = await register('open', [person(), person()]);
    const link = await pages.link(made);
    await pages.send(`${link}/people/${made.attendees[0].id}/cancel`);
    expect((await now('open', made.id)).attendees.map((one: { status: string }) => one.status)).toEqual([
      'cancelled',
      'confirmed',
    ]);
  });

  test('ends with its time, to the millisecond', async () => {
    // Its stamps stay in the future, so this event is used by nothing else.
    await pages.event('timed', { self_service: SOON });
    const made = await register('timed');
    const link = await pages.link(made);
    const form = formIn((await pages.get(`${link}/cancel`)).html);
    clock.at = new Date(UNTIL);
    try {
      expect((await pages.post(`${link}/cancel`, form)).headers.get('location')).toBe(`${link}?done=stale`);
      expect((await now('timed', made.id)).status).toBe('confirmed');
      clock.at = new Date(Date.parse(UNTIL) - 1);
      expect((await pages.send(`${link}/cancel`)).headers.get('location')).toBe(`${link}?done=cancelled`);
    } finally {
      clock.at = null;
    }
  });

  test('a place that was used at the door is neither cancelled nor handed on', async () => {
    const made = await register('open', [person(), person()]);
    const [ada] = made.attendees;
    const scan = { code: ada.tickets[0].code, check_in_point: 'gate', client_uuid: randomUUID() };
    // The gate is open on the day alone, so the attendee is marked as the scan would mark them.
    await pages.made('/events/open/scan', scan);
    await t.system((tx) => tx.run(sql`update attendees set checked_in_at = now() where id = ${toUuid(ada.id)}`));
    const link = await pages.link(made);
    for (const path of [`/people/${ada.id}/cancel`, '/cancel', `/people/${ada.id}/hand-on`]) {
      expect((await pages.get(link + path)).headers.get('location'), path).toBe(`${link}?done=stale`);
      expect((await pages.post(link + path, NEW)).headers.get('location'), path).toBe(`${link}?done=stale`);
    }
    const after = await now('open', made.id);
    expect([after.status, after.attendees[0].first_name]).toEqual(['confirmed', 'Ada']);
  });

  test('a form that is sent twice at once cancels once; two forms do, too, and one of them hears that it was late', async () => {
    const one = await register('open');
    const before = (await pages.audit('registration.cancelled')).length;
    const link = await pages.link(one);
    const form = formIn((await pages.get(`${link}/cancel`)).html);
    const twins = await Promise.all([1, 2, 3].map(() => pages.post(`${link}/cancel`, form)));
    expect(twins.map(({ headers }) => headers.get('location'))).toEqual(Array(3).fill(`${link}?done=cancelled`));
    const two = await register('open');
    const other = await pages.link(two);
    const forms = await Promise.all([1, 2].map(async () => formIn((await pages.get(`${other}/cancel`)).html)));
    expect(forms[0]!.key).not.toBe(forms[1]!.key);
    const both = await Promise.all(forms.map((fields) => pages.post(`${other}/cancel`, fields)));
    expect(both.map(({ headers }) => headers.get('location')).sort()).toEqual([
      `${other}?done=cancelled`,
      `${other}?done=stale`,
    ]);
    expect((await pages.audit('registration.cancelled')).length).toBe(before + 2);
  });

  test('checks time and link under the event’s clock, after it has waited for it', async () => {
    const cancel = async (made: { id: string; contact: { email: string } }) => {
      const link = await pages.link(made);
      const form = formIn((await pages.get(`${link}/cancel`)).html);
      return () => pages.post(`${link}/cancel`, form);
    };
    const [control, late, moved] = [await register('open'), await register('open'), await register('open')];
    expect((await meanwhile('open', await cancel(control), () => null)).headers.get('location')).toContain('cancelled');
    const noTime = (id: Id) =>
      sql`update events set self_service = jsonb_set(self_service, '{cancel_until}', 'null') where id = ${id}`;
    const refused = await meanwhile('open', await cancel(late), noTime);
    await pages.api('PATCH', '/events/open', { self_service: SOON });
    expect(refused.headers.get('location')).toContain('stale');
    const gone = await meanwhile(
      'open',
      await cancel(moved),
      () => sql`update registrations set email = 'else@example.org' where id = ${toUuid(moved.id)}`,
    );
    expect(gone.status).toBe(404);
    expect((await now('open', late.id)).status).toBe('confirmed');
    expect((await now('open', moved.id)).status).toBe('confirmed');
  });
});

describe('handing a place on', () => {
  test('gives it to another person, replaces the ticket, and mails both', async () => {
    await pages.event('asking', { self_service: SOON });
    await pages.made('/events/asking/questions', { code: 'diet', label: 'Diet', kind: 'text', required: true });
    await pages.made('/events/asking/questions', { code: 'note', label: 'Note', kind: 'text' });
    const old = { phone: '+49 30 1', date_of_birth: '2000-01-01', external_id: 'X-1' };
    await pages.made('/events/asking/questions', { code: 'gone', label: 'Gone', kind: 'text' });
    const answers = { diet: 'Plants', note: 'Window seat', gone: 'A secret' };
    const made = await register('asking', [person({ answers }), person({ answers, ...old })]);
    const [, bob] = made.attendees;
    // The answers to a question that is not asked any more stay, but not for another person.
    expect((await pages.api('DELETE', '/events/asking/questions/gone')).status).toBe(204);
    const link = await pages.link(made, bob);
    const path = `${link}/people/${bob.id}/hand-on`;
    await t.system((tx) => tx.run(sql`delete from mails`));
    expect(formIn((await pages.get(path)).html)).toMatchObject({ first_name: '', email: '', 'answer-diet': '' });

    const faulty = await pages.send(path, { ...NEW, email: 'grace' });
    expect(faulty.status).toBe(422);
    expect(faulty.html).toContain('id="email-fault"');
    expect(faulty.html).toContain('id="answer-diet-fault"');
    const empty = await pages.send(path, { email: ' ' });
    expect(empty.html.match(/-fault">[^<]*/g)).toEqual(Array(4).fill('-fault">Fill this in.'));
    const done = await pages.post(path, { ...formIn(faulty.html), ...NEW, 'answer-diet': 'Fish' });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/o/acme/my?done=handed']);

    const after = (await now('asking', made.id)).attendees[1];
    expect(after).toMatchObject({ id: bob.id, ...NEW, phone: null, date_of_birth: null, external_id: null });
    expect(after.answers).toEqual({ diet: 'Fish' });
    expect(after.contact_id).not.toBe(bob.contact_id);
    expect((await pages.api('GET', `/contacts/${bob.contact_id}`)).body).toMatchObject({ last_name: bob.last_name });
    expect(after.tickets.map((one: { status: string }) => one.status)).toEqual(['voided', 'valid']);
    expect((await pages.api('GET', `/tickets/${bob.tickets[0].id}`)).body).toMatchObject({
      void_reason: 'reissued',
      replaced_by: after.tickets[1].id,
    });
    expect(await queued()).toEqual([
      { kind: 'place_received', recipient: NEW.email },
      { kind: 'place_handed_on', recipient: bob.email },
    ]);
    const mails = await pages.mails();
    const to = (address: string) => mails.find((mail) => mail.to === address)!;
    expect(to(NEW.email).text).toContain(after.tickets[1].code.slice(0, 4));
    expect(to(bob.email).text).toContain('Your place was given to someone else');
    expect(to(bob.email).text).not.toMatch(/Grace|Hopper|\/my\//);
    expect((await pages.get(link)).status).toBe(404);
    expect((await pages.get(await pages.link(made, after))).text).toContain('Grace Hopper');
    expect((await pages.audit('attendee.handed_on')).at(-1)).toMatchObject({
      actor_id: toUuid(bob.id),
      source: 'pages',
    });

    // The one who had it has no second try, and the one who has it now hands it on like anybody else.
    expect((await pages.post(path, { ...NEW, 'answer-diet': 'Fish' })).status).toBe(404);
    const next = await pages.send(`${await pages.link(made, after)}/people/${bob.id}/hand-on`, {
      first_name: 'Joan',
      last_name: 'Clarke',
      email: 'joan@example.org',
      'answer-diet': 'Bread',
    });
    expect(next.status).toBe(303);
    expect((await now('asking', made.id)).attendees[1].tickets).toHaveLength(3);
  });

  test('by the registrant keeps the registrant’s link, and no mail comes twice to one address', async () => {
    const made = await register('open');
    const link = await pages.link(made);
    await t.system((tx) => tx.run(sql`delete from mails`));
    const done = await pages.send(`${link}/people/${made.attendees[0].id}/hand-on`, NEW);
    expect(done.headers.get('location')).toBe(`${link}?done=handed`);
    expect(await queued()).toEqual([
      { kind: 'place_received', recipient: NEW.email },
      { kind: 'place_handed_on', recipient: made.contact.email },
    ]);
  });

  test('leaves nothing of it behind the registrant’s link but that it was handed on', async () => {
    const made = await register('open', [person(), person()]);
    const [ada, bob] = made.attendees;
    const link = await pages.link(made);
    expect((await pages.send(`${link}/people/${bob.id}/hand-on`, NEW)).status).toBe(303);
    const after = (await now('open', made.id)).attendees[1];
    const page = await pages.get(link);
    const code = after.tickets[1].code;
    expect(page.text).toContain('This place was given to someone else.');
    expect(page.text).toContain(`Ada ${ada.last_name}`);
    expect(page.html).not.toMatch(new RegExp(`Grace|Hopper|${code.slice(0, 4)} ${code.slice(4, 8)}|${bob.id}`));
    for (const action of ['change', 'hand-on', 'cancel']) {
      const path = `${link}/people/${bob.id}/${action}`;
      expect([action, (await pages.get(path)).status, (await pages.post(path, NEW)).status]).toEqual([
        action,
        404,
        404,
      ]);
    }
    const pdf = (await pages.get(`${link}/tickets.pdf`)).html;
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
    // A mail to the registrant about the registration leaves it out, too.
    await pages.mails();
    await pages.made(`/tickets/${ada.tickets[0].id}/reissue`, {});
    const [mail] = (await pages.mails()).filter(({ to }) => to === made.contact.email);
    expect(mail!.text).toContain(`Ada ${ada.last_name}`);
    expect(mail!.text).not.toMatch(/Grace|Hopper/);
    // What the organization sees stays whole.
    expect(after).toMatchObject(NEW);
  });

  test('and cancelling everything keeps the places that were handed on', async () => {
    const made = await register('open', [person(), person(), person()]);
    const [ada, bob, eve] = made.attendees;
    const link = await pages.link(made);
    await pages.send(`${link}/people/${bob.id}/hand-on`, NEW);
    expect((await pages.get(`${link}/cancel`)).text).toContain('Places you’ve given to someone else stay valid');
    expect((await pages.send(`${link}/cancel`)).headers.get('location')).toBe(`${link}?done=cancelled`);
    const after = await now('open', made.id);
    expect(after.status).toBe('confirmed');
    expect(after.attendees.map((one: { id: string; status: string }) => [one.id, one.status])).toEqual([
      [ada.id, 'cancelled'],
      [bob.id, 'confirmed'],
      [eve.id, 'cancelled'],
    ]);
    expect((await pages.get(`${link}/cancel`)).headers.get('location')).toBe(`${link}?done=stale`);
    // If the organizer cancels the rest, whoever has the place now is told.
    await pages.mails();
    await pages.made(`/events/open/registrations/${made.id}/cancel`, {});
    expect((await queued()).filter(({ recipient }) => recipient === NEW.email).at(-1)?.kind).toBe('attendee_cancelled');
  });

  test('is not possible before it is paid, and the page says so', async () => {
    const made = await register('paid');
    const link = await pages.link(made);
    const path = `${link}/people/${made.attendees[0].id}/hand-on`;
    expect((await pages.get(link)).text).toContain('You can give a place to someone else once everything is paid.');
    expect((await pages.get(path)).headers.get('location')).toBe(`${link}?done=stale`);
    expect((await pages.post(path, NEW)).headers.get('location')).toBe(`${link}?done=stale`);
    expect((await now('paid', made.id)).attendees[0].first_name).toBe('Ada');
    await pages.made(`/events/paid/registrations/${made.id}/payments`, { amount_minor: 2500, method: 'cash' });
    expect((await pages.get(link)).text).not.toContain('once everything is paid');
    await pages.mails();
    expect((await pages.send(path, NEW)).status).toBe(303);
    for (const mail of await pages.mails()) expect(mail.text).not.toMatch(/€|Total|Pay/);
  });

  test('takes the place off a shared ticket, and writes to nobody else on it', async () => {
    await pages.event('shared', { self_service: SOON, ticketing: 'shared' });
    const made = await register('shared', [person(), person(), person()]);
    await t.system((tx) => tx.run(sql`delete from mails`));
    await pages.send(`${await pages.link(made)}/people/${made.attendees[1].id}/hand-on`, NEW);
    expect(await queued()).toEqual([
      { kind: 'place_received', recipient: NEW.email },
      { kind: 'place_handed_on', recipient: made.attendees[1].email },
    ]);
    const [ada, grace, eve] = (await now('shared', made.id)).attendees;
    expect([ada.tickets, eve.tickets]).toEqual([made.attendees[0].tickets, made.attendees[0].tickets]);
    expect(grace.tickets).toHaveLength(1);
    expect(grace.tickets[0].code).not.toBe(ada.tickets[0].code);
    // Whoever comes later shares the ticket of the registration, and never that of the one who was handed a place.
    const later = await pages.made(`/events/shared/registrations/${made.id}/attendees`, person());
    expect(later.tickets.map((one: { code: string }) => one.code)).toEqual([ada.tickets[0].code]);
  });

  test('only the registrant’s copy of a shared ticket says who is on it', async () => {
    await pages.event('named', { self_service: SOON, ticketing: 'shared' });
    const made = await register('named', [person(), person()]);
    const [ada, bob] = made.attendees;
    const names = [ada.last_name, bob.last_name];
    const named = (text: string) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    const mails = await pages.mails();
    for (const [address, shown] of [
      [made.contact.email, names],
      [bob.email, [bob.last_name]],
    ] as const) {
      const mail = mails.find(({ to }) => to === address)!;
      const pdf = mail.attachments.find(({ contentType }) => contentType === 'application/pdf')!;
      expect([named(mail.text), named(mail.html!)]).toEqual([shown, shown]);
      expect(named(textOf(Buffer.from(pdf.base64, 'base64')))).toEqual(shown);
    }
    const own = await fetch(`${t.url}${await pages.link(made, bob)}/tickets.pdf`);
    expect(named(textOf(Buffer.from(await own.arrayBuffer())))).toEqual([bob.last_name]);
  });

  test('one link hands on so many places an hour, and the rest is refused', async () => {
    const made = await register(
      'open',
      Array.from({ length: 12 }, () => person()),
    );
    const link = await pages.link(made);
    const answers: number[] = [];
    for (let i = 0; i < 21; i++) {
      const path = `${link}/people/${made.attendees[i % 12].id}/hand-on`;
      // Each comes back to the registrant, so that the same link can hand it on again.
      answers.push((await pages.post(path, { ...NEW, email: made.contact.email })).status);
    }
    expect(answers).toEqual([...Array(20).fill(303), 429]);
  });

  test('of two at once, one wins and the other hears that the link is gone', async () => {
    const made = await register('open', [person(), person()]);
    const [, bob] = made.attendees;
    const path = `${await pages.link(made, bob)}/people/${bob.id}/hand-on`;
    const [a, b] = await Promise.all([pages.get(path), pages.get(path)]);
    const both = await Promise.all([
      pages.post(path, { ...formIn(a.html), ...NEW }),
      pages.post(path, { ...formIn(b.html), ...NEW, email: 'joan@example.org' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 404]);
    expect((await now('open', made.id)).attendees[1].tickets).toHaveLength(2);
  });

  test('tells nobody which addresses are registered, where each is taken only once', async () => {
    await pages.event('unique', { self_service: SOON, registration: { unique_email: true } });
    const known = await register('unique');
    const answers = [];
    for (const email of [known.contact.email, 'nobody-yet@example.org']) {
      const made = await register('unique');
      const link = await pages.link(made);
      const page = await pages.send(`${link}/people/${made.attendees[0].id}/hand-on`, { ...NEW, email });
      const after = await pages.get(link);
      const own = (text: string) => text.replaceAll(link, '').replaceAll(made.code, '');
      answers.push([page.status, own(page.headers.get('location')!), own(after.text)]);
      expect((await now('unique', made.id)).attendees[0].email).toBe(email);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('erasing whoever had the place finds the copies of them, and leaves whoever has it now', async () => {
    const made = await register('open', [person(), person({ first_name: 'Forgotten', last_name: 'Formerholder' })]);
    const [, bob] = made.attendees;
    await pages.mails();
    await pages.send(`${await pages.link(made, bob)}/people/${bob.id}/hand-on`, NEW);
    await pages.made(`/contacts/${bob.contact_id}/erase`, {});
    expect((await now('open', made.id)).attendees[1]).toMatchObject(NEW);
    const tables = await t.system((tx) =>
      tx.all<{ name: string }>(sql`
        select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id'
        where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace`),
    );
    const { name } = await import('../../store/sql.ts');
    for (const table of tables) {
      const { n } = await t.system((tx) =>
        tx.one<{ n: number }>(sql`
          select count(*)::int as n from ${name(table.name)} x
          where x::text ilike '%Formerholder%' or x::text ilike ${`%${bob.email}%`}
            or encode(convert_to(x::text, 'UTF8'), 'escape') ilike '%Formerholder%'`),
      );
      expect([table.name, n]).toEqual([table.name, 0]);
    }
    expect((await pages.mails()).map(({ to }) => to).sort()).toEqual([NEW.email]);
  });
});

describe('paying', () => {
  test('leads to the provider by a page, because forms may go nowhere else, and comes back here', async () => {
    const made = await register('paid');
    const link = await pages.link(made);
    const page = await pages.get(link);
    expect(page.text).toContain('Pay €25.00');
    expect(page.text).not.toContain('Not needed');
    const form = formIn(page.html);
    const [one, two] = await Promise.all([pages.post(`${link}/pay`, form), pages.post(`${link}/pay`, form)]);
    expect([one!.status, two!.html]).toEqual([200, one!.html]);
    const [session] = [...stripe.sessions.values()].slice(-1);
    const address = `https://checkout.stripe.com/c/pay/${session!.id}`;
    expect(one!.html).toContain(`<meta http-equiv="refresh" content="0;url=${address}">`);
    expect(one!.html).toContain(`href="${address}"`);
    const asked = stripe.requests.at(-1)!.form as Record<string, string>;
    expect(asked.success_url).toMatch(new RegExp(`${link}\\?done=paid$`));
    expect(asked.cancel_url).toMatch(new RegExp(`${link}$`));
    expect(await pages.audit('payment.checkout_started', toUuid(made.id))).toMatchObject([
      { actor_kind: 'visitor', source: 'pages' },
    ]);
    await stripe.deliver(t.url, stripe.pay(session!.id));
    expect((await pages.get(`${link}?done=paid`)).text).toMatch(/Thank you.*Confirmed.*QR|Thank you.*Confirmed/);
    expect((await pages.post(`${link}/pay`, { key: randomUUID() })).headers.get('location')).toBe(`${link}?done=stale`);
  });

  test('on an organization’s own host without https, it leads to the provider and back to that host', async () => {
    const host = (name: string | null) =>
      t.system((tx) => tx.run(sql`update organizations set page_host = ${name} where code = 'acme'`));
    await host('tickets.example.org');
    try {
      const link = await pages.link(await register('paid'));
      const paying = await pages.post(`${link}/pay`, formIn((await pages.get(link)).html));
      expect([paying.status, paying.headers.get('location')]).toEqual([200, null]);
      const { success_url, cancel_url } = stripe.requests.at(-1)!.form as Record<string, string>;
      const back = `/${link.slice('/o/acme/'.length)}`;
      const at = (url: string) => [new URL(url).protocol, new URL(url).hostname, url.slice(new URL(url).origin.length)];
      expect(at(success_url!)).toEqual(['http:', 'tickets.example.org', `${back}?done=paid`]);
      expect(at(cancel_url!)).toEqual(['http:', 'tickets.example.org', back]);
    } finally {
      await host(null);
    }
  });
});
