import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  ADA,
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

const NAMES = ['Bea', 'Cem', 'Dia', 'Eva', 'Fay', 'Gil'];

/** The form of an event with five places, filled in for Ada and six others. */
async function sevenFor(waitlist: boolean) {
  const types = [{ code: 'adult', name: 'Adult', price_minor: 1000 }];
  const { code } = await x.event({ types, event: { capacity: 5, registration: { waitlist } } });
  const form = await openForm(x, code, '?n-adult=7');
  form.fill(ADA);
  for (const [i, name] of NAMES.entries()) form.fill({ [`p${i + 1}-first`]: name, [`p${i + 1}-last`]: 'B' });
  x.clock.advance(2000);
  return { code, form };
}
const buttonsOf = (html: string): string[] =>
  [...html.matchAll(/<button[^>]* value="([^"]*)"/g)].map(([, value]) => value!).filter((one) => one !== 'add');

describe('seven people, and five places are left', () => {
  test('with a waitlist, the summary says that all wait, and offers the five', async () => {
    const { code, form } = await sevenFor(true);
    const got = await x.post(form.action, form.sent('review'));
    const text = textOf(got.text);
    expect(text).toContain('If you join the waitlist, you all wait together');
    expect(text).toContain('There are places for 5 people: Ada Lovelace, Bea B, Cem B, Dia B, and Eva B.');
    expect(text).not.toContain('tell you how to pay');
    expect(buttonsOf(got.text)).toEqual(['fitting', 'book', 'change']);

    const summary = new Form(got.text, 'register');
    const five = await x.post(summary.action, summary.sent('fitting'));
    expect(textOf(five.text)).toContain('The organizer will tell you how to pay.');
    expect(textOf(five.text)).toContain('€50.00');
    expect(buttonsOf(five.text)).toEqual(['book', 'change']);
    expect((await book(x, new Form(five.text, 'register'))).status).toBe(303);
    const [made] = await x.registrations(code);
    expect([made.status, made.attendees.length]).toEqual(['pending_payment', 5]);
    // The other two wait by themselves, and nobody is offered what is gone.
    expect((await book(x, await summaryOf(x, code, { 'c-email': 'gil@example.org' }))).status).toBe(303);
    expect((await x.registrations(code)).map(({ status }) => status).sort()).toEqual(['pending_payment', 'waitlisted']);
  });

  test('whoever joins the waitlist all the same waits with everybody', async () => {
    const { code, form } = await sevenFor(true);
    expect((await book(x, await review(x, form))).status).toBe(303);
    const [made] = await x.registrations(code);
    expect([made.status, made.attendees.length]).toEqual(['waitlisted', 7]);
  });

  test('a form for the last place that is sent twice registers once', async () => {
    const { code } = await x.event({ event: { capacity: 1, registration: { waitlist: true } } });
    const summary = await summaryOf(x, code);
    const [first, second] = [await book(x, summary), await book(x, summary)];
    expect([first.status, second.status, second.headers.location]).toEqual([303, 303, first.headers.location]);
    expect((await x.registrations(code)).map(({ status }) => status)).toEqual(['confirmed']);
  });

  test('without a waitlist, the summary offers the five and nothing that would be refused', async () => {
    const { form } = await sevenFor(false);
    const got = await x.post(form.action, form.sent('review'));
    expect(textOf(got.text)).toContain('There aren’t enough places for everyone. There are places for 5 people:');
    expect(buttonsOf(got.text)).toEqual(['fitting', 'change']);
  });
});

describe('a day that is over', () => {
  const days = [
    { code: 'sat', name: 'Saturday', date: '2030-06-01' },
    { code: 'sun', name: 'Sunday', date: '2030-06-02' },
    { code: 'mon', name: 'Monday', date: '2030-06-03' },
  ];

  test('is not offered, and a form that was opened before it ended is told so', async () => {
    // An installation of its own, whose clock is moved until the event is over.
    const x = await openPages();
    onTestFinished(() => x.t.stop());
    const { code } = await x.event({
      days,
      types: [
        { code: 'adult', name: 'Adult' },
        { code: 'opening', name: 'Opening night', days: ['sat'] },
        { code: 'pass', name: 'Three-day pass', pass_days: 3 },
      ],
    });
    x.clock.jump('2030-06-01T12:00:00Z');
    const form = (await openForm(x, code)).fill({ ...ADA, 'p0-days': ['sat'] });
    const summary = await review(x, form);
    x.clock.jump('2030-06-02T00:00:00Z');
    const late = await book(x, summary);
    expect([late.status, faultsOf(late.text).title]).toEqual([
      422,
      'This day is over, or it isn’t offered for this type.',
    ]);
    expect(await x.registrations(code)).toEqual([]);
    expect(late.text).toContain('value="sun"');
    expect(late.text).not.toContain('value="sat"');
    const page = await x.get(`/o/acme/${code}`);
    expect(textOf(page.text)).toMatch(/Saturday .{1,20}2030 over/);
    // Nor is what is only for that day, or needs it. It is over, and not sold out.
    expect(textOf(page.text)).toMatch(/Opening night free over Three-day pass free over/);

    // The last day need not be chosen.
    x.clock.jump('2030-06-03T12:00:00Z');
    const last = (await openForm(x, code)).fill(ADA);
    expect(last.names).not.toContain('p0-days');
    x.clock.advance(2000);
    expect((await book(x, await review(x, last))).status).toBe(303);
    expect((await x.registrations(code))[0].attendees[0].days).toEqual(['mon']);
    x.clock.jump('2030-06-04T00:00:00Z');
    expect(textOf((await x.get(`/o/acme/${code}`)).text)).toContain('Registration is closed.');
  });
});
