import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../server/src/road/read/cut-page.ts';
import { sql } from '../server/src/store/sql.ts';
import { isNight } from './support/night.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';
import { people, yearEvent } from './support/year-event.ts';

/** Large registrations take seconds, and many more on a busy machine. */
const timeout = 600_000;

describe('a page of loaded items', { timeout }, () => {
  test('walking the pages gives every row exactly once, and no page is larger than it may be', async () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 100_000, max: 2_500_000 }));
    const cases = fc.record({
      rows: fc.array(fc.record({ size, cost: fc.integer({ min: 0, max: 9_000_000 }) }), { maxLength: 16 }),
      limit: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, limit }) => {
        const all = rows.map((row, id) => ({ id, ...row }));
        const seen: number[] = [];
        let next: number | null = 0;
        while (next !== null) {
          const from: number = next;
          const read = all.slice(from, from + limit + 1);
          const paging = pages((row: { id: number }) => String(row.id), limit);
          const made = await paging.pageOfLoaded(read, {
            sizes: async (some) => some.map((row) => row.cost),
            load: async () => (row) => ({ id: row.id, text: 'x'.repeat(row.size) }),
          });
          const bytes = made.data.reduce((sum, item) => sum + JSON.stringify(item).length, 0);
          expect(made.data.length === 1 || bytes <= 2_000_000).toBe(true);
          expect(made.data.length).toBeLessThanOrEqual(limit);
          seen.push(...made.data.map((item) => item.id));
          expect(made.page.has_more).toBe(from + made.data.length < all.length && read.length > made.data.length);
          next = made.page.has_more ? Number(made.page.next_cursor) + 1 : null;
        }
        expect(seen).toEqual(all.map((row) => row.id));
      }),
      { numRuns: 25 },
    );
  });

  /** Loads a page of 200 rows of these sizes, each of whose items has the size, and says how many rows were loaded at a time. */
  async function loadedAtATime(sizeOf: (id: number) => number, itemOf = sizeOf) {
    const rows = Array.from({ length: 201 }, (_, id) => ({ id }));
    const slices: number[] = [];
    const made = await pages((row: { id: number }) => String(row.id), 200).pageOfLoaded(rows, {
      sizes: async (some) => some.map(({ id }) => sizeOf(id)),
      load: async (some) => {
        slices.push(some.length);
        return ({ id }) => 'x'.repeat(itemOf(id));
      },
    });
    return { items: made.data.length, slices };
  }

  test('loads small items at once', async () => {
    expect(await loadedAtATime(() => 2000)).toEqual({ items: 200, slices: [200] });
  });

  test('loads large items one by one, and hardly any that do not fit', async () => {
    expect(await loadedAtATime(() => 500_000)).toEqual({ items: 3, slices: [1, 1, 1, 1] });
  });

  test('small items before large ones do not hide how large those are', async () => {
    expect(await loadedAtATime((id) => (id < 10 ? 100 : 500_000))).toEqual({ items: 13, slices: [11, 1, 1, 1] });
  });

  test('ends a page for whose small items too much has to be loaded', async () => {
    const { items, slices } = await loadedAtATime(
      () => 5_000_000,
      () => 100,
    );
    expect([items, slices.length]).toEqual([4, 4]);
  });
});

if (isNight) {
  describe('large registrations', { timeout }, () => {
    /** Each of them but one has about 250 kB, so that they do not fit on one page. */
    const REGISTRATIONS = 10;
    let t: TestTurnout;
    let key: string;
    const made: string[] = [];
    beforeAll(async () => {
      t = await startTest();
      await t.org('acme');
      await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
      key = (await t.key('acme')).secret;
      const days = await yearEvent(t, key, 'fair', { days: 100, ticketing: 'shared' });
      for (let n = 0; n < REGISTRATIONS; n += 1) {
        const attendees = people(n === 4 ? 1 : 200, days);
        const body = { attendees, send_emails: false };
        const reply = await t.call('POST', '/v1/events/fair/registrations', { key, body });
        expect(reply.status, reply.text.slice(0, 200)).toBe(201);
        made.push(reply.body.id);
      }
    }, timeout);
    afterAll(() => t.stop());

    async function walk(query: string): Promise<{ ids: string[]; pages: number; largest: number }> {
      const ids: string[] = [];
      let [cursor, count, largest]: [string | null, number, number] = ['', 0, 0];
      while (cursor !== null) {
        const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const page = await t.call('GET', `/v1/events/fair/${query}${after}`, { key });
        expect(page.status, page.text.slice(0, 200)).toBe(200);
        ids.push(...page.body.data.map((one: { id: string }) => one.id));
        largest = Math.max(largest, page.text.length);
        count += 1;
        cursor = page.body.page.next_cursor;
        expect(page.body.page.has_more).toBe(cursor !== null);
      }
      return { ids, pages: count, largest };
    }

    test.each([
      ['registrations?limit=200', false],
      ['registrations?limit=200&order=newest', true],
      ['registrations?limit=200&updated_since=2000-01-01T00:00:00Z', false],
    ])('%s ends its pages early and shows each registration once', async (query, reversed) => {
      const { ids, pages: count, largest } = await walk(query);
      expect(ids).toEqual(reversed ? [...made].reverse() : made);
      expect(count).toBeGreaterThan(1);
      expect(largest).toBeLessThan(2_100_000);
    });

    test.each(['registrations?limit=200&order=name', 'attendees?limit=200', 'attendees?limit=200&order=name'])(
      '%s shows each object once',
      async (query) => {
        const { ids, largest } = await walk(query);
        const table = query.startsWith('registrations') ? REGISTRATIONS : await countOfAttendees();
        expect(new Set(ids).size).toBe(table);
        expect(ids).toHaveLength(table);
        expect(largest).toBeLessThan(2_100_000);
      },
    );

    const countOfAttendees = async () =>
      (await t.system((tx) => tx.one<{ count: number }>(sql`select count(*)::int as count from attendees`))).count;
  });
}
