import { PAGE_BYTES } from '@turnout/contract';
import { Turns } from '../turns.ts';

/*
 * A page ends where its limit is reached, or earlier where its items are too large together: `has_more` is true then, and the cursor
 * leads to the first item that was left out. A page that is not empty always has at least one item, so that whoever follows the
 * cursors gets on.
 */

/** How many rows of the database one page may load. Small items can be parts of something large that has to be loaded for them. */
const LOADED_ROWS = 20_000;
/** How many items are loaded before anything is known about their size: four registrations of the largest size are a full page. */
const FIRST_ITEMS = 4;

interface PageOf<Item> {
  data: Item[];
  page: { next_cursor: string | null; has_more: boolean };
}

/** What was loaded for some rows of a list. */
export interface Loaded<Row, Item> {
  shape: (row: Row) => Item;
  /** How many rows of the database were read. */
  rows: number;
}

/** The two ways to make a page of the rows of a list, of which one more was read than the page may hold. */
export const pages = <Key>(cursorOf: (row: Key) => string, limit: number) => ({
  /** A page of rows that have everything their items need. */
  page<Row extends Key, Item>(rows: readonly Row[], shape: (row: Row) => Item): PageOf<Item> {
    const filling = new Filling<Row, Item>(rows, limit, cursorOf);
    for (const row of filling.wanted) if (!filling.add(shape(row))) break;
    return filling.page();
  },
  /** A page of rows whose items are loaded: a few at a time, so that what does not fit into the page is not loaded at all. */
  async pageOfLoaded<Row extends Key, Item>(
    rows: readonly Row[],
    load: (rows: readonly Row[]) => Promise<Loaded<Row, Item>>,
  ): Promise<PageOf<Item>> {
    const filling = new Filling<Row, Item>(rows, limit, cursorOf);
    const turns = new Turns();
    let [count, loaded] = [FIRST_ITEMS, 0];
    while (!filling.isFull && loaded < LOADED_ROWS) {
      const some = filling.wanted.slice(filling.data.length, filling.data.length + count);
      if (some.length === 0) break;
      const { shape, rows: read } = await load(some);
      for (const row of some) {
        await turns.pause();
        if (!filling.add(shape(row))) break;
      }
      loaded += read;
      const { data, bytes } = filling;
      const fitting = Math.min((PAGE_BYTES * data.length) / bytes, (LOADED_ROWS * data.length) / Math.max(1, loaded));
      count = Math.max(1, Math.floor(fitting) - data.length);
    }
    return filling.page();
  },
});

class Filling<Row, Item> {
  readonly data: Item[] = [];
  readonly wanted: readonly Row[];
  bytes = 0;
  isFull = false;
  readonly #cursorOf: (row: Row) => string;
  readonly #all: number;

  constructor(rows: readonly Row[], limit: number, cursorOf: (row: Row) => string) {
    this.wanted = rows.length > limit ? rows.slice(0, limit) : rows;
    this.#all = rows.length;
    this.#cursorOf = cursorOf;
  }

  /** Adds an item, unless the page is full with those before it. */
  add(item: Item): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(item));
    this.isFull = this.data.length > 0 && this.bytes + bytes > PAGE_BYTES;
    if (this.isFull) return false;
    this.data.push(item);
    this.bytes += bytes;
    return true;
  }

  page(): PageOf<Item> {
    const { data, wanted } = this;
    const has_more = data.length < this.#all;
    return { data, page: { next_cursor: has_more ? this.#cursorOf(wanted[data.length - 1]!) : null, has_more } };
  }
}
