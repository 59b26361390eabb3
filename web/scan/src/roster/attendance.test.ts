import { describe, expect, test } from 'vitest';
import type { Whereabouts } from './attendance.ts';
import { Book } from './book.ts';
import { keptEntry, type RosterEntry } from './entry.ts';
import { keyOfHash } from './ids.ts';
import { Packer } from './packer.ts';
import { ADA, MANIFEST } from './testing.ts';

type Person = RosterEntry['people'][number];
const NOW = Date.parse('2027-06-12T12:00:30Z');
const manifest = MANIFEST as ConstructorParameters<typeof Book>[0]['manifest'];

const hashOf = (number: number) => number.toString(16).padStart(2, '0').repeat(32);
const ticket = (number: number, people: readonly Partial<Person>[], more: Partial<RosterEntry> = {}): RosterEntry => ({
  code_sha256: hashOf(number),
  ticket_id: `ticket-${number}`,
  status: 'valid',
  test: false,
  registration_code: '7Q2MXK4P0V',
  people: people.map((one) => ({ ...ADA, id: `${one.first_name} ${one.last_name}`, ...one })),
  ...more,
});
let seq = 0;
const admission = (check_in_point: string, kind: string, at = '2027-06-12T11:58:00Z', day = 'sat') => {
  seq += 1;
  return { check_in_point, kind, day, at, seq };
};

const keyed = (all: readonly RosterEntry[]) =>
  new Map(all.map((one) => [keyOfHash(one.code_sha256), keptEntry(one)] as const));
function bookOf(all: readonly RosterEntry[]): Book {
  const packer = new Packer('Europe/Berlin');
  for (const [key, entry] of keyed(all)) packer.add(key, entry);
  return new Book({ packed: packer.finish(), manifest, test: false });
}
const namesOf = (book: Book, where: Whereabouts, from = 0, count = 100) =>
  book
    .attendance('sat', NOW)
    .list(where, from, count)
    .people.map(({ person }) => `${person.first_name} ${person.last_name}`);

const came = admission('gate', 'entry');
const ROSTER = [
  ticket(1, [
    { first_name: 'Ada', last_name: 'Lovelace', admissions: [came] },
    { first_name: 'Bo', last_name: 'Byron', attendee_type: 'child' },
  ]),
  // The ticket of the same person for another day has the same admissions.
  ticket(2, [{ first_name: 'Ada', last_name: 'Lovelace', days: ['sun'], admissions: [came] }]),
  ticket(3, [
    {
      first_name: 'Cy',
      last_name: 'Babbage',
      admissions: [admission('gate', 'entry', '2027-06-12T08:00:00Z'), admission('exit', 'exit')],
    },
  ]),
  ticket(4, [{ first_name: 'Di', last_name: 'Voided' }], { status: 'voided' }),
  ticket(5, [{ first_name: 'Ed', last_name: 'Unpaid', confirmed: false }]),
  ticket(6, [{ first_name: 'Fay', last_name: 'Sunday', days: ['sun'] }]),
  ticket(7, [{ first_name: 'Gil', last_name: 'Admitted', days: ['sun'], admissions: [admission('gate', 'entry')] }]),
];

describe('who came on a day', () => {
  test('is inside or has left, and whoever has a valid ticket for the day is still to come', () => {
    const book = bookOf(ROSTER);
    expect(namesOf(book, 'inside')).toEqual(['Gil Admitted', 'Ada Lovelace']);
    expect(namesOf(book, 'left')).toEqual(['Cy Babbage']);
    expect(namesOf(book, 'awaited')).toEqual(['Bo Byron']);
    expect(book.attendance('sat', NOW).counts(NOW).types).toEqual([
      { attendee_type: 'adult', inside: 2, left: 1, awaited: 0 },
      { attendee_type: 'child', inside: 0, left: 0, awaited: 1 },
    ]);
  });

  test('is counted by the minute, everybody once', () => {
    const { minutes } = bookOf(ROSTER).attendance('sat', NOW).counts(NOW);
    expect(minutes).toHaveLength(60);
    expect(minutes.slice(-3)).toEqual([2, 0, 0]);
    expect(minutes.reduce((a, b) => a + b)).toBe(2);
  });

  test('is the same whether the roster is packed or has changed since', () => {
    const whole = bookOf(ROSTER);
    const changed = bookOf(ROSTER.slice(0, 3));
    changed.apply(keyed(ROSTER.slice(2)));
    for (const where of ['inside', 'left', 'awaited'] as const)
      expect(namesOf(changed, where)).toEqual(namesOf(whole, where));
    expect(changed.attendance('sat', NOW).counts(NOW)).toEqual(whole.attendance('sat', NOW).counts(NOW));
  });

  test('includes what this device admitted and the roster does not know yet', () => {
    const book = bookOf(ROSTER);
    const key = keyOfHash(hashOf(1));
    book.note(
      [
        {
          ...{ client_uuid: 'x', person: 'Bo Byron', ticket: key, check_in_point: 'gate', kind: 'entry', day: 'sat' },
          ...{ at: NOW, n: 1, recorded: null, checkin: null },
        },
      ],
      () => false,
    );
    expect(namesOf(book, 'awaited')).toEqual([]);
    expect(namesOf(book, 'inside')).toEqual(['Gil Admitted', 'Bo Byron', 'Ada Lovelace']);
    expect(book.attendance('sat', NOW).counts(NOW).minutes.at(-1)).toBe(1);
  });

  test('is not left by the exit of a zone', () => {
    const [, , , ...points] = (manifest as unknown as { check_in_points: unknown[] }).check_in_points;
    const zoneExit = { code: 'exit', name: 'Exit', kind: 'exit', policy: { leaves: 'lounge' } };
    const packer = new Packer('Europe/Berlin');
    for (const [key, entry] of keyed(ROSTER)) packer.add(key, entry);
    const check_in_points = [...manifest.check_in_points.slice(0, 4 - points.length), zoneExit] as never;
    const book = new Book({ packed: packer.finish(), manifest: { ...manifest, check_in_points }, test: false });
    expect(namesOf(book, 'inside')).toContain('Cy Babbage');
  });

  test('can be read in parts, in the order of the names; people of one name on one ticket are each there once', () => {
    const twins = ['Lou', 'Ann', 'Lou', 'Max'].map((first_name, i) => ({
      ...{ id: `${i}`, first_name, last_name: 'Twin' },
      attendee_type: i < 2 ? 'adult' : 'child',
      admissions: i === 1 ? [admission('gate', 'entry')] : [],
    }));
    const book = bookOf([ticket(1, twins), ticket(2, [{ first_name: 'Zoë', last_name: 'Abel' }])]);
    expect(namesOf(book, 'awaited', 1, 2)).toEqual(['Lou Twin', 'Lou Twin']);
    const { people, count } = book.attendance('sat', NOW).list('awaited', 0, 100);
    expect(people.map(({ person }) => person.id)).toEqual(['Zoë Abel', '0', '2', '3']);
    expect(count).toBe(4);
  });
});
