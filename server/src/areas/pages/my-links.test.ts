import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { textOf as pdfTextOf } from '../../outside/ticket-pdf/ticket-pdf.support.ts';
import { sql } from '../../store/sql.ts';
import { queueLinks } from './index.ts';
import { formIn, Pages } from './my.support.ts';

let t: TestTurnout;
let pages: Pages;
const sent: OutgoingMail[] = [];

beforeAll(async () => {
  t = await startTest({ mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) } });
  pages = new Pages(t, sent);
  for (const org of ['acme', 'other']) {
    await t.org(org);
    await t.plan(org, 'scale', [['api_rate_per_min', '1000000']]);
  }
  await t.system((tx) => tx.run(sql`update organizations set accent = '#336699' where code = 'acme'`));
  const until = '2055-11-01T00:00:00Z';
  await pages.event('fair', { self_service: { change_until: until, cancel_until: until, transfer_until: until } });
  await pages.event('ball', { language: 'de' });
  await pages.event('past');
  await pages.event('paid', { payment_instructions: 'Bank <b>AB12</b>' }, 2500);
  await pages.event('theirs', {}, 0, 'other');
});
afterAll(() => t.stop());
beforeEach(async () => {
  await t.system((tx) => tx.run(sql`delete from mails`));
  await t.system((tx) => tx.run(sql`delete from sign_in_tries`));
});

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
const register = (
  event: string,
  attendees: object[],
  more: object = {},
  org = 'acme',
  mode: 'live' | 'test' = 'live',
) => pages.made(`/events/${event}/registrations`, { attendees, ...more }, org, mode);
const rows = () =>
  t.system((tx) => tx.all<{ recipient: string; status: string }>(sql`select recipient, status from mails order by id`));
const ask = (email: string, org = 'acme') => pages.post(`/o/${org}/my`, { email });
const linksIn = ({ text }: OutgoingMail): string[] =>
  [...text.matchAll(/https?:\/\/\S+(\/o\/\w+\/my\/[\w-]+)(?=\s)/g)].map((match) => match[1]!);

describe('having links sent again', () => {
  test('answers the same to an address that is known and to one that is not, and does the same', async () => {
    const known = person();
    await register('fair', [known], { send_emails: false });
    const [one, two] = [await ask(known.email), await ask('nobody@example.org')];
    const shown = ({ status, html, headers }: typeof one) => [status, html, headers.get('location')];
    expect(shown(one)).toEqual([303, '', '/o/acme/my?done=sent']);
    expect(shown(two)).toEqual(shown(one));
    expect(await rows()).toEqual([
      { recipient: known.email, status: 'queued' },
      { recipient: 'nobody@example.org', status: 'queued' },
    ]);
    expect((await pages.get('/o/acme/my?done=sent')).text).toContain('If anything is booked with this e-mail');
    expect((await pages.mails()).map(({ to }) => to)).toEqual([known.email]);
    // An address that nobody is registered with is not kept.
    expect((await rows()).map(({ status }) => status)).toEqual(['sent', 'withdrawn']);
    expect(JSON.stringify(await rows())).not.toContain('nobody@');
  });

  test('lists what is open as registrant and as attendee, and nothing that is over, a test or somebody else’s', async () => {
    const me = person({ email: 'Me@example.org' });
    const mine = await register('fair', [me, person()], { send_emails: false });
    const others = await register('ball', [person(), person({ email: 'me@example.org' })], { send_emails: false });
    await register('past', [me], { send_emails: false });
    await register('fair', [me], { send_emails: false }, 'acme', 'test');
    await register('theirs', [me], { send_emails: false }, 'other');
    const gone = await register('fair', [me], { send_emails: false });
    await pages.made(`/events/fair/registrations/${gone.id}/cancel`, {});
    await t.system((tx) =>
      tx.run(sql`update events set days_end_at = '2020-01-01', days_start_at = '2020-01-01' where code = 'past'`),
    );
    await ask('ME@example.org');
    const [mail, ...more] = await pages.mails();
    expect(more).toEqual([]);
    const links = linksIn(mail!);
    expect(links).toEqual([await pages.link(mine), await pages.link(others, others.attendees[1])]);
    expect((await pages.get(links[0]!)).text).toContain('Fair fair');
    expect((await pages.get(links[1]!)).text).toContain('Fair ball');
    expect(mail!.subject).toBe('Your links: acme events');
    expect(mail!.html).toContain('background:#336699');
  });

  test('an address gets one mail in ten minutes, of each organization; two at once make one', async () => {
    const me = person();
    await register('fair', [me], { send_emails: false });
    await Promise.all([ask(me.email), ask(me.email.toUpperCase()), ask(me.email)]);
    await Promise.all([ask('nobody@example.org'), ask('nobody@example.org')]);
    await ask(me.email, 'other');
    expect(await rows()).toHaveLength(3);
    await pages.mails();
    await ask(me.email);
    await ask('nobody@example.org');
    expect(await rows()).toHaveLength(3);
    t.clock.advance(11 * MINUTE);
    await ask(me.email);
    await ask('nobody@example.org');
    expect(await rows()).toHaveLength(5);
  });

  test('the links of one mailbox do not go to another that is written alike', async () => {
    await register('fair', [person({ email: 'josé@example.org' })], { send_emails: false });
    await ask('jose@example.org');
    expect(await pages.mails()).toEqual([]);
  });

  test('a network may ask twenty times in ten minutes; then the form is kept', async () => {
    const asked = await Promise.all(Array.from({ length: 21 }, (_, n) => ask(`a${n}@example.org`)));
    const [late] = asked.filter(({ status }) => status === 429);
    expect(asked.filter(({ status }) => status === 303)).toHaveLength(20);
    expect(formIn(late!.html).email).toMatch(/^a\d+@example\.org$/);
    expect(late!.text).toContain('We got too many requests from your network');
  });

  test('says beside the field what is no address, and keeps it', async () => {
    const page = await ask('"><script>');
    expect([page.status, formIn(page.html).email]).toEqual([422, '"><script>']);
    expect(page.html).toContain('id="email-fault"');
    expect(page.html).not.toContain('<script>');
    expect((await ask(' ')).text).toContain('Fill this in.');
    expect(await rows()).toEqual([]);
  });

  test('of one event only, for whoever registers twice', async () => {
    const me = person();
    const mine = await register('fair', [me], { send_emails: false });
    await register('ball', [me], { send_emails: false });
    await t.system(async (tx) => {
      const row = await tx.one<{ id: Id; org_id: Id }>(sql`select id, org_id from events where code = 'fair'`);
      await queueLinks(tx, { org: row.org_id, event: row.id, email: me.email, language: 'de' });
    });
    const [mail] = await pages.mails();
    expect(linksIn(mail!)).toEqual([await pages.link(mine)]);
    expect(mail!.subject).toBe('Ihre Links: acme events');
  });

  test('the address is removed from sent mails when the person is erased', async () => {
    const made = await register('fair', [person({ email: 'erase-me@example.org' })], { send_emails: false });
    await ask('erase-me@example.org');
    await pages.mails();
    await pages.made(`/contacts/${made.attendees[0].contact_id}/erase`, {});
    expect(await rows()).toEqual([{ recipient: 'erased', status: 'sent' }]);
  });
});

describe('a mail about a registration', () => {
  const mailTo = (mails: OutgoingMail[], to: string) => mails.find((mail) => mail.to === to)!;

  test('brings the registrant’s link to the registrant and an attendee’s own to the attendee, as button and text', async () => {
    const [ada, bob] = [person(), person()];
    const made = await register('fair', [ada, bob]);
    const mails = await pages.mails();
    const all = await pages.link(made);
    const own = await pages.link(made, made.attendees[1]);
    for (const [to, link] of [
      [ada.email, all],
      [bob.email, own],
    ] as const) {
      const { text, html } = mailTo(mails, to);
      expect(text).toContain(`My registration:\nhttp`);
      expect(text).toMatch(new RegExp(`${link}\n`));
      expect(text).toMatch(new RegExp(`Add to calendar:\n\\S+${link}/calendar.ics\n`));
      expect(html).toMatch(new RegExp(`background:#336699[^>]*>\\s*<a href="[^"]*${link}"[^>]*>My registration</a>`));
    }
    expect(mailTo(mails, bob.email).text).not.toContain(all);
    expect((await pages.get(own)).status).toBe(200);
  });

  test('that asks for payment says how, with the code, and its button promises no more than the page', async () => {
    const me = person();
    const made = await register('paid', [me]);
    const { text, html } = mailTo(await pages.mails(), me.email);
    expect(text).toContain('How to pay:\nBank <b>AB12</b>');
    expect(html).toContain('Bank &lt;b&gt;AB12&lt;/b&gt;');
    expect(text).toContain(`Give ${made.code} as the reference`);
    expect(text).toMatch(new RegExp(`My registration:\n\\S+${await pages.link(made)}\n`));
    expect(text).not.toContain('calendar.ics');
    await pages.made(`/events/paid/registrations/${made.id}/payments`, { amount_minor: 2500, method: 'cash' });
    expect(mailTo(await pages.mails(), me.email).text).not.toMatch(/AB12|Pay now/);
  });

  test('brings no link to an address that is not registered, or not any more', async () => {
    const me = person();
    const made = await register('fair', [me]);
    await pages.mails();
    const [ticket] = made.attendees[0].tickets;
    await pages.made(`/tickets/${ticket.id}/send`, { email: 'elsewhere@example.org' });
    await pages.made(`/tickets/${ticket.id}/send`, {});
    await pages.made(`/events/fair/registrations/${made.id}/cancel`, {});
    await pages.api('PATCH', `/events/fair/registrations/${made.id}`, { contact: { email: 'new@example.org' } });
    const mails = await pages.mails();
    expect(mailTo(mails, 'elsewhere@example.org').text).not.toContain('/my/');
    const mine = mails.filter(({ to }) => to === me.email);
    const hasLink = (about: string) => mine.find(({ subject }) => subject.startsWith(about))!.text.includes('/my/');
    expect([hasLink('Your ticket'), hasLink('Cancelled')]).toEqual([true, false]);
  });

  test('leads to the organization’s own host where it has one', async () => {
    await t.system((tx) =>
      tx.run(sql`update organizations set page_host = 'tickets.acme.example' where code = 'acme'`),
    );
    const me = person();
    await register('fair', [me]);
    const { text } = mailTo(await pages.mails(), me.email);
    await t.system((tx) => tx.run(sql`update organizations set page_host = null where code = 'acme'`));
    expect(text).toMatch(/https?:\/\/tickets\.acme\.example(:\d+)?\/my\/[\w-]+\n/);
  });
});

describe('against abuse', () => {
  test('a form of another site is refused', async () => {
    const made = await register('fair', [person()]);
    const path = `${await pages.link(made)}/people/${made.attendees[0].id}/change`;
    const fields = { first_name: 'Eve', last_name: 'Eve' };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      expect((await pages.post(path, fields, headers as Record<string, string>)).status).toBe(403);
    }
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: t.url }]) {
      expect((await pages.post(path, fields, headers as Record<string, string>)).status).toBe(303);
    }
  });

  test('one link changes something at most 60 times in ten minutes', async () => {
    const made = await register('fair', [person()]);
    const path = `${await pages.link(made)}/people/${made.attendees[0].id}/change`;
    const tries = await Promise.all(
      Array.from({ length: 62 }, (_, n) => pages.post(path, { first_name: `A${n}`, last_name: 'B' })),
    );
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(tries.find(({ status }) => status === 429)!.headers.get('retry-after')).not.toBeNull();
  });
});

describe('tickets', () => {
  test('come as PDF and for the calendar, with the link alone', async () => {
    const made = await register('fair', [person(), person()]);
    const link = await pages.link(made, made.attendees[1]);
    const pdf = await fetch(`${t.url}${link}/tickets.pdf`);
    expect([pdf.status, pdf.headers.get('content-type'), pdf.headers.get('cache-control')]).toEqual([
      200,
      'application/pdf',
      'no-store',
    ]);
    expect(
      Buffer.from(await pdf.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    const calendar = await pages.get(`${link}/calendar.ics`);
    expect(calendar.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(calendar.html).toContain('SUMMARY:Fair fair: Opening day');
    expect(calendar.html).toContain(`.${made.attendees[1].id}@turnout`);
    await pages.made(`/events/fair/registrations/${made.id}/cancel`, {});
    expect((await pages.get(`${link}/tickets.pdf`)).status).toBe(404);
    expect((await pages.get(`${link}/calendar.ics`)).status).toBe(404);
  });

  test('of which there are many come in documents of a hundred', async () => {
    const made = await register(
      'fair',
      Array.from({ length: 101 }, () => person()),
    );
    const link = await pages.link(made);
    const page = await pages.get(link);
    expect([...page.html.matchAll(/tickets\.pdf[^"]*">([^<]*)</g)].map(([, words]) => words)).toEqual([
      expect.stringMatching(/: 1–100$/),
      expect.stringMatching(/: 101–101$/),
    ]);
    const get = async (part: string) => {
      const reply = await fetch(`${t.url}${link}/tickets.pdf${part}`);
      const name = /filename="([^"]*)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1];
      const isPdf = reply.headers.get('content-type') === 'application/pdf';
      const text = isPdf ? pdfTextOf(Buffer.from(await reply.arrayBuffer())) : '';
      return [reply.status, name, (text.match(/\f/g) ?? []).length];
    };
    expect(await get('')).toEqual([200, `fair-${made.code}.pdf`, 100]);
    expect(await get('?part=2')).toEqual([200, `fair-${made.code}-2.pdf`, 1]);
    for (const none of ['3', '0', '-1', '1.5', 'x', '']) expect((await get(`?part=${none}`))[0], none).toBe(404);
  });

  test('one link makes at most 20 PDFs in ten minutes', async () => {
    const made = await register('fair', [person()]);
    const link = await pages.link(made);
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await fetch(`${t.url}${link}/tickets.pdf`)).status);
    expect(statuses).toEqual([...Array(20).fill(200), 429]);
  });
});
