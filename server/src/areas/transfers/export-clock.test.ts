import { expect, test } from 'vitest';
import { clockText } from '../../outside/sheet.ts';
import { clockIn } from './export-clock.ts';

// claim: export-times
test.each([
  ['UTC', '2026-11-15T09:30:00Z', '2026-11-15 09:30:00'],
  ['Europe/Berlin', '2026-07-01T22:30:00.999999Z', '2026-07-02 00:30:00'],
  // Clocks change at 01:00 UTC, forward in spring and back in autumn.
  ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29 01:59:59'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25 02:30:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25 02:30:00'],
  // The change is in the middle of an hour of UTC, at one minute past midnight.
  ['America/St_Johns', '2011-03-13T03:30:59Z', '2011-03-13 00:00:59'],
  ['America/St_Johns', '2011-03-13T03:31:00Z', '2011-03-13 01:01:00'],
  ['Asia/Kathmandu', '2026-11-15T09:30:00Z', '2026-11-15 15:15:00'],
  ['Pacific/Apia', '2026-11-15T23:30:00Z', '2026-11-16 12:30:00'],
])('%s at %s', (timezone, at, text) => {
  expect(clockText(clockIn(timezone)(at))).toBe(text);
});

test('every quarter of an hour of a year, in zones of every kind', () => {
  for (const timezone of [
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Africa/Casablanca',
    'Asia/Gaza',
  ]) {
    const clock = clockIn(timezone);
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
    for (let at = Date.UTC(2019, 0, 1); at < Date.UTC(2020, 0, 1); at += 900_000) {
      const text = clockText(clock(new Date(at).toISOString()));
      if (text !== format.format(at)) expect(`${timezone} ${text}`).toBe(`${timezone} ${format.format(at)}`);
    }
  }
});
