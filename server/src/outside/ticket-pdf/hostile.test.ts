import { expect, test } from 'vitest';
import { shorten } from './break-lines.ts';
import { facesFor } from './fonts.ts';
import { renderTicketPdf } from './render.ts';
import type { TicketPrint } from './ticket.ts';
import { sample } from './ticket-pdf.support.ts';

test('a text that does not fit is shortened to the longest beginning that fits, with few measurements', () => {
  let looks = 0;
  const measure = (text: string) => {
    looks += 1;
    return text.length;
  };
  expect(shorten('x'.repeat(4000), 100, measure)).toBe(`${'x'.repeat(99)}…`);
  expect(looks).toBeLessThan(20);
  expect(shorten('short', 100, measure)).toBe('short');
  expect(shorten('x'.repeat(10), 0, measure)).toBe('…');
});

/** Different Chinese letters, beginning with another one for each `start`. */
const rareLetters = (start: number, count: number): string =>
  Array.from({ length: count }, (_, n) => String.fromCodePoint(0x4e00 + (((start + n) * 7919) % 20_000))).join('');

// When every letter looked for its font by itself, one such ticket took 40 s of processor time; now it takes about one.
test.each(['a4', 'phone'] as const)('200 attendees whose names are all of different letters: %s', async (format) => {
  const people = Array.from({ length: 200 }, (_, n) => ({
    name: `${rareLetters(n * 198, 99)} ${rareLetters(n * 198 + 99, 99)}`,
    attendee_type: 'Adult',
  }));
  const { user } = process.cpuUsage();
  expect((await renderTicketPdf({ ...sample, people }, format)).subarray(0, 5).toString()).toBe('%PDF-');
  expect((process.cpuUsage().user - user) / 1000).toBeLessThan(10_000);
});

test('the letters that can be seen of a long name are those of the whole name', async () => {
  const long = rareLetters(1, 198);
  const people = (name: string) => Array.from({ length: 10 }, () => ({ name, attendee_type: 'Adult' }));
  const whole = await renderTicketPdf({ ...sample, people: people(long) }, 'a4');
  expect(whole).toEqual(await renderTicketPdf({ ...sample, people: people(long.slice(0, 100)) }, 'a4'));
});

test('a document uses a limited number of different letters', async () => {
  const faces = await facesFor([rareLetters(0, 20_000)], 'en');
  const drawn = [...rareLetters(0, 20_000)].filter(
    (letter) => faces.of(letter.codePointAt(0)!, 'regular') !== undefined,
  );
  expect(drawn).toHaveLength(2000);
});

test('a shared ticket of 200 attendees with the longest names is printed in reasonable time', async () => {
  const name = 'سلام'.repeat(50);
  const ticket: TicketPrint = {
    code: '7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N',
    event: {
      name,
      venue: name,
      terms: null,
      timezone: 'Europe/Berlin',
      language: 'en',
      starts_at: null,
      ends_at: null,
    },
    organization: { name, terminology: {} },
    people: Array.from({ length: 200 }, (_, n) => ({ name: `${name} ${name}${n}`, attendee_type: name })),
    days: [{ name, date: '2026-12-01', opens_at: null, closes_at: null }],
    registration_code: 'K7M2XQ9R4T',
    test: false,
  };
  const { user } = process.cpuUsage();
  expect((await renderTicketPdf(ticket, 'a4')).subarray(0, 5).toString()).toBe('%PDF-');
  // It takes half a second; it took eight and more when every name was shaped once for each of its letters.
  expect((process.cpuUsage().user - user) / 1000).toBeLessThan(4000);
});
