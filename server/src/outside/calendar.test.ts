import { expect, test } from 'vitest';
import { type Appointment, calendarOf } from './calendar.ts';

const fair: Appointment = {
  uid: '01JBJ4W1Z6M3P8R5S2T7V4X9YD.K7M2XQ9R4T@turnout',
  start: '2027-06-12T07:00:00.000000Z',
  end: '2027-06-12T16:30:00+02:00',
  summary: 'Lakeside Fair: Opening day',
  location: 'Boathouse, Lake Road 1',
  description: 'Registration: K7M2XQ9R4T',
};
const at = new Date('2026-11-16T06:00:00.5Z');
const written = (one: Partial<Appointment>) =>
  calendarOf({ method: 'PUBLISH', at, appointments: [{ ...fair, ...one }] });
const unfolded = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

test('times are in UTC, whole days are dates, and commas are escaped', () => {
  expect(unfolded(written({}))).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Turnout//Turnout//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    'UID:01JBJ4W1Z6M3P8R5S2T7V4X9YD.K7M2XQ9R4T@turnout',
    'DTSTAMP:20261116T060000Z',
    'SEQUENCE:216972000',
    'DTSTART:20270612T070000Z',
    'DTEND:20270612T143000Z',
    'SUMMARY:Lakeside Fair: Opening day',
    'LOCATION:Boathouse\\, Lake Road 1',
    'DESCRIPTION:Registration: K7M2XQ9R4T',
    'STATUS:CONFIRMED',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
  const whole = unfolded(written({ start: '2027-06-12', end: '2027-06-13' }));
  expect(whole).toContain('DTSTART;VALUE=DATE:20270612');
  expect(whole).toContain('DTEND;VALUE=DATE:20270613');
});

test('a later state of an appointment has the same UID and a higher SEQUENCE', () => {
  const later = new Date(at.getTime() + 1000);
  const [first, second] = [written({}), calendarOf({ method: 'CANCEL', at: later, appointments: [fair] })].map((text) =>
    unfolded(text),
  );
  const of = (lines: string[] | undefined, name: string) => lines?.find((line) => line.startsWith(`${name}:`));
  expect(of(second, 'UID')).toBe(of(first, 'UID'));
  expect([of(first, 'SEQUENCE'), of(second, 'SEQUENCE')]).toEqual(['SEQUENCE:216972000', 'SEQUENCE:216972001']);
  expect([of(second, 'METHOD'), of(second, 'STATUS')]).toEqual(['METHOD:CANCEL', 'STATUS:CANCELLED']);
});

test('no text can begin another property, and no line is longer than 75 octets', () => {
  const evil = 'a\r\nATTACH:https://evil.example/\nEND:VEVENT\u2028X:1\u0085Y:2\\n;,\ud800';
  const long = `${'ä'.repeat(100)}${'👩‍👩‍👧'.repeat(30)}`;
  const text = written({ summary: evil + long, location: evil, description: long, uid: evil });
  expect(text.match(/^(ATTACH|X|Y|END:VEVENT)/gm)).toEqual(['END:VEVENT']);
  expect(unfolded(text).map((line) => line.split(/[:;]/)[0])).toEqual(
    unfolded(written({})).map((line) => line.split(/[:;]/)[0]),
  );
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n\p{Cc}]/u);
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  // No character was cut: the joined lines are the original text.
  expect(unfolded(text).find((line) => line.startsWith('DESCRIPTION'))).toBe(`DESCRIPTION:${long}`);
  expect(unfolded(text).find((line) => line.startsWith('LOCATION'))).toContain('\\\\n\\;\\,');
});

test('an appointment without a location has no LOCATION', () => {
  expect(written({ location: null })).not.toContain('LOCATION');
  expect(written({ location: ' \u200e' })).not.toContain('LOCATION');
});
