import fc from 'fast-check';
import Papa from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
beforeAll(async () => {
  x = await openImporting();
});
afterAll(() => x.t.stop());

/** Twelve attendees; some share a name, some an address. */
const NAMES = ['Zoë Müller', 'Ada Lovelace', 'Zoë Müller', 'Jean-Luc Ó Briain', 'Ada King', 'José  Núñez'];
interface Person {
  first: string;
  last: string;
  email: string;
  phone: string;
  id: string;
}
const PEOPLE = Array.from({ length: 12 }, (_, n): Person => {
  const [first, ...last] = NAMES[n % NAMES.length]!.split(' ');
  // Attendees who share a name have addresses of their own.
  return {
    first: first!,
    last: last.join(' '),
    email: n % 6 < 2 ? `own${n}@example.org` : 'club@example.org',
    phone: `+49 (30) ${n}00`,
    id: `M-${n}`,
  };
});
// Two attendees of the same name who would also share the club's address.
for (const [n, person] of PEOPLE.entries()) if (n >= 6) person.email = `other${n}@example.org`;

const ways = fc.subarray(['id', 'email', 'phone'] as const, { minLength: 1 });
/** Another spelling that counts as the same. */
const spelling = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(),
  (text: string) => `  ${text.replace(' ', '   ')} `,
);
const fault = fc.constantFrom(null, null, null, null, null, null, 'type', 'day', 'born', 'group');
const said = fc.record({
  ways,
  spelling,
  fault,
  known: fc.boolean(),
  day: fc.constantFrom('fri', 'sat', 'fri; sat', 'Samstag', ''),
  type: fc.constantFrom('adult', 'Erwachsene', ''),
  born: fc.constantFrom('', '1990-12-10', '10.12.1990'),
  group: fc.constantFrom('', 'north', 'Hill'),
  note: fc.constantFrom('', 'a "b", c', '=1+1', 'Zeile\nzwei'),
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

const some = <T>(of: fc.Arbitrary<T>, least: number) =>
  fc
    .tuple(
      fc.subarray(Object.keys(PEOPLE).map(Number), { minLength: least }),
      fc.array(of, { minLength: PEOPLE.length, maxLength: PEOPLE.length }),
      fc.boolean(),
    )
    .map(([who, what, turned]) => {
      const all = who.map((n) => ({ n, ...what[n]! }));
      return turned ? all.reverse() : all;
    });

const HEADINGS = [
  'First name',
  'Last name',
  'Email',
  'Phone',
  'ID',
  'Type',
  'Day',
  'Date of birth',
  'Group',
  'Note',
  'Row',
];
const cells = (one: Said & { n: number }, right: boolean): string[] => {
  const person = PEOPLE[one.n]!;
  const by = (way: 'id' | 'email' | 'phone') => (one.ways.includes(way) ? one.spelling(person[way]) : '');
  const wrong = (what: Said['fault'], is: string, not: string) => (!right && one.fault === what ? not : is);
  return [
    one.spelling(person.first),
    one.spelling(person.last),
    by('email').replaceAll(/\s/g, ''),
    by('phone'),
    by('id'),
    wrong('type', one.type || 'adult', 'vip'),
    wrong('day', one.day || 'fri', 'sun'),
    wrong('born', one.born, '31.02.1990'),
    wrong('group', one.group, 'nowhere'),
    one.note,
    String(one.n),
  ];
};
const fileOf = (rows: (Said & { n: number })[], right: boolean): string =>
  Papa.unparse([HEADINGS, ...rows.map((row) => cells(row, right))]);

/** All attendees with the fields that a file can have, sorted. */
async function stateOf(event: string): Promise<string[]> {
  const people = await x.people(event);
  return people
    .map((one) => {
      const {
        first_name,
        last_name,
        email,
        phone,
        external_id,
        attendee_type,
        days,
        date_of_birth,
        group,
        answers,
        status,
      } = one;
      const tickets = one.tickets.filter((ticket: { status: string }) => ticket.status === 'valid').length;
      return JSON.stringify({
        first_name,
        last_name,
        email,
        phone,
        external_id,
        attendee_type,
        days,
        date_of_birth,
        group,
        answers,
        status,
        tickets,
      });
    })
    .sort();
}

// claim: import-preview
test('for any file: the preview is right, importing it again changes nothing, and importing the corrected rejects completes it', async () => {
  const seen = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(some(said, 0), some(said, 5), async (before, dice) => {
      // Some rows match existing attendees without a change.
      const file = dice.map((row) => {
        const known = before.find((one) => one.n === row.n);
        return row.known && known !== undefined ? { ...known, fault: null } : row;
      });
      // One ticket per day, so that the preview has tickets to count.
      const [first, second] = [await x.event({ ticketing: 'per_day' }), await x.event({ ticketing: 'per_day' })];
      const standing = fileOf(before, true);
      for (const event of [first, second]) if (before.length > 0) await x.take(event, standing);

      const wrong = fileOf(file, false);
      const preview = await x.send(first, wrong, { preview: true });
      const real = await x.send(first, wrong);
      expect(preview.body.counts).toEqual(real.body.counts);
      const { created, updated, unchanged, rejected } = real.body.counts;
      for (const kind of ['created', 'updated', 'unchanged', 'rejected'] as const) seen[kind] += real.body.counts[kind];
      expect(rejected).toBe(file.filter((row) => row.fault !== null).length);

      const state = await stateOf(first);
      const again = await x.take(first, wrong);
      expect(again).toEqual({ created: 0, updated: 0, unchanged: created + updated + unchanged, rejected });
      expect(await stateOf(first)).toEqual(state);

      if (rejected > 0) {
        const rows = await x.rejects(real.body);
        const corrected = rows.map((row) => {
          const right = cells(file.find((one) => String(one.n) === row.Row)!, true);
          return [...right, row.import_error!];
        });
        await x.take(first, Papa.unparse([[...HEADINGS, 'import_error'], ...corrected]));
      }
      await x.take(second, fileOf(file, true));
      expect(await stateOf(first)).toEqual(await stateOf(second));
    }),
    { numRuns: 20 },
  );
  // If some outcome never occurred, the random files would prove nothing about it.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 240_000);
