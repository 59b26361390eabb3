import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { leaf, parse, Receiver } from '../../../../test/support/mail-receiver.ts';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import { textOf as pdfTextOf } from '../../outside/ticket-pdf/ticket-pdf.support.ts';
import { Links } from '../../road/for-areas/links.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { expireUnpaid, markProven, sumUpHeld, takeTurns } from '../registrations/index.ts';
import { EVENT_MAILS } from '../registrations/stranger-mails.ts';
import { book, openPages, type Pages, summaryOf } from './pages.support.ts';

const receiver = await new Receiver().start();
let x: Pages;
let org: Id;

beforeAll(async () => {
  x = await openPages({ env: { SMTP_URL: receiver.url } });
  org = (await x.t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where code = 'acme'`))).id;
});
afterAll(async () => {
  await x.t.stop();
  await receiver.stop();
});
beforeEach(async () => {
  await mails();
  x.clock.advance(2 * DAY);
  // What the test before has left to wait.
  await sumUp();
  await mails();
  x.clock.advance(2 * DAY);
});

let network = 0;
/** Sends the form of an event from a network of its own. Answers the registration. */
async function submit(event: string, email: string, values: Record<string, string> = {}, query = '') {
  const before = new Set((await x.registrations(event)).map(({ id }) => id));
  const summary = await summaryOf(x, event, { 'c-email': email, ...values }, query);
  network += 1;
  const answer = await book(x, summary, { 'x-forwarded-for': `10.0.${network >> 8}.${network & 255}` });
  expect(answer.status, answer.text).toBe(303);
  return (await x.registrations(event)).find(({ id }) => !before.has(id))!;
}

/** The mails that have arrived since the last time. */
async function mails(only?: string): Promise<{ to: string; subject: string; text: string; raw: string }[]> {
  while ((await x.t.step.mails()) > 0);
  const arrived = receiver.received.splice(0).map(({ to, mail, raw }) => ({
    to: to[0]!,
    subject: mail.headers.get('subject') ?? '',
    text: leaf(mail, 'text/plain').body.toString(),
    raw,
  }));
  return arrived.filter(({ to }) => only === undefined || to === only);
}
const sumUp = () => sumUpHeld(x.t.pool, x.clock);
/** As a lookup, which needs no place: several of these hold their transactions open at once. */
const inOrg = <T>(work: (tx: Tx) => Promise<T>) =>
  transaction(x.t.pool, x.clock, { role: 'app', org }, work, { kind: 'lookup' });
const waiting = (email: string) =>
  x.t.system(async (tx) => {
    const rows = await tx.all<{ kind: string }>(
      sql`select kind from mails where status = 'held' and recipient = ${email} order by id`,
    );
    return rows.map(({ kind }) => kind);
  });

describe('one mail for each address, registration and occasion', () => {
  test('twenty people with one address in one form get one mail with all their tickets', async () => {
    const { code } = await x.event();
    const values = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => [
        [`p${i}-first`, `Guest`],
        [`p${i}-last`, `No${String.fromCharCode(65 + i)}`],
        [`p${i}-email`, 'family@example.org'],
      ]).flat(),
    );
    const made = await submit(code, 'ada@example.org', values, '?n-adult=20');
    expect(made.attendees).toHaveLength(20);
    const arrived = await mails();
    expect(arrived.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'family@example.org']);
    const { subject, text, raw } = arrived.find(({ to }) => to === 'family@example.org')!;
    expect(subject).toMatch(/^Your tickets for /);
    expect(text).toContain('Here are your tickets.');
    for (const { tickets, last_name } of made.attendees) {
      expect(text).toContain(tickets[0].code.slice(0, 4));
      expect(text).toContain(`Guest ${last_name}`);
    }
    expect(text).toMatch(/^Hello,\r?$/m);
    expect(text.match(/\/my\//g)).toHaveLength(20);
    expect(raw.match(/filename=[^\s]*\.pdf/g)).toHaveLength(1);
  });
});

describe('to an address that is not proven', () => {
  test('five mails an hour go out, and what exceeds them comes as one later', async () => {
    const { code } = await x.event();
    for (let i = 0; i < 9; i++) await submit(code, 'victim@example.org');
    expect(await mails()).toHaveLength(5);
    expect(await waiting('victim@example.org')).toEqual(Array(4).fill('confirmation'));
    x.clock.advance(30 * MINUTE);
    await sumUp();
    expect(await mails()).toEqual([]);
    x.clock.advance(30 * MINUTE);
    await sumUp();
    const [summary, ...others] = await mails();
    expect(others).toEqual([]);
    expect(summary!.subject).toBe('Booked with your e-mail: acme events');
    // It has the links of everything under the address: nothing is lost.
    expect(summary!.text.match(/\/my\//g)).toHaveLength(9);
    expect(await waiting('victim@example.org')).toEqual([]);
    await sumUp();
    expect(await mails()).toEqual([]);
  });

  test('one that is alone in waiting is sent as it is, with its ticket', async () => {
    const { code } = await x.event();
    for (let i = 0; i < 6; i++) await submit(code, 'six@example.org');
    expect(await mails()).toHaveLength(5);
    x.clock.advance(HOUR);
    await sumUp();
    const [mail, ...others] = await mails();
    expect([mail!.subject, others]).toEqual([expect.stringMatching(/^Confirmed: /), []]);
    expect(mail!.raw).toContain('application/pdf');
  });

  test('twenty a day go out, and in any hour no more than five', async () => {
    const times: number[] = [];
    for (let quarter = 0; quarter < 120; quarter++) {
      const [wait] = await inOrg((tx) => takeTurns(tx, org, ['daily@example.org']));
      if (wait === null) times.push(x.clock.now().getTime());
      else expect(wait!.getTime()).toBeGreaterThan(x.clock.now().getTime());
      x.clock.advance(15 * MINUTE - (quarter % 3) * 4 * MINUTE);
    }
    const within = (per: number) =>
      Math.max(...times.map((at) => times.filter((one) => one > at - per && one <= at).length));
    expect([within(HOUR), within(DAY)]).toEqual([5, 20]);
  });

  test('asking for the links counts, too, and waits for its turn once', async () => {
    const { code } = await x.event();
    await submit(code, 'links@example.org');
    const ask = async () => {
      x.clock.advance(11 * MINUTE);
      await x.post('/o/acme/my', 'email=links%40example.org', { 'x-forwarded-for': `10.9.0.${network & 255}` });
      network += 1;
      return (await mails('links@example.org')).length;
    };
    expect(await mails('links@example.org')).toHaveLength(1);
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual([1, 1, 1, 1]);
    // The fifth is asked for within the hour and waits for its end; who asks again meanwhile gets no second one.
    expect([await ask(), await waiting('links@example.org')]).toEqual([0, []]);
    expect(await ask()).toBe(1);
  });
});

describe('for one event', () => {
  /** The mails to strangers of which the event has had so many in this hour. */
  const countTo = (mails: number) =>
    x.t.system((tx) =>
      tx.run(sql`update mail_counts set mails = ${mails} where mails > 0 and what like 'strangers in %'`),
    );

  test('the mails of an hour have a bound over all addresses; the others come when it is over', async () => {
    const { code } = await x.event();
    const to = async (email: string) => {
      await submit(code, email);
      return (await mails()).map((mail) => mail.to);
    };
    expect(await to('first@example.org')).toEqual(['first@example.org']);
    await countTo(EVENT_MAILS - 1);
    expect(await to('last@example.org')).toEqual(['last@example.org']);
    expect(await to('beyond@example.org')).toEqual([]);
    expect(await waiting('beyond@example.org')).toEqual(['confirmation']);
    // Another event has its own bound, and a proven address none.
    await submit((await x.event()).code, 'elsewhere@example.org');
    await inOrg(async (tx) => markProven(tx, org, 'known@example.org'));
    await submit(code, 'known@example.org');
    expect((await mails()).map((mail) => mail.to).sort()).toEqual(['elsewhere@example.org', 'known@example.org']);
    x.clock.advance(HOUR - MINUTE);
    await sumUp();
    expect(await mails()).toEqual([]);
    x.clock.advance(MINUTE);
    await sumUp();
    const [late, ...others] = await mails();
    expect([late!.to, others, late!.raw.includes('application/pdf')]).toEqual(['beyond@example.org', [], true]);
    expect(await to('next@example.org')).toEqual(['next@example.org']);
  });
});

describe('nothing that matters waits', () => {
  /** Uses up what strangers may cause to the address. */
  async function useUp(email: string): Promise<void> {
    const { code } = await x.event();
    for (let i = 0; i < 6; i++) await submit(code, email);
    await mails();
    expect((await waiting(email)).length).toBeGreaterThan(0);
  }

  test('neither tickets that were approved or paid, nor cancellations', async () => {
    const asked = await x.event({ event: { registration: { approval: true } } });
    const paid = await x.event({ types: [{ code: 'adult', name: 'Adult', price_minor: 1000 }] });
    const email = 'honest@example.org';
    const approval = await submit(asked.code, email);
    const payment = await submit(paid.code, email);
    await useUp(email);
    await x.api('POST', `/events/${asked.code}/registrations/${approval.id}/approve`, {});
    const cash = { amount_minor: 1000, method: 'cash' };
    await x.api('POST', `/events/${paid.code}/registrations/${payment.id}/payments`, cash);
    expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual(['Confirmed', 'Confirmed']);
    await x.api('POST', `/events/${asked.code}/registrations/${approval.id}/cancel`, {});
    expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual(['Cancelled']);
  });

  test('nor what somebody cancels by a link', async () => {
    const until = new Date(x.clock.now().getTime() + 100 * DAY).toISOString();
    const { code } = await x.event({ event: { self_service: { cancel_until: until } } });
    const [email, family] = ['cancels@example.org', 'family-cancels@example.org'];
    const made = await submit(code, email, { 'p1-first': 'Bo', 'p1-last': 'B', 'p1-email': family }, '?n-adult=2');
    await useUp(email);
    await useUp(family);
    const links = new Links(new Secrets(Buffer.alloc(32, 7)), x.clock, x.t.url);
    const token = links.manageToken({ org, registration: toUuid(made.id), attendee: null, email }, 'mailed');
    const cancel = (path: string) => x.post(`/o/acme/my/${token}${path}/cancel`, '');
    expect((await cancel(`/people/${made.attendees[1].id}`)).status).toBe(303);
    expect((await mails()).map(({ to }) => to)).toEqual([family]);
    expect((await cancel('')).status).toBe(303);
    expect((await mails()).map(({ to, subject }) => [to, subject.split(':')[0]])).toEqual([[email, 'Cancelled']]);
  });

  test('a newer mail about a registration takes the place of one that is held', async () => {
    const paid = await x.event({ types: [{ code: 'adult', name: 'Adult', price_minor: 1000 }] });
    const email = 'newer@example.org';
    for (let i = 0; i < 5; i++) await submit(paid.code, email);
    const made = await submit(paid.code, email);
    expect(await waiting(email)).toEqual(['payment_due']);
    const cash = { amount_minor: 1000, method: 'cash' };
    await x.api('POST', `/events/${paid.code}/registrations/${made.id}/payments`, cash);
    expect(await waiting(email)).toEqual([]);
  });

  test('a proven address has no such budget', async () => {
    await inOrg(async (tx) => markProven(tx, org, 'proven@example.org'));
    const { code } = await x.event();
    for (let i = 0; i < 8; i++) await submit(code, 'proven@example.org');
    expect(await mails()).toHaveLength(8);
  });

  test('what the organization itself registers neither counts nor waits', async () => {
    const { code } = await x.event();
    const person = { first_name: 'Ada', last_name: 'L', attendee_type: 'adult', days: ['d1'] };
    const body = { contact: { email: 'api@example.org' }, attendees: [person] };
    for (let i = 0; i < 7; i++) await x.api('POST', `/events/${code}/registrations`, body);
    await submit(code, 'api@example.org');
    expect(await mails()).toHaveLength(8);
  });
});

test('who has not heard of a registration is not told that it was cancelled or has expired', async () => {
  const until = new Date(x.clock.now().getTime() + 100 * DAY).toISOString();
  const types = [{ code: 'adult', name: 'Adult', price_minor: 1000 }];
  const { code } = await x.event({ types, event: { self_service: { cancel_until: until } } });
  const email = 'untold@example.org';
  for (let i = 0; i < 5; i++) await submit(code, email);
  const made = [await submit(code, email), await submit(code, email)];
  expect(await mails()).toHaveLength(5);
  const links = new Links(new Secrets(Buffer.alloc(32, 7)), x.clock, x.t.url);
  const token = links.manageToken({ org, registration: toUuid(made[0].id), attendee: null, email }, 'shown');
  expect((await x.post(`/o/acme/my/${token}/cancel`, '')).status).toBe(303);
  expect(await waiting(email)).toEqual(['payment_due']);
  expect(await mails()).toEqual([]);
  x.clock.advance(5 * DAY);
  expect(await expireUnpaid(x.t.pool, x.clock)).toBeGreaterThan(5);
  expect(await waiting(email)).toEqual([]);
  // The five of whom the address has heard are told.
  const ended = (await mails()).filter(({ to }) => to === email);
  expect(ended.map(({ subject }) => subject.split(':')[0])).toEqual(Array(5).fill('Expired'));
});

describe('many at once', () => {
  test('never get more than the budget through', async () => {
    const two = [await x.event(), await x.event()];
    const forms = await Promise.all(
      Array.from({ length: 12 }, (_, i) => summaryOf(x, two[i % 2]!.code, { 'c-email': 'race@example.org' })),
    );
    const answers = await Promise.all(forms.map((form, i) => book(x, form, { 'x-forwarded-for': `10.8.0.${i}` })));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(303));
    expect(await mails()).toHaveLength(5);
    expect(await waiting('race@example.org')).toHaveLength(7);
  });

  const all = (take: (tx: Tx) => Promise<boolean>) => Promise.all(Array.from({ length: 12 }, () => inOrg(take)));

  test('take turns on the row of the address', async () => {
    const taken = await all(async (tx) => (await takeTurns(tx, org, ['turns@example.org']))[0] === null);
    expect(taken.filter(Boolean)).toHaveLength(5);
  });

  test('the control: without the lock, more get through', async () => {
    await inOrg((tx) => takeTurns(tx, org, ['control@example.org']));
    const now = x.clock.now();
    let reading = 0;
    let go = () => {};
    const everybodyHasRead = new Promise<void>((resolve) => {
      go = resolve;
    });
    const taken = await Promise.all(
      Array.from({ length: 6 }, () =>
        inOrg(async (tx) => {
          const { n } = await tx.one<{ n: number }>(
            sql`select max(cardinality(sent)) as n from stranger_mails where ${now} = any(sent)`,
          );
          reading += 1;
          if (reading === 6) go();
          await everybodyHasRead;
          if (n >= 5) return false;
          await tx.run(sql`update stranger_mails set sent = sent || ${now}::timestamptz where ${now} = any(sent)`);
          return true;
        }),
      ),
    );
    expect(taken.filter(Boolean).length).toBeGreaterThan(4);
  });

  test('two workers that sum up make one mail', async () => {
    const { code } = await x.event();
    for (let i = 0; i < 8; i++) await submit(code, 'twice@example.org');
    await mails();
    x.clock.advance(HOUR);
    await Promise.all([sumUp(), sumUp()]);
    expect(await mails('twice@example.org')).toHaveLength(1);
    await sumUp();
    expect(await mails()).toEqual([]);
  });
});

test('a crash while summing up, or before the one mail is sent, neither loses nor doubles it', async () => {
  const { code } = await x.event();
  for (let i = 0; i < 8; i++) await submit(code, 'crash@example.org');
  await mails();
  x.clock.advance(HOUR);
  const admin = (text: string) => runSql(x.t.database.adminUrl, text);
  // The worker dies when the one mail is queued and the others are not withdrawn yet.
  await admin(`create function dies() returns trigger language plpgsql as $$ begin raise exception 'it dies'; end $$`);
  await admin(
    `create trigger dies before update on mails for each row when (new.status = 'withdrawn') execute function dies()`,
  );
  await expect(sumUp()).rejects.toThrow('it dies');
  await admin('drop trigger dies on mails');
  expect(await mails()).toEqual([]);
  expect(await waiting('crash@example.org')).toHaveLength(3);
  await sumUp();
  // The mail server does not take it at first.
  receiver.refuse = 'try later';
  expect(await mails()).toEqual([]);
  receiver.refuse = null;
  await sumUp();
  x.clock.advance(2 * MINUTE);
  await sumUp();
  expect((await mails()).map(({ to }) => to)).toEqual(['crash@example.org']);
});

describe('erasing somebody', () => {
  const erase = async (made: { id: string; attendees: { contact_id: string }[] }, attendee = 0) =>
    x.api('POST', `/contacts/${made.attendees[attendee]!.contact_id}/erase`, {});
  /** Where a text is left in mails and in what several of them share. */
  const tracesOf = (text: string) =>
    x.t.system((tx) =>
      tx.all<{ found: string }>(sql`
        select found from (select m::text as found from mails m union all select c::text from mail_contents c) as all_of_them
        where found ilike ${`%${text}%`}`),
    );

  test('empties the mails that are held for them, and the one that has summed others up', async () => {
    const { code } = await x.event();
    const email = 'flooded@example.org';
    const submitMany = async (count: number) => {
      for (let i = 0; i < count; i++) await submit(code, email, { 'c-first': 'Wilhelmina' });
    };
    await submitMany(7);
    x.clock.advance(HOUR);
    await sumUp();
    expect((await mails(email)).map(({ subject }) => subject)).toContain('Booked with your e-mail: acme events');
    await submitMany(7);
    expect((await waiting(email)).length).toBeGreaterThan(1);
    const [made] = (await x.registrations(code)) as Parameters<typeof erase>[0][];
    await erase(made!);
    expect([await tracesOf(email), await tracesOf('Wilhelmina'), await waiting('erased')]).toEqual([[], [], []]);
    await mails();
    x.clock.advance(DAY);
    await sumUp();
    expect(await mails()).toEqual([]);
  });

  test('drops the mail that sums others up, if it is still to be sent', async () => {
    const { code } = await x.event();
    const email = 'unsent@example.org';
    for (let i = 0; i < 7; i++) await submit(code, email);
    await mails();
    x.clock.advance(HOUR);
    await sumUp();
    const [made] = (await x.registrations(code)) as Parameters<typeof erase>[0][];
    await erase(made!);
    expect([await mails(), await tracesOf(email)]).toEqual([[], []]);
  });

  test('leaves a mail to several people with one address to the others', async () => {
    const { code } = await x.event();
    const people = ['Wilhelmina', 'Ottoline', 'Leopold'].flatMap((name, i) => [
      [`p${i}-first`, name],
      [`p${i}-last`, 'Guest'],
      [`p${i}-email`, 'house@example.org'],
    ]);
    const made = await submit(code, 'ada@example.org', Object.fromEntries(people), '?n-adult=3');
    await erase(made, 0);
    expect(await tracesOf('Wilhelmina')).toEqual([]);
    const [mail, ...others] = await mails('house@example.org');
    expect(others).toEqual([]);
    expect(mail!.text).toMatch(/Ottoline Guest.*Leopold Guest/s);
    expect(mail!.text).not.toContain('Wilhelmina');
  });
});

test('from one network, so many places are handed on in an hour, by however many links', async () => {
  const until = new Date(x.clock.now().getTime() + 100 * DAY).toISOString();
  const { code } = await x.event({ event: { self_service: { transfer_until: until } } });
  const links = new Links(new Secrets(Buffer.alloc(32, 7)), x.clock, x.t.url);
  const handOn = async (from: string, places: number): Promise<number[]> => {
    const person = { first_name: 'Ada', last_name: 'L', attendee_type: 'adult', days: ['d1'] };
    const contact = { first_name: 'Ada', last_name: 'L', email: 'seller@example.org' };
    const body = { contact, attendees: Array(places).fill(person), send_emails: false };
    const made = await x.api('POST', `/events/${code}/registrations`, body);
    const token = links.manageToken(
      { org, registration: toUuid(made.id), attendee: null, email: contact.email },
      'mailed',
    );
    const answers: number[] = [];
    for (const { id } of made.attendees) {
      const fields = new URLSearchParams({ first_name: 'Bo', last_name: 'B', email: 'bo@example.org', key: id });
      const path = `/o/acme/my/${token}/people/${id}/hand-on`;
      answers.push((await x.post(path, fields, { 'x-forwarded-for': from })).status);
    }
    return answers;
  };
  const both = [...(await handOn('10.7.0.1', 20)), ...(await handOn('10.7.0.1', 20))];
  expect(both).toEqual(Array(40).fill(303));
  expect(await handOn('10.7.0.1', 1)).toEqual([429]);
  expect(await handOn('10.7.0.2', 1)).toEqual([303]);
  x.clock.advance(HOUR);
  expect(await handOn('10.7.0.1', 1)).toEqual([303]);
});

test('a name that is no name greets nobody and is not in the header; on paper it is no link', async () => {
  const { code } = await x.event();
  const hostile = { 'c-first': 'Win €1000 at', 'c-last': 'www.evil.example' };
  const made = await submit(code, 'target@example.org', hostile);
  const [mail] = await mails();
  expect(mail!.text).toMatch(/^Hello,\r?$/m);
  expect(/^To: .*$/m.exec(mail!.raw)?.[0]).toBe('To: target@example.org');
  expect(mail!.text).not.toMatch(/(?<!turnout)\.example/);
  expect(made.contact.last_name).toBe('www.evil.example');
  const printed = pdfTextOf(leaf(parse(Buffer.from(mail!.raw)), 'application/pdf').body);
  expect(printed).toMatch(/at\s+www\s+evil\s+example/);
  expect(printed).not.toMatch(/evil\.|www\./);
});
