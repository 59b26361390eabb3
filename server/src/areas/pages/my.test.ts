import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, HOUR } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import type { OutgoingMail } from '../../outside/mail.ts';
import { sql } from '../../store/sql.ts';
import { formIn, Pages } from './my.support.ts';

let t: TestTurnout;
let pages: Pages;
const sent: OutgoingMail[] = [];
const SOON = {
  change_until: '2055-11-01T00:00:00Z',
  cancel_until: '2055-11-01T00:00:00Z',
  transfer_until: '2055-11-01T00:00:00Z',
};

beforeAll(async () => {
  t = await startTest({ mail: { describe: 'kept', close: () => {}, send: async (mail) => void sent.push(mail) } });
  pages = new Pages(t, sent);
  for (const org of ['acme', 'other']) {
    await t.org(org);
    await t.plan(org, 'scale', [['api_rate_per_min', '1000000']]);
  }
  await t.system((tx) => tx.run(sql`update organizations set embed_origins = '{https://partner.example}'`));
  await pages.event('open', { self_service: SOON, timezone: 'Europe/Berlin' });
  await pages.made('/events/open/questions', { code: 'diet', label: 'What do you eat?', kind: 'text' });
  await pages.event('quiet');
  await pages.event('paid', { self_service: SOON, payment_instructions: 'Bank <b>AB12</b>\nThank you' }, 2500);
});
afterAll(() => t.stop());

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
const register = (event: string, attendees: object[] = [person()], more: object = {}, mode: 'live' | 'test' = 'live') =>
  pages.made(`/events/${event}/registrations`, { attendees, ...more }, 'acme', mode);
const now = async (event: string, id: string) => (await pages.api('GET', `/events/${event}/registrations/${id}`)).body;

describe('the page behind a link', () => {
  test('shows status, event with its zone, people, days, answers and the ticket as QR code, and changes nothing', async () => {
    const made = await register('open', [person({ answers: { diet: 'Plants' } })]);
    const before = await now('open', made.id);
    const page = await pages.get(await pages.link(made));
    expect(page.status).toBe(200);
    for (const words of [
      'My registration',
      'Confirmed',
      'Fair open',
      'Central European',
      'Boathouse',
      'Adult',
      'Opening day',
      'What do you eat? Plants',
      made.code,
    ]) {
      expect(page.text).toContain(words);
    }
    expect(page.html).toContain('<svg xmlns="http://www.w3.org/2000/svg"');
    expect(page.text).toContain(made.attendees[0].tickets[0].code.slice(0, 4));
    expect(await now('open', made.id)).toEqual(before);
  });

  test('is not cached, indexed or framed, sends no referrer to others and allows no foreign script', async () => {
    const made = await register('open');
    const { headers, html } = await pages.get(`${await pages.link(made)}?embed=1`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toContain('<meta name="robots" content="noindex">');
  });

  test('of an attendee shows the own place only: nobody else, no money', async () => {
    const made = await register('paid', [person(), person({ first_name: 'Bob' })]);
    const [ada, bob] = made.attendees;
    const own = await pages.get(await pages.link(made, bob));
    expect(own.text).toContain(`Bob ${bob.last_name}`);
    expect(own.text).not.toContain(ada.last_name);
    expect(own.text).not.toMatch(/€|AB12/);
    const all = await pages.get(await pages.link(made));
    expect(all.text).toContain(ada.last_name);
    expect(all.text).toContain('€50.00');
  });

  test('says in words what a registration waits for', async () => {
    await pages.event('asked', { registration: { approval: true, waitlist: true }, capacity: 1 });
    const first = await register('asked');
    const second = await register('asked');
    const words = async (made: typeof first) => (await pages.get(await pages.link(made))).text;
    expect(await words(first)).toContain('Waiting for approval');
    expect(await words(second)).toContain('On the waitlist');
    await pages.made(`/events/asked/registrations/${first.id}/decline`, {});
    expect(await words(first)).toContain('Declined');
    const paid = await register('paid');
    expect(await words(paid)).toMatch(/Unpaid .* Pay by /);
    expect(await words(paid)).not.toContain('QR code');
    await pages.made(`/events/paid/registrations/${paid.id}/cancel`, {});
    expect(await words(paid)).toContain('Cancelled');
  });

  test('without instructions it says whom to ask, and asks for no reference', async () => {
    await pages.event('unsaid', { payment_instructions: ' \n' }, 2500);
    const { text } = await pages.get(await pages.link(await register('unsaid')));
    expect(text).toContain('How to pay Ask the organizer how to pay.');
    expect(text).not.toContain('reference');
  });

  test('shows how to pay as text with the code as reference, and a credit', async () => {
    const made = await register('paid');
    const page = await pages.get(await pages.link(made));
    expect(page.html).toContain('Bank &lt;b&gt;AB12&lt;/b&gt;<br>Thank you');
    expect(page.text).toContain(`reference of your payment: ${made.code}`);
    await pages.made(`/events/paid/registrations/${made.id}/payments`, { amount_minor: 3000, method: 'cash' });
    expect((await pages.get(await pages.link(made))).text).toMatch(/Credit €5\.00 You’ve paid more/);
  });

  test('speaks the language of the registration, or the one that was chosen', async () => {
    const made = await register('open', [person()], {
      contact: { first_name: 'Ada', last_name: 'L', email: 'fr@example.org', language: 'fr' },
    });
    expect((await pages.get(await pages.link(made))).text).toContain('Confirmée');
    const german = await pages.get(`${await pages.link(made)}?lang=de`);
    expect(german.text).toContain('Bestätigt');
    expect(german.html).toContain('?lang=de"');
  });

  test('of a test registration works the same, and says that it is one', async () => {
    const made = await register('open', [person()], {}, 'test');
    const link = await pages.link(made);
    expect((await pages.get(link)).text).toContain('This is a test');
    const place = `${link}/people/${made.attendees[0].id}/change`;
    expect((await pages.send(place, { first_name: 'Eva' })).status).toBe(303);
    expect((await pages.get(link)).text).toContain('Eva');
  });

  test('of an archived event says that it is over, without tickets and without anything to do', async () => {
    await pages.event('gone', { self_service: SOON });
    const made = await register('gone');
    const link = await pages.link(made);
    await pages.made('/events/gone/close', {});
    await pages.made('/events/gone/archive', {});
    const page = await pages.get(link);
    expect(page.text).toContain('This event is over');
    expect(page.html).not.toMatch(/<svg|hand-on|\/cancel"/);
    expect((await pages.get(`${link}/tickets.pdf`)).status).toBe(404);
    expect((await pages.get(`${link}/people/${made.attendees[0].id}/change`)).headers.get('location')).toContain(
      'done=stale',
    );
  });

  test('text that people typed is text', async () => {
    const evil = '<script>alert(1)</script>"\'';
    const made = await register('open', [person({ first_name: evil, answers: { diet: evil } })]);
    for (const path of [
      '',
      `/people/${made.attendees[0].id}/change`,
      `/people/${made.attendees[0].id}/hand-on`,
      `/people/${made.attendees[0].id}/cancel`,
    ]) {
      const { html } = await pages.get((await pages.link(made)) + path);
      expect(html).not.toContain('<script>alert');
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
  });
});

describe('404, the same page for every link that does not work', () => {
  test('forged, with any bit flipped, foreign, of nobody, no link at all', async () => {
    const made = await register('open', [person(), person()]);
    const [, bob] = made.attendees;
    const link = await pages.link(made);
    const own = await pages.link(made, bob);
    const token = (path: string) => Buffer.from(path.split('/').at(-1)!, 'base64url');
    const flipped = [0, 5, 15, 16, 20, 31].map((at) => {
      const bytes = token(link);
      bytes[at]! ^= 1;
      return `/o/acme/my/${bytes.toString('base64url')}`;
    });
    const wrong = [
      ...flipped,
      link.replace('/acme/', '/other/'),
      // The attendee's part of a link does not turn it into the registrant's, and the other way round.
      `/o/acme/my/${Buffer.concat([token(own).subarray(0, 16), token(own).subarray(32)]).toString('base64url')}`,
      `/o/acme/my/${Buffer.concat([token(link).subarray(0, 16), token(own).subarray(16, 32), token(link).subarray(16)]).toString('base64url')}`,
      `/o/acme/my/${Buffer.alloc(32).toString('base64url')}`,
      '/o/acme/my/nonsense',
      `${link}=`,
    ];
    const pagesSeen = await Promise.all(wrong.map((path) => pages.get(path)));
    const [first] = pagesSeen;
    expect(first!.status).toBe(404);
    // Most of them were cut off by a mail program, so the page offers to send the link again.
    expect(first!.text).toContain('This link doesn’t work');
    expect(first!.html).toContain('<a class="button" href="/o/acme/my">');
    const bare = ({ status, html }: { status: number; html: string }, path: string) => [
      status,
      html
        .replaceAll(path.split('/').at(-1)!, '')
        .replaceAll('/o/other', '/o/acme')
        .replaceAll('other events', 'acme events'),
    ];
    for (const [i, page] of pagesSeen.entries()) expect(bare(page, wrong[i]!)).toEqual(bare(first!, wrong[0]!));
    expect((await pages.get(link)).status).toBe(200);
    expect((await pages.get(own)).status).toBe(200);
  });

  test('old: 90 days after the event; without any date, once it is archived', async () => {
    const made = await register('open');
    const link = await pages.link(made);
    // The only day ends at midnight in Berlin, an hour before midnight in UTC.
    const end = Date.parse('2055-12-01T23:00:00Z') + 90 * DAY;
    const away = end - t.clock.now().getTime();
    t.clock.advance(away - HOUR);
    expect((await pages.get(link)).status).toBe(200);
    t.clock.advance(2 * HOUR);
    expect((await pages.get(link)).status).toBe(404);
    t.clock.advance(-away - HOUR);

    await pages.made('/events', { code: 'dateless', name: 'Dateless' });
    await pages.made('/events/dateless/attendee-types', { code: 'adult', name: 'Adult' });
    await pages.made('/events/dateless/days', { code: 'd1', date: '2055-12-01' });
    await pages.made('/events/dateless/publish', {});
    const other = await register('dateless');
    await t.system((tx) =>
      tx.run(sql`update events set days_start_at = null, days_end_at = null where code = 'dateless'`),
    );
    expect((await pages.get(await pages.link(other))).status).toBe(200);
    await pages.made('/events/dateless/close', {});
    await pages.made('/events/dateless/archive', {});
    expect((await pages.get(await pages.link(other))).status).toBe(404);
  });

  test('once the registrant has another address, the attendee has another one, or the person was erased', async () => {
    const made = await register('open', [person(), person()]);
    const [ada, bob] = made.attendees;
    const [all, own] = [await pages.link(made), await pages.link(made, bob)];
    await pages.api('PATCH', `/events/open/registrations/${made.id}`, { contact: { email: 'new@example.org' } });
    expect((await pages.get(all)).status).toBe(404);
    expect((await pages.get(own)).status).toBe(200);
    await pages.made(`/contacts/${bob.contact_id}/erase`, {});
    expect((await pages.get(own)).status).toBe(404);
    const hers = await pages.link(made, ada);
    expect((await pages.get(hers)).status).toBe(200);
    await pages.api('PATCH', `/events/open/attendees/${ada.id}`, { email: 'else@example.org' });
    expect((await pages.get(hers)).status).toBe(404);
  });

  test('an attendee’s link reaches neither other places nor what is the registrant’s', async () => {
    const made = await register('paid', [person(), person()]);
    const [ada, bob] = made.attendees;
    const own = await pages.link(made, bob);
    for (const path of [
      `/people/${ada.id}/change`,
      `/people/${ada.id}/hand-on`,
      `/people/${ada.id}/cancel`,
      '/cancel',
    ]) {
      expect((await pages.get(own + path)).status, path).toBe(404);
      const fields = { first_name: 'Eve', last_name: 'Eve', email: 'eve@example.org' };
      expect((await pages.post(own + path, fields)).status, path).toBe(404);
    }
    expect((await pages.post(`${own}/pay`, {})).status).toBe(404);
    expect(await now('paid', made.id)).toEqual(made);
  });
});

describe('changing names and answers', () => {
  test('is offered until its time, saves, comes back with a notice, and the audit log names the visitor', async () => {
    const made = await register('open', [person({ answers: { diet: 'Plants' } }), person()]);
    const link = await pages.link(made);
    const path = `${link}/people/${made.attendees[0].id}/change`;
    expect((await pages.get(link)).text).toMatch(/Change: possible until Monday, 1 November 2055, 01:00 \(CET\)/);
    expect(formIn((await pages.get(path)).html)).toMatchObject({ first_name: 'Ada', 'answer-diet': 'Plants' });
    const saved = await pages.send(path, { first_name: 'Augusta', 'answer-diet': '' });
    expect([saved.status, saved.headers.get('location')]).toEqual([303, `${link}?done=changed`]);
    expect((await pages.get(`${link}?done=changed`)).text).toContain('Your changes are saved.');
    const { attendees } = await now('open', made.id);
    expect(attendees[0]).toMatchObject({ first_name: 'Augusta', last_name: made.attendees[0].last_name, answers: {} });
    expect((await pages.audit('attendee.changed')).at(-1)).toMatchObject({
      actor_kind: 'visitor',
      actor_id: toUuid(made.id),
      actor_name: 'registrant',
      source: 'pages',
    });
    const own = await pages.link(made, made.attendees[1]);
    await pages.send(`${own}/people/${made.attendees[1].id}/change`, { first_name: 'Bea' });
    expect((await pages.audit('attendee.changed')).at(-1)).toMatchObject({
      actor_id: toUuid(made.attendees[1].id),
      actor_name: 'attendee',
    });
  });

  test('to the same values changes nothing, and the audit log has no row', async () => {
    const made = await register('open');
    const before = [await now('open', made.id), (await pages.audit('attendee.changed')).length];
    expect((await pages.send(`${await pages.link(made)}/people/${made.attendees[0].id}/change`)).status).toBe(303);
    expect([await now('open', made.id), (await pages.audit('attendee.changed')).length]).toEqual(before);
  });

  test('shows all faults at once beside their fields, and loses nothing that was typed', async () => {
    await pages.event('strict', { self_service: SOON });
    for (const question of [
      { code: 'age', label: 'Age', kind: 'number', required: true },
      { code: 'born', label: 'Born', kind: 'date' },
      { code: 'size', label: 'Size', kind: 'choice', options: ['S', 'M'] },
      { code: 'days', label: 'Meals', kind: 'choices', options: ['Lunch', 'Dinner'] },
      { code: 'vegan', label: 'Vegan', kind: 'yes_no' },
      { code: 'story', label: 'Story', kind: 'long_text', required: true },
    ]) {
      await pages.made('/events/strict/questions', question);
    }
    const answers = { age: 7, story: 'Once' };
    const made = await register('strict', [person({ answers })]);
    const path = `${await pages.link(made)}/people/${made.attendees[0].id}/change`;
    const typed = {
      first_name: ' ',
      last_name: 'x"y<z',
      'answer-age': 'seven',
      'answer-born': 'tomorrow',
      'answer-size': 'M',
      'answer-days': ['Lunch', 'Dinner'],
      'answer-vegan': 'no',
      'answer-story': ' ',
    };
    const page = await pages.send(path, typed);
    expect(page.status).toBe(422);
    const fault = (name: string) => new RegExp(`id="${name}-fault">([^<]*)<`).exec(page.html)?.[1];
    expect(['first_name', 'answer-age', 'answer-born', 'answer-story'].map(fault)).toEqual([
      'Fill this in.',
      'Enter a number.',
      'Enter a date.',
      'Fill this in.',
    ]);
    expect(fault('last_name')).toBeUndefined();
    expect(page.html.match(/aria-invalid="true"/g)).toHaveLength(4);
    const kept = formIn(page.html);
    expect(kept).toMatchObject({ last_name: 'x"y<z', 'answer-age': 'seven', 'answer-size': 'M', 'answer-vegan': 'no' });
    expect(page.html.match(/ checked/g)).toHaveLength(2);
    expect((await now('strict', made.id)).attendees[0].answers).toEqual(answers);
    const fixed = {
      ...typed,
      ...kept,
      first_name: 'Ada',
      'answer-age': '8,5',
      'answer-born': '2000-02-29',
      'answer-days': ['Dinner'],
      'answer-story': 'a\r\nb\u0000',
    };
    expect((await pages.post(path, fixed)).status).toBe(303);
    expect((await now('strict', made.id)).attendees[0].answers).toEqual({
      age: 8.5,
      born: '2000-02-29',
      size: 'M',
      days: ['Dinner'],
      vegan: false,
      story: 'a\nb',
    });
  });

  test('sent twice is done once, and with other values it has to be sent again', async () => {
    const made = await register('open');
    const path = `${await pages.link(made)}/people/${made.attendees[0].id}/change`;
    const form = formIn((await pages.get(path)).html);
    const first = { ...form, first_name: 'One' };
    expect((await pages.post(path, first)).status).toBe(303);
    await pages.send(path, { first_name: 'Two' });
    expect((await pages.post(path, first)).status).toBe(303);
    expect((await now('open', made.id)).attendees[0].first_name).toBe('Two');
    const reused = await pages.post(path, { ...form, first_name: 'Three' });
    expect([reused.status, formIn(reused.html).first_name]).toEqual([422, 'Three']);
    expect(reused.text).toContain('send it again');
    expect((await pages.post(path, formIn(reused.html))).status).toBe(303);
    expect((await now('open', made.id)).attendees[0].first_name).toBe('Three');
  });

  test('is not mentioned where the event does not allow it, and refused', async () => {
    const made = await register('quiet');
    const link = await pages.link(made);
    expect((await pages.get(link)).text).not.toMatch(/Change|Hand on|Cancel|Possible/);
    const fields = { first_name: 'Eve', last_name: 'Eve', email: 'eve@example.org' };
    for (const path of [
      `/people/${made.attendees[0].id}/change`,
      `/people/${made.attendees[0].id}/hand-on`,
      `/people/${made.attendees[0].id}/cancel`,
      '/cancel',
    ]) {
      expect((await pages.get(link + path)).headers.get('location'), path).toBe(`${link}?done=stale`);
      expect((await pages.post(link + path, fields)).headers.get('location'), path).toBe(`${link}?done=stale`);
    }
    expect(await now('quiet', made.id)).toEqual(made);
  });
});
