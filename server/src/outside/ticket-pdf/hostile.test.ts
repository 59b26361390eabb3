import { expect, test } from 'vitest';
import { shorten } from './break-lines.ts';
import { renderTicketPdf } from './render.ts';
import type { TicketPrint } from './ticket.ts';

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
