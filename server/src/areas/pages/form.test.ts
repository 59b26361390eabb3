import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import { LARGE_FORM } from '../../road/request/form-body.ts';
import { sql } from '../../store/sql.ts';
import { makeToken, readToken } from './form-token.ts';
import {
  ADA,
  ask,
  book,
  Form,
  faultsOf,
  openForm,
  openPages,
  type Pages,
  review,
  summaryOf,
  textOf,
} from './pages.support.ts';

let x: Pages;
beforeAll(async () => {
  x = await openPages();
});
afterAll(() => x.t.stop());

const QUESTIONS = [
  { code: 'nick', label: 'Nickname', kind: 'text', required: true },
  { code: 'about', label: 'About you', kind: 'long_text' },
  { code: 'age', label: 'Age', kind: 'number' },
  { code: 'other', label: 'Other e-mail', kind: 'email' },
  { code: 'call', label: 'Phone at night', kind: 'phone' },
  { code: 'born', label: 'Born on', kind: 'date' },
  { code: 'vegan', label: 'Vegan?', kind: 'yes_no' },
  { code: 'size', label: 'Size', kind: 'choice', options: ['S', 'M', 'L'] },
  { code: 'seat', label: 'Seat', kind: 'choice', options: ['1', '2', '3', '4', '5', '6', '7'] },
  { code: 'wants', label: 'Workshops', kind: 'choices', options: ['Dance', 'Chess & "Go"', 'Cooking'] },
  { code: 'school', label: 'School', kind: 'text', required: true, attendee_types: ['child'] },
];
const DAYS = [
  { code: 'sat', name: 'Saturday', date: '2030-06-01' },
  { code: 'sun', name: 'Sunday', date: '2030-06-02' },
];
const TYPES = [
  { code: 'adult', name: 'Adult', price_minor: 1250 },
  { code: 'child', name: 'Child', price_minor: 500 },
];
const whole = (more: object = {}) => x.event({ days: DAYS, types: TYPES, questions: QUESTIONS, event: more });

describe('without JavaScript', () => {
  test('choose, fill in, correct, look through, book', async () => {
    const { code } = await whole();
    const page = await x.get(`/o/acme/${code}`);
    const choose = new Form(page.text, 'choose');
    choose.fill({ 'n-adult': '1', 'n-child': '1' });
    const opened = await x.get(`${choose.action}?${choose.sent()}`);
    const form = new Form(opened.text, 'register');
    expect(form.names.filter((name) => name.endsWith('-type'))).toEqual(['p0-type', 'p1-type', 'add-type']);
    expect([form.get('p0-type'), form.get('p1-type')]).toEqual(['adult', 'child']);
    // Only children are asked for their school.
    expect(form.names.filter((name) => name.endsWith('-q-school'))).toEqual(['p1-q-school']);

    // Everything that is wrong is said at once, beside its field, and nothing that was typed is lost.
    const typed = {
      'c-first': 'Ada <b>',
      'c-last': '',
      'c-email': 'not an address',
      'c-phone': '+49 30 1',
      'p0-days': [],
      'p0-q-about': '\n"one"\n</textarea><script>two</script>',
      'p0-q-age': 'many',
      'p0-q-other': 'nobody',
      'p0-q-call': 'no',
      'p0-q-born': '2030-02-31',
      'p0-q-vegan': 'no',
      'p0-q-size': 'M',
      'p0-q-seat': '7',
      'p0-q-wants': ['Dance', 'Chess & "Go"'],
      'p1-first': 'Byron',
      'p1-days': ['sun'],
    };
    const refused = await x.post(form.action, form.fill(typed).sent('review'));
    expect(refused.status).toBe(422);
    const { title, fields } = faultsOf(refused.text);
    expect(title).toBe('11 things are missing or wrong.');
    expect(fields).toEqual({
      'c-last': 'Fill this in.',
      'c-email': 'Enter an e-mail such as name@example.org.',
      'p0-days': 'Choose at least one.',
      'p0-q-nick': 'Fill this in.',
      'p0-q-age': 'Enter a number.',
      'p0-q-other': 'Enter an e-mail such as name@example.org.',
      'p0-q-call': expect.stringMatching(/phone number/),
      'p0-q-born': expect.any(String),
      'p1-last': 'Fill this in.',
      'p1-q-nick': 'Fill this in.',
      'p1-q-school': 'Fill this in.',
    });
    const kept = new Form(refused.text, 'register');
    for (const [name, value] of Object.entries(typed)) {
      expect([name, kept.all(name)]).toEqual([name, typeof value === 'string' ? [value] : value]);
    }
    expect(await x.registrations(code)).toEqual([]);

    kept.fill({
      'c-first': ' Ada ',
      'c-last': 'Lovelace',
      'c-email': 'ada@example.org',
      'p0-days': ['sat', 'sun'],
      'p0-q-nick': 'A',
      'p0-q-age': '36,5',
      'p0-q-other': 'a@b.example',
      'p0-q-call': '+49 30 1234',
      'p0-q-born': '1985-12-10',
      'p1-last': 'King',
      'p1-email': 'byron@example.org',
      'p1-q-nick': 'B',
      'p1-q-school': 'Ockham',
    });
    const looked = await x.post(kept.action, kept.sent('review'));
    expect(faultsOf(looked.text).fields).toEqual({});
    expect(looked.status).toBe(200);
    const text = textOf(looked.text);
    for (const shown of ['Ada Lovelace', 'Byron King', 'Saturday and Sunday', 'Total €17.50', '+49 30 1'])
      expect(text).toContain(shown);
    // What each person answered is below their name.
    const [first, second] = [text.indexOf('Ada Lovelace'), text.indexOf('Byron King')];
    for (const answer of ['36.5', 'a@b.example', 'No', 'Dance, Chess & "Go"'])
      expect(text.slice(first, second)).toContain(answer);
    expect(text.slice(second)).toContain('Ockham');
    expect(await x.registrations(code)).toEqual([]);

    // Back to the form from there, with everything.
    const summary = new Form(looked.text, 'register');
    const again = new Form((await x.post(summary.action, summary.sent('change'))).text, 'register');
    for (const name of ['c-phone', 'p0-days', 'p0-q-about', 'p0-q-wants', 'p1-email', 'p1-q-school'])
      expect([name, again.all(name)]).toEqual([name, kept.all(name)]);

    x.clock.advance(2000);
    const done = await book(x, await review(x, again));
    expect(done.status).toBe(303);
    expect(done.headers.location).toMatch(/^\/o\/acme\/my\/[\w-]{43}\?done=registered$/);
    const [registration, ...others] = await x.registrations(code);
    expect(others).toEqual([]);
    expect(registration).toMatchObject({
      source: 'form',
      status: 'pending_payment',
      total_minor: 1750,
      contact: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.org',
        phone: '+49 30 1',
        language: 'en',
      },
      attendees: [
        {
          attendee_type: 'adult',
          first_name: 'Ada',
          email: 'ada@example.org',
          days: ['sat', 'sun'],
          answers: {
            nick: 'A',
            about: '\n"one"\n</textarea><script>two</script>',
            age: 36.5,
            other: 'a@b.example',
            call: '+49 30 1234',
            born: '1985-12-10',
            vegan: false,
            size: 'M',
            seat: '7',
            wants: ['Dance', 'Chess & "Go"'],
          },
        },
        {
          attendee_type: 'child',
          first_name: 'Byron',
          last_name: 'King',
          email: 'byron@example.org',
          phone: null,
          days: ['sun'],
          answers: { nick: 'B', school: 'Ockham' },
        },
      ],
    });
    const { data } = await x.api('GET', `/audit-log?object=${registration.id}`);
    expect(data).toMatchObject([
      { action: 'registration.created', source: 'pages', actor: { kind: 'visitor', name: 'Registration form' } },
    ]);
  });

  test('a text of several lines may be as long as its field allows', async () => {
    const { code } = await whole();
    const about = `${'a'.repeat(4980)}${'\n'.repeat(20)}`;
    await summaryOf(x, code, { 'p0-days': ['sat'], 'p0-q-nick': 'A', 'p0-q-about': about });
    const form = (await openForm(x, code)).fill({ ...ADA, 'p0-q-about': `${about}a` });
    const refused = await x.post(form.action, form.sent('review'));
    expect(faultsOf(refused.text).fields['p0-q-about']).toBe('Use at most 5,000 characters.');
  });

  test('a person is added and removed, and everybody else keeps what was typed', async () => {
    const { code } = await whole({ registration: { max_people: 3 } });
    const first = (await openForm(x, code)).fill({ ...ADA, 'p0-q-nick': 'A', 'p0-days': ['sun'], 'add-type': 'child' });
    const two = new Form((await x.post(first.action, first.sent('add'))).text, 'register');
    expect([two.get('c-email'), two.get('p0-q-nick'), two.all('p0-days')]).toEqual(['ada@example.org', 'A', ['sun']]);
    two.fill({ 'p1-first': 'Byron', 'p1-q-school': 'Ockham', 'p1-days': ['sat'], 'add-type': 'adult' });
    const three = new Form((await x.post(two.action, two.sent('add'))).text, 'register');
    expect(['p0', 'p1', 'p2'].map((who) => three.get(`${who}-type`))).toEqual(['adult', 'child', 'adult']);
    // No more than the event takes together.
    expect(three.buttons.some(([, value]) => value === 'add')).toBe(false);
    const four = await x.post(three.action, `${three.sent()}&do=add&add-type=adult`);
    expect(new Form(four.text, 'register').get('p3-type')).toBeNull();
    three.fill({ 'p2-first': 'Annabella', 'p2-q-nick': 'C' });
    const fewer = new Form((await x.post(three.action, three.sent('remove-1'))).text, 'register');
    expect([fewer.get('p1-type'), fewer.get('p1-first'), fewer.get('p1-q-nick'), fewer.get('p2-type')]).toEqual([
      'adult',
      'Annabella',
      'C',
      null,
    ]);
    expect([fewer.get('p0-q-nick'), fewer.all('p0-days')]).toEqual(['A', ['sun']]);
  });

  test.each([
    ['approval', { registration: { approval: true } }, 'pending_approval', 'Send request'],
    ['payment', {}, 'pending_payment', 'The organizer will tell you how to pay.'],
    [
      'payment by transfer',
      { payment_instructions: 'IBAN' },
      'pending_payment',
      'You’ll get payment details by e-mail.',
    ],
    ['waitlist', { capacity: 1, registration: { waitlist: true } }, 'waitlisted', 'Join the waitlist'],
  ])('%s: what happens next is said before, and happens', async (_, event, status, label) => {
    const { code } = await x.event({ event, types: [{ code: 'adult', name: 'Adult', price_minor: 100 }] });
    const people = [{ attendee_type: 'adult', first_name: 'Eve', last_name: 'First' }];
    if (status === 'waitlisted') await x.api('POST', `/events/${code}/registrations`, { attendees: people });
    const form = (await openForm(x, code)).fill(ADA);
    x.clock.advance(2000);
    const summary = await x.post(form.action, form.sent('review'));
    expect(textOf(summary.text)).toContain(label);
    // Nobody can pay online here.
    expect(textOf(summary.text)).not.toContain('and pay');
    expect((await book(x, new Form(summary.text, 'register'))).status).toBe(303);
    const registered = await x.registrations(code);
    expect(registered.find(({ source }) => source === 'form')).toMatchObject({ status, total_minor: 100 });
  });

  test('a free place of an event with one day and one type is confirmed at once', async () => {
    const { code } = await x.event();
    expect((await book(x, await summaryOf(x, code))).status).toBe(303);
    expect(await x.registrations(code)).toMatchObject([
      { status: 'confirmed', attendees: [{ first_name: 'Ada', email: 'ada@example.org', days: ['d1'] }] },
    ]);
  });

  test('in a frame the result opens in the window, and every step stays in the frame', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code, {}, '?embed=1&lang=fr');
    expect(summary.action).toBe(`/o/acme/${code}/register?lang=fr&embed=1`);
    const done = await book(x, summary);
    expect(done.headers.location).toMatch(new RegExp(`^/o/acme/${code}/done\\?lang=fr&embed=1&r=[\\w-]{43}$`));
    const page = await x.get(done.headers.location!);
    const link = /<a class="button" href="(\/o\/acme\/my\/[\w-]{43}\?lang=fr)" target="_top">/.exec(page.text);
    expect(link).not.toBeNull();
  });
});

describe('the token of a form', () => {
  test('a form that is sent twice registers once, and both are answered the same', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    const first = await book(x, summary);
    const second = await book(x, summary);
    expect(second.status).toBe(303);
    expect(second.headers.location).toBe(first.headers.location);
    expect(await x.registrations(code)).toHaveLength(1);
  });

  test('one that was sent and is then sent with something else comes back to be looked through', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    expect((await book(x, summary)).status).toBe(303);
    const again = await book(x, summary.fill({ 'c-first': 'Augusta' }), { 'accept-language': 'de' });
    expect(again.status).toBe(422);
    expect(faultsOf(again.text).title).toBe('Prüfen Sie alles noch einmal und schicken Sie es erneut ab.');
    expect(await x.registrations(code)).toHaveLength(1);
  });

  test('also when both arrive at the same moment', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    const both = await Promise.all([book(x, summary), book(x, summary)]);
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(both[0]!.headers.location).toBe(both[1]!.headers.location);
    expect(await x.registrations(code)).toHaveLength(1);
  });

  test.each([
    ['forged', async () => Buffer.alloc(38, 1).toString('base64url')],
    ['of another event', async () => (await openForm(x, (await x.event()).code)).get('token')!],
    ['missing', async () => ''],
    ['not a token at all', async () => '\u0000🙂'.repeat(100)],
  ])('%s: the summary comes back, and nothing is booked until it is sent again', async (_, other) => {
    const { code } = await x.event();
    const token = await other();
    const summary = await summaryOf(x, code);
    x.clock.advance(MINUTE);
    const refused = await book(x, summary.put('token', [token]));
    expect(refused.status).toBe(422);
    expect(faultsOf(refused.text).title).toBe('Check everything once more and send it again.');
    expect(await x.registrations(code)).toEqual([]);
    // A person who sends it again gets through, as soon as a person can.
    const again = new Form(refused.text, 'register');
    expect((await book(x, again)).status).toBe(422);
    x.clock.advance(2000);
    expect((await book(x, again)).status).toBe(303);
  });

  test('too young: sent within two seconds of being opened', async () => {
    const { code } = await x.event();
    const form = (await openForm(x, code)).fill(ADA);
    const summary = await review(x, form);
    x.clock.advance(1999);
    expect((await book(x, summary)).status).toBe(422);
    expect(await x.registrations(code)).toEqual([]);
    x.clock.advance(1);
    expect((await book(x, summary)).status).toBe(303);
  });

  test('too old: opened more than a day ago', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    x.clock.advance(DAY - 2000);
    expect((await book(x, summary)).status).toBe(303);
    const older = await summaryOf(x, code);
    x.clock.advance(DAY + 1 - 2000);
    const refused = await book(x, older);
    expect(refused.status).toBe(422);
    expect(faultsOf(refused.text).title).toContain('open for a long time');
    expect(await x.registrations(code)).toHaveLength(1);
    x.clock.advance(2000);
    expect((await book(x, new Form(refused.text, 'register'))).status).toBe(303);
  });

  test('the hidden field is filled in', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    const refused = await book(x, summary.put('website', ['https://spam.example']));
    expect(refused.status).toBe(422);
    expect(await x.registrations(code)).toEqual([]);
    expect(new Form(refused.text, 'register').get('c-email')).toBe('ada@example.org');
  });

  test('one token has one spelling, so nobody can register twice with it', async () => {
    const secrets = new Secrets(Buffer.alloc(32, 7));
    const event = '00000000-0000-4000-8000-000000000001' as Id;
    const token = makeToken(secrets, event, 1234);
    expect(readToken(secrets, event, token)).toMatchObject({ opened: 1234 });
    for (const other of [
      `${token}=`,
      ` ${token}`,
      `${token}\n`,
      `${token}!`,
      `${token}${' '.repeat(100_000)}`,
      token.slice(1),
    ])
      expect(readToken(secrets, event, other)).toBeNull();
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    expect((await book(x, summary)).status).toBe(303);
    const sameAgain = summary.put('token', [`${summary.get('token')}\u0000${'!'.repeat(5000)}`]);
    expect((await book(x, sameAgain)).status).toBe(422);
    expect(await x.registrations(code)).toHaveLength(1);
  });
});

describe('many forms from one address', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  /** Books until it is refused; each form is another one. */
  async function flood(code: string, count: number, address: (i: number) => string): Promise<number[]> {
    const form = (await openForm(x, code)).fill(ADA);
    x.clock.advance(2000);
    const statuses: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const summary = new Form((await x.post(form.action, form.sent('review'))).text, 'register');
      statuses.push((await book(x, summary, from(address(i)))).status);
    }
    return statuses;
  }

  test('the 31st in ten minutes is 429 with the form kept, and others are not affected', async () => {
    const { code } = await x.event();
    expect(await flood(code, 30, () => '198.51.100.7')).toEqual(Array(30).fill(303));
    const summary = await summaryOf(x, code, { 'c-phone': '+49 30 1' });
    const refused = await book(x, summary, from('198.51.100.7'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(590);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(600);
    expect(faultsOf(refused.text).title).toContain('Your entries are kept: send this form again in 10 minutes.');
    const kept = new Form(refused.text, 'register');
    expect([kept.get('c-phone'), kept.get('total')]).toEqual(['+49 30 1', '0']);
    expect(await x.registrations(code)).toHaveLength(30);
    // Another address, another event, and an address that somebody only claims in front of the proxy's.
    expect((await book(x, await summaryOf(x, code), from('198.51.100.8'))).status).toBe(303);
    expect((await book(x, await summaryOf(x, (await x.event()).code), from('198.51.100.7'))).status).toBe(303);
    expect((await book(x, await summaryOf(x, code), from('203.0.113.1, 198.51.100.7'))).status).toBe(429);
    x.clock.advance(10 * MINUTE);
    expect((await book(x, kept, from('198.51.100.7'))).status).toBe(303);
  });

  test('of a thousand forms of one IPv6 network at most thirty register', async () => {
    const { code } = await x.event();
    const form = (await openForm(x, code)).fill(ADA);
    x.clock.advance(2000);
    const summary = await review(x, form);
    const secrets = new Secrets(Buffer.alloc(32, 7));
    const id = toUuid((await x.api('GET', `/events/${code}`)).id);
    const now = x.clock.now().getTime();
    let next = 0;
    const statuses = new Map<number, number>();
    const sender = async () => {
      for (let i = next++; i < 1000; i = next++) {
        const fields = new URLSearchParams(summary.sent('book'));
        fields.set('token', makeToken(secrets, id, now - 5000));
        const { status } = await x.post(
          summary.action,
          fields,
          from(`2001:db8:1:2:${i.toString(16)}::${i.toString(16)}`),
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 10 }, sender));
    expect(Object.fromEntries(statuses)).toEqual({ 303: 30, 429: 970 });
    expect(await x.registrations(code)).toHaveLength(30);
    expect((await book(x, await summaryOf(x, code), from('2001:db8:1:3::1'))).status).toBe(303);
  });
});

describe('what changed while the form was open', () => {
  test('the event closed', async () => {
    const { code } = await x.event();
    const form = (await openForm(x, code)).fill(ADA);
    const summary = await summaryOf(x, code);
    await x.api('POST', `/events/${code}/close`);
    for (const [sent, button] of [
      [form, 'review'],
      [summary, 'book'],
    ] as const) {
      const refused = await x.post(sent.action, sent.sent(button));
      expect([refused.status, faultsOf(refused.text).title]).toEqual([422, 'Registration is closed.']);
      expect(new Form(refused.text, 'register').get('c-email')).toBe('ada@example.org');
    }
    expect(await x.registrations(code)).toEqual([]);
    const late = await x.get(`/o/acme/${code}/register`);
    expect([late.status, late.headers.location]).toEqual([303, `/o/acme/${code}`]);
  });

  test('registration ended to the millisecond', async () => {
    const until = new Date(x.clock.now().getTime() + HOUR);
    const { code } = await x.event({ event: { registration: { closes_at: until.toISOString() } } });
    const summary = await summaryOf(x, code);
    x.clock.jump(until);
    expect(faultsOf((await book(x, summary)).text).title).toBe('Registration is closed.');
    expect(await x.registrations(code)).toEqual([]);
  });

  test('the price: 409, the new total, nothing booked; then it can be booked', async () => {
    const { code } = await x.event({ types: TYPES });
    const summary = await summaryOf(x, code);
    await x.api('PATCH', `/events/${code}/attendee-types/adult`, { price_minor: 9900 });
    const refused = await book(x, summary);
    expect(refused.status).toBe(409);
    expect(faultsOf(refused.text).title).toContain('The price has changed');
    expect(textOf(refused.text)).toContain('Total €99.00');
    expect(await x.registrations(code)).toEqual([]);
    const again = new Form(refused.text, 'register');
    expect([again.get('total'), again.get('c-email')]).toEqual(['9900', 'ada@example.org']);
    expect((await book(x, again)).status).toBe(303);
    expect(await x.registrations(code)).toMatchObject([{ total_minor: 9900 }]);
  });

  test('a total that was never shown is shown first', async () => {
    const { code } = await x.event({ types: TYPES });
    const summary = await summaryOf(x, code);
    for (const total of [[], ['x'], ['-1'], ['1e3']]) {
      const shown = await book(x, summary.put('total', total));
      expect([shown.status, new Form(shown.text, 'register').get('total')]).toEqual([200, '1250']);
    }
    expect(await x.registrations(code)).toEqual([]);
  });

  test('the type was hidden, or deleted', async () => {
    const { code } = await x.event({ types: TYPES });
    const summary = await summaryOf(x, code, {}, '?n-child=1');
    expect(summary.get('p0-type')).toBe('child');
    await x.api('PATCH', `/events/${code}/attendee-types/child`, { visible: false });
    const refused = await book(x, summary);
    expect([refused.status, faultsOf(refused.text).title]).toEqual([422, 'This type isn’t offered any more.']);
    expect(new Form(refused.text, 'register').get('c-email')).toBe('ada@example.org');
    const german = await x.post(`${summary.action}?lang=de`, summary.sent('book'));
    expect(faultsOf(german.text).title).toBe('Diese Art wird nicht mehr angeboten.');
    await x.api('DELETE', `/events/${code}/attendee-types/child`);
    expect((await book(x, summary)).status).toBe(422);
    expect(await x.registrations(code)).toEqual([]);
  });

  test('of several refusals the form says the one that the API says', async () => {
    const { code } = await x.event({
      days: DAYS,
      types: [
        { code: 'adult', name: 'Adult', days: ['sat'] },
        { code: 'child', name: 'Child' },
      ],
    });
    const people = { 'p1-first': 'B', 'p1-last': 'B', 'p1-days': ['sun'] };
    const summary = await summaryOf(x, code, people, '?n-adult=1&n-child=1');
    await x.api('PATCH', `/events/${code}/attendee-types/child`, { visible: false });
    const refused = await book(x, summary.put('p0-days', ['sun']));
    expect(faultsOf(refused.text).title).toBe('This type isn’t offered any more.');
  });

  test('the last place went: what is refused is said, and the form is kept', async () => {
    const { code } = await x.event({
      event: { capacity: 1 },
      questions: [{ code: 'nick', label: 'Nickname', kind: 'text' }],
    });
    const [first, second] = [await summaryOf(x, code), await summaryOf(x, code, { 'p0-q-nick': 'B' })];
    expect((await book(x, first)).status).toBe(303);
    const refused = await book(x, second);
    expect([refused.status, faultsOf(refused.text).title]).toEqual([409, 'There are no places left.']);
    expect(new Form(refused.text, 'register').get('p0-q-nick')).toBe('B');
    expect(await x.registrations(code)).toHaveLength(1);
  });

  test('a day went full between looking through and booking', async () => {
    const { code } = await x.event({ days: [{ ...DAYS[0], capacity: 1 }, DAYS[1]!] });
    const second = await summaryOf(x, code, { 'p0-days': ['sat', 'sun'] });
    expect((await book(x, await summaryOf(x, code, { 'p0-days': ['sat'] }))).status).toBe(303);
    const refused = await book(x, second);
    expect([refused.status, faultsOf(refused.text).title]).toEqual([409, 'There are no places left on this day.']);
    const kept = new Form(refused.text, 'register').fill({ 'p0-days': ['sun'] });
    expect((await book(x, await review(x, kept))).status).toBe(303);
  });
});

describe('events that take every address once', () => {
  const once = (more: object = {}) => x.event({ event: { ...more, registration: { unique_email: true, ...more } } });
  /** Everything of an answer that a visitor could compare. */
  const seen = ({ status, headers, text }: Awaited<ReturnType<typeof book>>) => {
    const { 'x-request-id': _id, date: _date, ...rest } = headers;
    // The token of a form is new in each answer, and as long as every other.
    return { status, rest, text: text.replaceAll(/name="token" value="[\w-]{51}"/g, 'token') };
  };
  /** What comes back for an address that is registered, and for one that is not. Both have the same length. */
  async function answers(code: string, others: () => Promise<unknown> = async () => {}) {
    const [known, unknown] = [await summaryOf(x, code), await summaryOf(x, code, { 'c-email': 'eve@example.org' })];
    await others();
    return {
      known: seen(await book(x, known)),
      unknown: seen(await book(x, unknown)),
      count: (await x.registrations(code)).length,
    };
  }
  const hidden = (text: string) => text.replaceAll('eve@', 'ada@');

  test('the answer to a known address is byte for byte that to an unknown one', async () => {
    const { code } = await once();
    const first = await book(x, await summaryOf(x, code));
    expect([first.status, first.headers.location]).toEqual([303, `/o/acme/${code}/done`]);
    const { known, unknown, count } = await answers(code);
    expect(known).toEqual(unknown);
    expect(known.rest.location).toBe(`/o/acme/${code}/done`);
    expect(count).toBe(2);
    const page = await x.get(known.rest.location!);
    expect(textOf(page.text)).toContain('Thank you. Check your e-mail.');
    expect(page.text).not.toContain('/my/');
  });

  test('also when the event is full, without a waitlist and with one', async () => {
    for (const waitlist of [false, true]) {
      const { code } = await x.event({ event: { capacity: 1, registration: { unique_email: true, waitlist } } });
      expect((await book(x, await summaryOf(x, code))).status).toBe(303);
      const { known, unknown, count } = await answers(code);
      expect({ ...known, text: hidden(known.text) }).toEqual({ ...unknown, text: hidden(unknown.text) });
      expect([known.status, count]).toEqual(waitlist ? [303, 2] : [409, 1]);
    }
  });

  test('also when it is closed, and when the price has changed', async () => {
    const { code } = await once();
    expect((await book(x, await summaryOf(x, code))).status).toBe(303);
    const dearer = await answers(code, () =>
      x.api('PATCH', `/events/${code}/attendee-types/adult`, { price_minor: 100 }),
    );
    expect(hidden(dearer.known.text)).toBe(hidden(dearer.unknown.text));
    expect([dearer.known.status, dearer.unknown.status]).toEqual([409, 409]);
    const closed = await answers(code, () => x.api('POST', `/events/${code}/close`));
    expect(hidden(closed.known.text)).toBe(hidden(closed.unknown.text));
    expect([closed.known.status, closed.count]).toEqual([422, 1]);
  });

  test('one address for two people of a form is a fault of the form', async () => {
    const { code } = await once();
    const form = (await openForm(x, code, '?n-adult=2')).fill({
      ...ADA,
      'p1-first': 'B',
      'p1-last': 'B',
      'p1-email': 'ADA@example.org',
    });
    const refused = await x.post(form.action, form.sent('review'));
    expect(faultsOf(refused.text).fields).toEqual({ 'p1-email': 'An entry appears twice. Remove one of them.' });
  });
});

describe('what no form of ours sends', () => {
  const post = (code: string, body: string, headers: Record<string, string> = {}) =>
    x.post(`/o/acme/${code}/register`, body, headers);

  test('from another site', async () => {
    const { code } = await x.event();
    const sent = String((await summaryOf(x, code)).sent('book'));
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await post(code, sent, { 'sec-fetch-site': site })).status).toBe(403);
    const { port } = new URL(x.t.url);
    const plain = { 'content-type': 'application/x-www-form-urlencoded' };
    const old = (origin: string) =>
      ask(x.t.url, `/o/acme/${code}/register`, { method: 'POST', headers: { ...plain, origin }, body: sent });
    expect((await old('https://evil.example')).status).toBe(403);
    expect((await old('null')).status).toBe(403);
    expect(await x.registrations(code)).toEqual([]);
    expect((await old(`http://127.0.0.1:${port}`)).status).toBe(303);
  });

  test('in another form of content', async () => {
    const { code } = await x.event();
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'nonsense'])
      expect([type, (await post(code, '{}', { 'content-type': type })).status]).toEqual([type, 415]);
  });

  test('more than a form may hold', async () => {
    const { code } = await x.event();
    const start = 'c-first=';
    expect((await post(code, start + 'a'.repeat(LARGE_FORM.bytes - start.length))).status).toBe(422);
    expect((await post(code, start + 'a'.repeat(LARGE_FORM.bytes - start.length + 1))).status).toBe(413);
  });

  test('the most fields that fit: every kind of them is answered, and nothing is registered', async () => {
    const { code } = await whole();
    const sent = (await openForm(x, code)).fill(ADA).sent();
    const fill = (field: (i: number) => string) => {
      const added = Array.from({ length: LARGE_FORM.fields - [...sent].length }, (_, i) => field(i));
      return [String(sent), ...added].join('&');
    };
    for (const field of [
      (i: number) => `f${i}=`,
      (i: number) => `p0-q-f${i}=`,
      () => 'p0-days=sat',
      (i: number) => `p0-days=d${i}`,
      () => 'p0-q-wants=Dance',
      (i: number) => `p${i % 100}-type=adult`,
      () => 'do=book',
      () => '%00=%00',
    ]) {
      const got = await post(code, fill(field));
      expect([field(1), got.status]).toEqual([field(1), 422]);
      expect(new Form(got.text, 'register').get('c-email')).toBe('ada@example.org');
    }
    expect(await x.registrations(code)).toEqual([]);
  });

  test('people beyond the twentieth do not exist', async () => {
    const { code } = await x.event();
    const sent = (await openForm(x, code)).fill(ADA).sent();
    for (const who of ['p19', 'p20', 'p999', 'p-1', 'p01', '__proto__', 'constructor']) {
      sent.append(`${who}-type`, 'adult');
      sent.append(`${who}-first`, 'B');
      sent.append(`${who}-last`, 'B');
    }
    const summary = new Form((await post(code, `${sent}&do=review`)).text, 'register');
    expect(summary.names.filter((name) => name.endsWith('-type'))).toEqual(['p0-type', 'p1-type']);
    x.clock.advance(2000);
    expect((await book(x, summary)).status).toBe(303);
    expect(await x.registrations(code)).toMatchObject([{ attendees: [{ first_name: 'Ada' }, { first_name: 'B' }] }]);
  });

  test.each(['__proto__', 'constructor', 'toString', '\u0000', '🙂', '%00'])('an answer named %j', async (name) => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    const done = await book(x, summary.put(`p0-q-${name}`, ['x']));
    expect(done.status).toBe(303);
    expect(await x.registrations(code)).toMatchObject([{ attendees: [{ answers: {} }] }]);
  });

  test('U+0000 is a fault of the form, wherever it stands', async () => {
    const { code } = await whole();
    const good = { 'p0-days': ['sat'], 'p0-q-nick': 'A' };
    for (const name of [
      'c-first',
      'c-last',
      'c-email',
      'c-phone',
      'p0-first',
      'p0-type',
      'p0-days',
      'p0-q-nick',
      'p0-q-about',
    ]) {
      const refused = await book(x, (await summaryOf(x, code, good)).put(name, ['a\u0000b']));
      expect([name, refused.status]).toEqual([name, 422]);
    }
    expect(await x.registrations(code)).toEqual([]);
  });

  test('any other character is kept as it is', async () => {
    const { code } = await x.event({ questions: [{ code: 'nick', label: 'Nickname', kind: 'text' }] });
    const name = 'Zoë 🧑‍🚀 Ώ \u202e&lt;é\u2028';
    const summary = await summaryOf(x, code, { 'c-first': name, 'p0-q-nick': name });
    expect((await book(x, summary)).status).toBe(303);
    expect(await x.registrations(code)).toMatchObject([
      {
        contact: { first_name: name.trim() },
        attendees: [{ first_name: name.trim(), answers: { nick: name.trim() } }],
      },
    ]);
  });

  test('bytes that are no text arrive as replacement characters, like everywhere in browsers', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    const fields = String(summary.put('c-first', []).sent('book'));
    expect((await post(code, `${fields}&c-first=A%ED%A0%80%FF`)).status).toBe(303);
    expect((await x.registrations(code))[0].contact.first_name).toMatch(/^A\ufffd+$/);
  });

  test('the first of two fields of one name counts', async () => {
    const { code } = await x.event();
    const summary = await summaryOf(x, code);
    expect((await post(code, `${summary.sent('book')}&c-first=Eve&do=change&total=5`)).status).toBe(303);
    expect(await x.registrations(code)).toMatchObject([{ contact: { first_name: 'Ada' } }]);
  });

  test('values of the wrong kind', async () => {
    const { code } = await whole();
    const good = { 'p0-days': ['sat'], 'p0-q-nick': 'A' };
    for (const [name, values] of [
      ['p0-type', ['nobody']],
      ['p0-type', ['']],
      ['p0-days', ['never']],
      ['p0-days', ['sat', 'sat', 'x'.repeat(5000)]],
      ['p0-q-age', ['1e999']],
      ['p0-q-vegan', ['perhaps']],
      ['p0-q-size', ['XXL']],
      ['p0-q-wants', ['Dance', 'Dance']],
      ['p0-q-nick', ['x'.repeat(501)]],
      ['c-first', ['x'.repeat(201)]],
      ['c-first', ['\u200b']],
      ['c-email', [`${'x'.repeat(300)}@example.org`]],
    ] as const) {
      const summary = (await summaryOf(x, code, good)).put(name, values);
      const refused = await book(x, summary);
      expect([name, refused.status]).toEqual([name, 422]);
      expect(Object.keys(faultsOf(refused.text).fields).concat(faultsOf(refused.text).title ?? [])).not.toEqual([]);
    }
    expect(await x.registrations(code)).toEqual([]);
  });

  test('counts of people that are no numbers', async () => {
    const { code } = await x.event();
    for (const [count, people] of [
      ['1e9', 20],
      ['Infinity', 20],
      ['-1', 1],
      ['x', 1],
      ['0', 1],
      ['', 1],
      ['2&n-adult=3', 1],
    ] as const) {
      const form = await openForm(x, code, `?n-adult=${count}`);
      expect([count, form.names.filter((name) => /^p\d+-type$/.test(name)).length]).toEqual([count, people]);
    }
  });

  test('to an event that is not there, not published, or somebody else’s', async () => {
    const { code } = await x.event({ as: 'draft' });
    await x.t.org(`other-${code}`);
    const sent = String((await summaryOf(x, (await x.event()).code)).sent('book'));
    for (const path of [`/o/acme/${code}/register`, '/o/acme/nothing/register', `/o/other-${code}/${code}/register`])
      expect([path, (await x.post(path, sent)).status]).toEqual([path, 404]);
    const count = await x.t.system((tx) =>
      tx.one<{ n: number }>(sql`select count(*)::int as n from registrations r
      join events e on e.id = r.event_id where e.code = ${code}`),
    );
    expect(count.n).toBe(0);
  });
});
