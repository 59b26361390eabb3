import { PAGE_BYTES, type Removed } from '@turnout/contract';
import { Turns } from '../../common/turns.ts';
import { isWritten } from '../answer.ts';
import { isRemoved, removedShape } from './removed-row.ts';

/*
 * A page ends where its limit is reached, or earlier where its items are too large together: `has_more` is true then, and the cursor
 * leads to the first item that was left out. A page that is not empty always has at least one item, so that whoever follows the
 * cursors gets on.
 */

/** How much one page may load. Small items can be parts of something large that has to be loaded for them. */
const PAGE_LOAD = 20_000_000;
/** How much is loaded at a time. The driver turns an answer of PostgreSQL into objects at one stretch, while everybody else waits. */
const SLICE_LOAD = 600_000;

interface PageOf<Item> {
  data: Item[];
  page: { next_cursor: string | null; has_more: boolean };
}

/** How the items of a list are loaded. */
export interface Loader<Row, Item> {
  /** About how many bytes the database would send for the item of each row. None, if an earlier row of the list loads the same. */
  sizes: (rows: readonly Row[]) => Promise<readonly number[]>;
  load: (rows: readonly Row[]) => Promise<(row: Row) => Item>;
}

/** The two ways to make a page of the rows of a list, of which one more was read than the page may hold. */
export const pages = <Key>(cursorOf: (row: Key) => string, limit: number) => ({
  /** A page of rows that have everything their items need. */
  page<Row extends Key, Item>(rows: readonly Row[], shape: (row: Row) => Item): PageOf<Item> {
    const filling = new Filling<Row, Item | Removed>(rows, limit, cursorOf);
    for (const row of filling.pageRows) if (!filling.add(isRemoved(row) ? removedShape(row) : shape(row))) break;
    return filling.page() as PageOf<Item>;
  },
  /** A page of rows whose items are loaded: a few at a time, so that hardly anything is loaded that does not fit into the page. */
  async pageOfLoaded<Row extends Key, Item>(rows: readonly Row[], loader: Loader<Row, Item>): Promise<PageOf<Item>> {
    const filling = new Filling<Row, Item | Removed>(rows, limit, cursorOf);
    const { pageRows: wanted, data } = filling;
    const turns = new Turns();
    const sizes = await sizesOf(wanted, loader);
    let loaded = 0;
    while (!filling.isFull && data.length < wanted.length && loaded < PAGE_LOAD) {
      const some = wanted.slice(data.length, endOfSlice(sizes, data.length));
      loaded += sumOf(sizes.slice(data.length, data.length + some.length));
      const shape = await loader.load(some.filter((row) => !isRemoved(row)));
      for (const row of some) {
        await turns.pause();
        if (!filling.add(isRemoved(row) ? removedShape(row) : shape(row))) break;
      }
    }
    return filling.page() as PageOf<Item>;
  },
});

/** What loading each row takes: nothing for one that was removed. */
async function sizesOf<Row>(rows: readonly Row[], loader: Loader<Row, unknown>): Promise<number[]> {
  const loaded = rows.filter((row) => !isRemoved(row));
  const sizes = loaded.length === 0 ? [] : await loader.sizes(loaded);
  let next = 0;
  return rows.map((row) => (isRemoved(row) ? 0 : sizes[next++]!));
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

/** Where the slice that begins at `from` ends. It has at least one item. */
function endOfSlice(sizes: readonly number[], from: number): number {
  let [end, load] = [from + 1, sizes[from]!];
  while (end < sizes.length && load + sizes[end]! <= SLICE_LOAD) {
    load += sizes[end]!;
    end += 1;
  }
  return end;
}

class Filling<Row, Item> {
  readonly data: Item[] = [];
  /** The JSON of each item. */
  readonly #texts: string[] = [];
  readonly pageRows: readonly Row[];
  bytes = 0;
  isFull = false;
  readonly #cursorOf: (row: Row) => string;
  readonly #all: number;

  constructor(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
    this.pageRows = rows.length > limit ? rows.slice(0, limit) : rows;
    this.#all = rows.length;
    this.#cursorOf = cursorOf;
  }

  /** Adds an item, unless the page is full with those before it. */
  add(item: Item): boolean {
    const text = JSON.stringify(item);
    const bytes = Buffer.byteLength(text);
    this.isFull = this.data.length > 0 && this.bytes + bytes > PAGE_BYTES;
    if (this.isFull) return false;
    this.data.push(item);
    this.#texts.push(text);
    this.bytes += bytes;
    return true;
  }

  page(): PageOf<Item> {
    const { data, pageRows: wanted } = this;
    const has_more = data.length < this.#all;
    const page = { next_cursor: has_more ? this.#cursorOf(wanted[data.length - 1]!) : null, has_more };
    const all = { data, page };
    isWritten(all, `{"data":[${this.#texts.join(',')}],"page":${JSON.stringify(page)}}`);
    return all;
  }
}
