import { describe, expect, test } from 'vitest';
import type { SelectedRows } from '../../../parts/marks.ts';
import { itemsOf, MAX_IDS, type Source, TooMany } from './bulk-items.ts';

/** A table of three pages with two rows each. The items of the action are the registrations of the rows. */
const PAGES = [
  ['a', 'b'],
  ['c', 'd'],
  ['e', 'f'],
];
const item = (row: string) => `registration of ${row}`;
function source(chosen: SelectedRows, filter?: Source['filter']): Source & { read: number[] } {
  const read: number[] = [];
  return {
    ...{ read, filter, selection: { chosen, clear: () => {} } },
    idOf: (id) => (id === 'not loaded' ? undefined : item(id)),
    page: async (cursor) => {
      const at = Number(cursor ?? 0);
      read.push(at);
      const ids = PAGES[at]!.map((row) => ({ row, item: item(row) }));
      return { ids, next: at + 1 < PAGES.length ? String(at + 1) : null };
    },
  };
}

describe('the items of a bulk action', () => {
  test('everything that matches is named by the filters, without reading any of it', async () => {
    const all = source({ all: true, except: [] }, { status: 'confirmed' });
    expect(await itemsOf(all)).toEqual({ filter: { status: 'confirmed' } });
    expect(all.read).toEqual([]);
  });
  test('if somebody was taken out, all pages are read and everybody else is named', async () => {
    const most = source({ all: true, except: ['b', 'e'] }, { status: 'confirmed' });
    expect(await itemsOf(most)).toEqual({ ids: ['a', 'c', 'd', 'f'].map(item) });
    expect(most.read).toEqual([0, 1, 2]);
  });
  test('if the action is about something else than the table shows, each is named', async () => {
    expect(await itemsOf(source({ all: true, except: [] }))).toEqual({ ids: PAGES.flat().map(item) });
  });
  test('single rows are named once each, and those that are not loaded are left out', async () => {
    const some = source({ all: false, ids: ['a', 'not loaded', 'c', 'a'] });
    expect(await itemsOf(some)).toEqual({ ids: ['a', 'c'].map(item) });
  });
  test('more than the server takes at a time are refused, and the rest is not read', async () => {
    let read = 0;
    const endless: Source = {
      ...source({ all: true, except: [] }),
      page: async () => {
        read += 1;
        const ids = Array.from({ length: 200 }, (_, i) => ({ row: `${read}/${i}`, item: `${read}/${i}` }));
        return { ids, next: String(read) };
      },
    };
    await expect(itemsOf(endless)).rejects.toThrow(TooMany);
    expect(read).toBe(MAX_IDS / 200 + 1);
  });
});
