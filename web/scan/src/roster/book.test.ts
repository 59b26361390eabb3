import { type Decision, decide, insideZone, type Pass, prepareWorld } from '@turnout/checkin';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Book, type Overlay } from './book.ts';
import { type KeptEntry, keptEntry, type RosterEntry } from './entry.ts';
import { keyOfHash } from './ids.ts';
import { lineOf, wordsOf } from './names.ts';
import type { OwnAdmission } from './own.ts';
import { Packer } from './packer.ts';
import { ADA, entries, MANIFEST, POINTS } from './testing.ts';

const NOON = Date.parse('2027-06-12T12:00:00Z');
const HERE = { point: 'gate', at: NOON };
const manifest = MANIFEST as ConstructorParameters<typeof Book>[0]['manifest'];

function pack(all: readonly RosterEntry[]) {
  const packer = new Packer('Europe/Berlin');
  for (const entry of all) packer.add(keyOfHash(entry.code_sha256), keptEntry(entry));
  return packer.finish();
}
const bookOf = (all: readonly RosterEntry[]) => new Book({ packed: pack(all), manifest, test: false });

/** First a roster, then changes of it: other entries, and some that are removed. */
const history = fc.tuple(
  entries(20),
  fc.array(fc.tuple(entries(6), fc.array(fc.nat(30), { maxLength: 3 })), { maxLength: 3 }),
);
type History = [RosterEntry[], [RosterEntry[], number[]][]];

/** The same in a plain map. */
function play([first, changes]: History): { book: Book; map: Map<string, KeptEntry> } {
  const book = bookOf(first);
  const map = new Map(first.map((entry) => [keyOfHash(entry.code_sha256), keptEntry(entry)]));
  for (const [data, removed] of changes) {
    const overlay: Overlay = new Map();
    for (const i of removed) {
      const key = [...map.keys()][i];
      if (key !== undefined) overlay.set(key, null);
    }
    for (const entry of data) overlay.set(keyOfHash(entry.code_sha256), keptEntry(entry));
    book.apply(overlay);
    for (const [key, entry] of overlay) {
      if (entry === null) map.delete(key);
      else map.set(key, entry);
    }
  }
  return { book, map };
}

const people = (map: Map<string, KeptEntry>) => [...map.values()].flatMap((entry) => entry.people);
const foldedBook = (book: Book) =>
  new Book({ packed: book.folded('Europe/Berlin'), manifest, test: false, own: book.own });

/** Each history has many tickets and changes. */
const RUNS = { numRuns: 30 };

describe('roster, overlay and folding', () => {
  test('hold what a plain map holds', () => {
    fc.assert(
      fc.property(history, (of) => {
        const { book, map } = play(of);
        for (const made of [book, foldedBook(book)]) {
          expect(made.tickets).toBe(map.size);
          for (const key of new Set([...map.keys(), ...book.overlay.keys()])) {
            expect(made.find(key)).toEqual(map.get(key) ?? null);
          }
        }
      }),
      RUNS,
    );
  });

  test('find by name what reading all names finds', () => {
    const searches = fc.constantFrom(
      'a',
      'ad',
      'müll',
      'mull',
      'obr',
      "o'b",
      'lena anna',
      'heide v',
      'lukasz',
      '李',
      'stras',
      'zoe',
      'maria',
      'x y',
    );
    fc.assert(
      fc.property(history, searches, (of, text) => {
        const { book, map } = play(of);
        const words = wordsOf(text);
        const fits = people(map).filter((one) => words.every((word) => lineOf(one, null).includes(` ${word}`)));
        const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id).sort();
        for (const made of [book, foldedBook(book)]) {
          const all = made.search(text, 1000, HERE);
          // Also people of the same name on one ticket are found one by one.
          expect(ids(all.people.map(({ person }) => person))).toEqual(ids(fits));
          const few = made.search(text, 3, HERE);
          expect([few.people.length, few.count]).toEqual([Math.min(3, fits.length), fits.length]);
        }
      }),
      RUNS,
    );
  });

  test('finds the people of a registration by its code, each once, and nobody by the beginning of a code', () => {
    fc.assert(
      fc.property(history, (of) => {
        const { book, map } = play(of);
        const named = [...map.values()].filter(({ registration }) => registration === '7Q2MXK4P0V');
        const wanted = new Set(named.flatMap((entry) => entry.people.map(({ id }) => id)));
        for (const made of [book, foldedBook(book)]) {
          const found = made.registered('7Q2MXK4P0V', 'gate', NOON).map(({ person }) => person.id);
          expect(found.toSorted()).toEqual([...wanted].sort());
          expect(made.search('7q2mx-k4p0v', 1000, HERE).count).toBe(named.flatMap((entry) => entry.people).length);
          expect(made.search('7Q2MXK', 1000, HERE).count).toBe(0);
        }
      }),
      RUNS,
    );
  });

  test('count as many admissions of a date as there are', () => {
    fc.assert(
      fc.property(entries(20), (all) => {
        const { map } = play([all, []]);
        const today = people(map)
          .flatMap(({ admissions }) => admissions)
          .filter(({ at }) => new Date(at + 2 * 3_600_000).toISOString().startsWith('2027-06-12'));
        for (const made of [bookOf([...all]), foldedBook(bookOf([...all]))]) {
          // Of two entries with the same key the packer has counted both; the server sends no such roster.
          if (map.size < all.length) continue;
          for (const point of POINTS) {
            const { point: count, event } = made.counts(point, NOON);
            expect(count).toBe(today.filter(({ check_in_point }) => check_in_point === point).length);
            expect(event).toBe(today.filter(({ kind }) => kind === 'entry').length);
          }
        }
      }),
      RUNS,
    );
  });
});

describe('deciding', () => {
  const world = prepareWorld({ ...(manifest as object), timezone: 'Europe/Berlin' } as never);
  /** What the decision is when everything is known as plain lists. */
  function expected(
    map: Map<string, KeptEntry>,
    own: readonly OwnAdmission[],
    key: string,
    point: string,
    at: number,
  ): Decision {
    const entry = map.get(key) ?? null;
    const all = (id: string, admissions: KeptEntry['people'][number]['admissions']) =>
      [
        ...admissions,
        ...own.filter(({ person }) => person === id).map((one) => ({ ...one, seq: 2 ** 52 + one.n })),
      ] as Pass[];
    const passes = people(map).flatMap(({ id, admissions }) =>
      all(id, admissions).map((one) => ({ ...one, person: id })),
    );
    return decide(world, {
      check_in_point: point,
      at,
      mode: 'live',
      ticket:
        entry &&
        ({
          ...entry,
          people: entry.people.map((one) => ({ ...one, admissions: all(one.id, one.admissions) })),
        } as never),
      people_present: null,
      others_inside: insideZone(world, point, passes, at, entry?.people.map(({ id }) => id) ?? []),
    });
  }

  const ANNA: RosterEntry = {
    code_sha256: 'ab'.repeat(32),
    ticket_id: 't',
    status: 'valid',
    test: false,
    registration_code: '7Q2MXK4P0V',
    people: [{ ...ADA, id: 'anna', first_name: 'Anna', last_name: 'B' }],
  };

  test('is what the plain function says, with changes, own scans and full zones, in any order of time', () => {
    const scans = fc.array(
      fc.record({
        ticket: fc.nat(25),
        point: fc.constantFrom(...POINTS),
        at: fc.integer({ min: NOON - 12 * 3_600_000, max: NOON + 12 * 3_600_000 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(history, scans, (of, made) => {
        const { book, map } = play(of);
        // Rosters with one person in two places cannot come from a server.
        fc.pre(new Set(people(map).map(({ id }) => id)).size === people(map).length);
        const own: OwnAdmission[] = [];
        for (const [n, { ticket, point, at }] of made.entries()) {
          const key = [...map.keys()][ticket] ?? 'f'.repeat(32);
          const decision = book.decide(key, { point, at, people: null, newest: Number.MAX_SAFE_INTEGER });
          expect(decision).toEqual(expected(map, own, key, point, at));
          const kind = { gate: 'entry', gate2: 'entry', workshop: 'entry', lounge: 'zone', exit: 'exit' }[point];
          const admitted = decision.people
            .filter((one) => one.admitted)
            .map(
              ({ person, day }): OwnAdmission => ({
                client_uuid: `scan ${n}`,
                person,
                ticket: key,
                check_in_point: point,
                kind,
                day,
                at,
                n,
                recorded: null,
                checkin: null,
              }),
            );
          own.push(...admitted);
          book.note(admitted, () => false);
        }
      }),
      RUNS,
    );
  });

  test('an admission that the roster has meanwhile is not counted twice, and one that was undone there is forgotten', () => {
    const key = keyOfHash(ANNA.code_sha256);
    const book = bookOf([ANNA]);
    const admission = { check_in_point: 'gate', kind: 'entry', day: 'sat', at: NOON };
    book.note(
      [{ ...admission, client_uuid: 'u', person: 'anna', ticket: key, n: 1, recorded: NOON + 5, checkin: 'c' }],
      () => false,
    );
    expect(book.counts('gate', NOON)).toMatchObject({ point: 1, event: 1 });
    expect(book.decide(key, { point: 'gate', at: NOON + 1, people: null, newest: 0 }).result).toBe('duplicate');
    const [person] = ANNA.people;
    const changed = {
      ...ANNA,
      people: [{ ...person!, admissions: [{ ...admission, at: new Date(NOON).toISOString(), seq: 7 }] }],
    };
    book.apply(new Map([[key, keptEntry(changed)]]));
    expect(book.counts('gate', NOON)).toMatchObject({ point: 1, event: 1 });
    book.apply(new Map([[key, keptEntry(ANNA)]]));
    book.note([], ({ recorded }) => recorded !== null);
    expect(book.counts('gate', NOON)).toMatchObject({ point: 0, event: 0 });
    expect(book.decide(key, { point: 'gate', at: NOON + 1, people: null, newest: 0 }).result).toBe('accepted');
  });

  test('a scan that the server has recorded is no duplicate of itself, and what was admitted before it still counts', () => {
    const key = keyOfHash(ANNA.code_sha256);
    const admission = { check_in_point: 'gate', kind: 'entry', day: 'sat', at: new Date(NOON).toISOString(), seq: 7 };
    const book = bookOf([{ ...ANNA, people: [{ ...ANNA.people[0]!, admissions: [admission] }] }]);
    const result = (of: { point?: string; at?: number; newest: number }) =>
      book.decide(key, { point: 'gate', at: NOON, people: null, ...of }).result;
    expect(result({ newest: 0 })).toBe('accepted');
    expect(result({ newest: 6 })).toBe('accepted');
    expect(result({ newest: 7 })).toBe('duplicate');
    expect(result({ newest: 0, at: NOON + 1 })).toBe('duplicate');
    expect(result({ newest: 0, point: 'gate2' })).toBe('duplicate');
    const own = { ...admission, at: NOON, person: 'anna', ticket: key, n: 1, recorded: null, checkin: null };
    book.note([{ ...own, client_uuid: 'another scan in the same millisecond' }], () => false);
    expect(result({ newest: 0 })).toBe('duplicate');
  });

  test('an override is counted once when the roster knows of it, and the person stays inside when it is forgotten', () => {
    const key = keyOfHash(ANNA.code_sha256);
    const entry = { check_in_point: 'gate', kind: 'entry', day: 'sat', at: new Date(NOON - 5).toISOString(), seq: 1 };
    const book = bookOf([{ ...ANNA, people: [{ ...ANNA.people[0]!, admissions: [entry] }] }]);
    const inLounge = { point: 1, event: 1, inside: 1 };
    expect(book.counts('lounge', NOON)).toEqual({ point: 0, event: 1, inside: 0 });
    const zone = { check_in_point: 'lounge', kind: 'zone', day: 'sat', at: NOON };
    const own = { ...zone, client_uuid: 'override', person: 'anna', ticket: null, n: 1, recorded: NOON, checkin: 'c' };
    book.note([own], () => false);
    expect(book.counts('lounge', NOON)).toEqual(inLounge);
    const both = [entry, { ...zone, at: new Date(NOON).toISOString(), seq: 2 }];
    book.apply(new Map([[key, keptEntry({ ...ANNA, people: [{ ...ANNA.people[0]!, admissions: both }] })]]));
    expect(book.counts('lounge', NOON)).toEqual(inLounge);
    book.note([], () => true);
    expect(book.counts('lounge', NOON)).toEqual(inLounge);
  });
});
