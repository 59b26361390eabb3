import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isNight } from '../../../../test/support/night.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { searchBounds } from '../contacts/index.ts';

/** Every search finds exactly whom a plain look at all rows finds, in the order of the list, on random people. */

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
/** A key limited to the group `north`. */
let north: string;
const EVENT = '/events/fair';
const usual = { ...searchBounds };

/** The same numbers at each run. */
let seed = 20_301;
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};
const one = <T>(from: readonly T[]): T => from[random(from.length)]!;

const FIRST = [
  'Anna',
  'Åsa',
  'Bjørn',
  'Łukasz',
  'Annika',
  'Ænna',
  'Zoë',
  'Иван',
  'Jean-Luc',
  'Mül',
  'Þór',
  'Ann Marie',
];
const LAST = [
  'Müller',
  'Sørensen',
  'Sorensen',
  'van der Berg',
  'de la Cruz',
  'Łuk',
  'Anna',
  'O’Brien',
  'Groß',
  'Иванов',
];
const TEXTS = [
  'a',
  'an',
  'anna',
  'Ann Mul',
  'mül',
  'müller',
  'sor',
  'sørensen',
  'SORENSEN',
  'bjorn sor',
  'luk',
  'łuk',
  'lukasz luk',
];
TEXTS.push(
  'aenna',
  'æ',
  'thor',
  'Þór',
  'berg',
  'der berg',
  'der cruz',
  'van anna',
  'gross',
  'groß',
  'иван',
  'ива ива',
  'jean luc',
);
TEXTS.push(
  "o'brien",
  'brien',
  'zoe',
  'anna@',
  'anna.',
  'sø',
  'b',
  'nobody',
  'marie ann van',
  'post',
  'post@',
  'luc-jean',
);

const call = async (method: string, path: string, body?: unknown, as = key) => {
  const reply = await t.call(method, `/v1${path}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
};

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { scopes: ['read', 'write', 'admin'] })).secret;
  await call('POST', '/groups', { code: 'north', name: 'North' });
  north = (await t.key('acme', { group: 'north' })).secret;
  await call('POST', '/events', { code: 'fair', name: 'Fair' });
  await call('POST', `${EVENT}/days`, { code: 'd1', date: '2030-06-01' });
  await call('POST', `${EVENT}/attendee-types`, { code: 'adult', name: 'Adult' });
  await call('POST', `${EVENT}/publish`);
  for (let n = 0; n < 90; n += 1) {
    const attendees = Array.from({ length: 1 + random(4) }, (_, i) => {
      const first_name = one(FIRST);
      const email = random(3) === 0 ? { email: `${random(2) === 0 ? 'anna' : 'post'}.${n}.${i}@example.org` } : {};
      const group = random(5) === 0 ? { group: 'north' } : {};
      return { attendee_type: 'adult', first_name, last_name: one(LAST), ...email, ...group };
    });
    const contact = { first_name: one(FIRST), last_name: one(LAST), email: `post${n}@example.org` };
    const { id } = await call('POST', `${EVENT}/registrations`, {
      ...{ attendees, send_emails: false },
      ...(random(3) === 0 && { contact }),
      ...(random(3) === 0 && { group: 'north' }),
    });
    if (random(5) === 0) await call('POST', `${EVENT}/registrations/${id}/cancel`, {});
  }
}, 120_000);
afterAll(() => t.stop());
afterEach(() => Object.assign(searchBounds, usual));

/** All rows of a list, some on each page, each of them once. */
async function all(path: string, as: string, limit = 200): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { data, page }: Row = await call('GET', `${path}&limit=${limit}${next}`, undefined, as);
    rows.push(...data);
    cursor = page.next_cursor;
  }
  expect(new Set(rows.map((row) => row.id)).size, path).toBe(rows.length);
  return rows;
}

const TYPED: Record<string, string> = { ø: 'o', ł: 'l', æ: 'ae', þ: 'th', ß: 'ss' };
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[øłæþß]/g, (letter) => TYPED[letter]!);
const words = (text: string) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether a search finds a person, told without any index. */
function finds(text: string, person: Row): boolean {
  const names = words(`${person.first_name ?? ''} ${person.last_name ?? ''}`);
  const sought = text.includes('@') ? [] : words(text);
  if (sought.length > 0 && sought.every((word) => names.some((name) => name.startsWith(word)))) return true;
  return !text.includes(' ') && (person.email ?? '').startsWith(text.toLowerCase());
}
const FINDS: Record<string, (text: string, row: Row) => boolean> = {
  [`${EVENT}/attendees`]: finds,
  '/contacts': finds,
  [`${EVENT}/registrations`]: (text, row) =>
    row.attendees.some((person: Row) => finds(text, person)) || (row.contact !== null && finds(text, row.contact)),
};
const ids = (rows: readonly Row[]) => rows.map((row) => row.id);

/** So many texts are drawn for each order and filter. */
const DRAWN = isNight ? 10 : 2;

describe.each([
  ['few candidates are sorted', usual],
  ['many candidates are met in the order of the list', { few: 2, walked: 1000 }],
  ['candidates that are far away are sorted after all', { few: 2, walked: 6 }],
])('%s', (_name, bounds) => {
  // The bounds only matter in an order that is not the search's own.
  const orders = bounds === usual ? ['', '&order=newest', '&order=name'] : ['&order=newest', '&order=name'];
  for (const list of Object.keys(FINDS)) {
    const filters = list === '/contacts' ? [''] : ['', '&status=cancelled', '&status=confirmed', '&status=declined'];
    for (const [who, as] of [
      ['everybody', () => key],
      ['a group', () => north],
    ] as const) {
      test(`${list}, for a key of ${who}`, async () => {
        Object.assign(searchBounds, bounds);
        let found = 0;
        for (const order of orders) {
          for (const filter of filters) {
            const everyone = await all(`${list}?${order}${filter}`, as());
            for (let n = 0; n < DRAWN; n += 1) {
              const text = one(TEXTS);
              const path = `${list}?search=${encodeURIComponent(text)}${order}${filter}`;
              const expected = ids(everyone.filter((row) => FINDS[list]!(text, row)));
              const listed = ids(await all(path, as(), expected.length > 40 ? 25 : 7));
              // Without an order, the list is ordered by what matched.
              expect(order === '' ? listed.toSorted() : listed, path).toEqual(
                order === '' ? expected.toSorted() : expected,
              );
              found += listed.length;
            }
          }
        }
        expect(found).toBeGreaterThan(10);
      }, 120_000);
    }
  }
});
