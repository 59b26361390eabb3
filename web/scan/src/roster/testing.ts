import fc from 'fast-check';
import type { RosterEntry } from './entry.ts';

/** Made-up rosters for tests. */

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ulid = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 25, maxLength: 25 }))
  .map(([first, rest]) => [first, ...rest].map((n) => DIGITS[n]).join(''));

const name = fc.oneof(
  fc.constantFrom(
    'Ada',
    'Zoë',
    'Anna-Lena',
    "O'Brien",
    'Müller',
    'von der Heide',
    'Łukasz',
    '李',
    'Straße',
    '',
    'Ada Maria',
  ),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);

export const POINTS = ['gate', 'gate2', 'workshop', 'lounge', 'exit'] as const;
const KIND = { gate: 'entry', gate2: 'entry', workshop: 'entry', lounge: 'zone', exit: 'exit' } as const;

/** `seq` is given by the roster, because it is unique there. */
const admission = fc.record({
  check_in_point: fc.constantFrom(...POINTS),
  day: fc.constantFrom('sat', 'sun', null),
  at: fc.date({ min: new Date('2027-06-12T00:00:00Z'), max: new Date('2027-06-14T00:00:00Z'), noInvalidDate: true }),
});

/** Somebody without anything that takes room in a record. */
export const ADA: RosterEntry['people'][number] = {
  id: '01JCQ8Z7M4T3V9R1X5K2N6P8DB',
  first_name: 'Ada',
  last_name: 'Lovelace',
  attendee_type: 'adult',
  group: null,
  confirmed: true,
  days: ['sat'],
  answers: {},
  admissions: [],
};

type ToHandOut = NonNullable<RosterEntry['people'][number]['to_hand_out']>;
const SHIRT = {
  ...{ product: 'shirt', option: 'm', name: 'T-shirt', option_name: 'Medium' },
  booked_by: 'attendee' as const,
};
const TABLE = {
  ...{ product: 'table', option: null, name: 'Table', option_name: null, left: 1 },
  booked_by: 'registration' as const,
};
const person = fc.record({
  id: fc.oneof(ulid, fc.string({ minLength: 1, maxLength: 8 })),
  first_name: name,
  last_name: name,
  attendee_type: fc.constantFrom('adult', 'child'),
  group: fc.constantFrom(null, 'north', 'south'),
  confirmed: fc.boolean(),
  days: fc.subarray(['sat', 'sun', 'mon']),
  products: fc.subarray(['workshop', 'dinner', 'shuttle']),
  answers: fc.constantFrom({}, { company: 'Müller & Söhne' }, { vegan: true, colours: ['red', 'blue'] }),
  to_hand_out: fc.constantFrom<ToHandOut>([], [{ ...SHIRT, left: 2 }], [{ ...SHIRT, left: 1 }, TABLE]),
  admissions: fc.array(admission, { maxLength: 3 }),
});

/** Hashes that often begin alike, so that the order of keys is tried, too. */
const hash = fc
  .tuple(
    fc.constantFrom('00000000', 'ffffffff', '12345678'),
    fc.integer({ min: 0, max: 5 }),
    fc.integer({ min: 0, max: 0xffff }),
  )
  .map(([prefix, middle, end]) => prefix + String(middle).repeat(24) + end.toString(16).padStart(32, '0'));

const ticket = fc.record({
  code_sha256: hash,
  ticket_id: ulid,
  status: fc.constantFrom('valid' as const, 'voided' as const),
  test: fc.boolean(),
  registration_code: fc.constantFrom('7Q2MXK4P0V', 'ANNA000000', '0123456789'),
  people: fc.array(person, { minLength: 1, maxLength: 3 }),
});

let seq = 0;

/** Entries of a roster; people of different entries are different people. A hash may come twice. */
export const entries = (most = 30): fc.Arbitrary<RosterEntry[]> =>
  fc.array(ticket, { maxLength: most }).map((all) =>
    all.map((one, t) => ({
      ...one,
      people: one.people.map((each, p) => ({
        ...each,
        id: each.id.length === 26 ? each.id : `${t}-${p}-${each.id}`,
        admissions: each.admissions.map(({ at, ...rest }) => {
          seq += 1;
          return { ...rest, kind: KIND[rest.check_in_point], at: at.toISOString(), seq };
        }),
      })),
    })),
  );

export const MANIFEST = {
  event: { timezone: 'Europe/Berlin', test: false },
  days: [
    { id: 'D1', code: 'sat', name: 'Saturday', date: '2027-06-12', opens_at: null, closes_at: null },
    { id: 'D2', code: 'sun', name: 'Sunday', date: '2027-06-13', opens_at: null, closes_at: null },
    { id: 'D3', code: 'mon', name: 'Monday', date: '2027-06-14', opens_at: null, closes_at: null },
  ],
  attendee_types: [
    { code: 'adult', name: 'Adult' },
    { code: 'child', name: 'Child' },
  ],
  groups: [
    { code: 'north', name: 'North', parent: null },
    { code: 'south', name: 'South', parent: null },
  ],
  products: [
    { code: 'workshop', name: 'Workshop' },
    { code: 'dinner', name: 'Dinner' },
  ],
  check_in_points: [
    { code: 'gate', name: 'Gate', kind: 'entry', policy: {} },
    { code: 'gate2', name: 'Second gate', kind: 'entry', policy: {} },
    { code: 'workshop', name: 'Workshop', kind: 'entry', policy: { products: ['workshop', 'dinner'] } },
    { code: 'lounge', name: 'Lounge', kind: 'zone', policy: { capacity: 2 } },
    { code: 'exit', name: 'Exit', kind: 'exit', policy: {} },
  ],
} as never;

const FORMAT_1 = [
  'AAAArXsidGlja2V0cyI6MiwibmFtZXMiOjMsInJlY29yZHMiOjE0OSwibGluZXMiOjM5LCJ0ZXh0cyI6WyJhZHVsdCIsIm5vcnRoIiwic2F0XH',
  'UwMDAwc3VuIiwiZ2F0ZSIsImVudHJ5Iiwic2F0Il0sImNvdW50cyI6eyJnYXRlIjp7IjIwMjctMDYtMTIiOjF9LCIgZW50cmllcyI6eyIyMDI3',
  'LTA2LTEyIjoxfX19AAAAAAAAAGEAAAAAAAAADgAAABsAAAAAAAAAAQAAAAAAAACrq6urq6urq6urq6urq6urzc3Nzc3Nzc3Nzc3Nzc3NzQAAAZ',
  'fAAAAAAAAAAAAAAAAAAQIAAZfAAAAAAAAAAAAAAAAAAgNBZGEITG92ZWxhY2UAAgUBAwQGgNTlwdMCBwABl8AAAAAAAAAAAAAAAAADBFpvw6sH',
  'TydCcmllbgACBQABAAGXwAAAAAAAAAAAAAAAAAQBAAGXwAAAAAAAAAAAAAAAAAUCQm8ITG92ZWxhY2UAAgUAIGxvdmVsYWNlIGFkYQogbG92ZW',
  'xhY2UgYm8KIG9icmllbiB6b2UK',
].join('');
/**
 * Two tickets as the first release packed them, of Ada Lovelace and Zoë O’Brien and of Bo Lovelace. A device keeps its roster on disk over an
 * update of the app, perhaps without a network.
 */
export const format1 = (): ArrayBuffer => bytesOf(FORMAT_1);

const FORMAT_2 = [
  'AAAAuHsiZm9ybWF0IjoyLCJ0aWNrZXRzIjoyLCJuYW1lcyI6MywicmVjb3JkcyI6MjA4LCJsaW5lcyI6NzUsInRleHRzIjpbImFkdWx0Iiwibm',
  '9ydGgiLCJzYXRcdTAwMDBzdW4iLCJnYXRlIiwiZW50cnkiLCJzYXQiXSwiY291bnRzIjp7ImdhdGUiOnsiMjAyNy0wNi0xMiI6MX0sIiBlbnRy',
  'aWVzIjp7IjIwMjctMDYtMTIiOjF9fX0AAAAAkAAAAAAAAAAaAAAAMwAAAAAAAAABAAAAAAAAAKurq6urq6urq6urq6urq6vNzc3Nzc3Nzc3Nzc',
  '3Nzc3NAAABl8AAAAAAAAAAAAAAAAABCjdRMk1YSzRQMFYCAAGXwAAAAAAAAAAAAAAAAAIDQWRhCExvdmVsYWNlAAIFIHsiY29tcGFueSI6IkFu',
  'YWx5dGljYWwgRW5naW5lcyJ9AQMEBoDU5cHTAgcAAZfAAAAAAAAAAAAAAAAAAwRab8OrCU/igJlCcmllbgAACwAAAQABl8AAAAAAAAAAAAAAAA',
  'AECkFOTkEwMDAwMDABAAGXwAAAAAAAAAAAAAAAAAUCQm8ITG92ZWxhY2UAAAsAACBsb3ZlbGFjZSBhZGEgATdxMm14azRwMHYKIGxvdmVsYWNl',
  'IGJvIAFhbm5hMDAwMDAwCiBvYnJpZW4gem9lIAE3cTJteGs0cDB2Cg==',
].join('');
/** The same two tickets, with the codes of their registrations, and Ada’s answer to a question of the door. */
export const format2 = (): ArrayBuffer => bytesOf(FORMAT_2);

const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
