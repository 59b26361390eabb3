import { type Answer, Call } from './call.ts';
import type { PageInfo } from './generated/schemas.ts';

/** How many objects a page has at most. Pages are asked for in this size where the program leaves it to us. */
export const LARGEST_PAGE = 200;

/** Asks for a page: the first one, or the one at a cursor. */
export type Ask<Item> = (at: { cursor?: string; limit?: number }) => Promise<Answer<{ data: Item[]; page: PageInfo }>>;

/** One page of a list. Going through it with `for await` goes through all pages from this one on. */
export class Page<Item> implements AsyncIterable<Item> {
  readonly data: Item[];
  readonly page: PageInfo;
  readonly #ask: Ask<Item>;

  constructor({ data, page }: { data: Item[]; page: PageInfo }, ask: Ask<Item>) {
    this.data = data;
    this.page = page;
    this.#ask = ask;
  }

  /** The page after this one; null if this is the last one. */
  async next(): Promise<Page<Item> | null> {
    const cursor = this.page.next_cursor;
    if (!this.page.has_more || cursor === null) return null;
    return new Page((await this.#ask({ cursor, limit: LARGEST_PAGE })).data, this.#ask);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page: Page<Item> | null = this; page !== null; page = await page.next()) yield* page.data;
  }
}

/** The promise of the first page of a list. With `for await` it is the whole list. */
export class PageCall<Item> extends Call<Page<Item>> implements AsyncIterable<Item> {
  constructor(ask: Ask<Item>) {
    super(ask({}).then((answer) => ({ ...answer, data: new Page(answer.data, ask) })));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this;
  }

  /** Page by page instead of object by object. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let page: Page<Item> | null = await this; page !== null; page = await page.next()) yield page;
  }

  /** The whole list as an array. Throws a `RangeError` if it has more than `max` objects, so that no list fills the memory. */
  async toArray(max = 10_000): Promise<Item[]> {
    const all: Item[] = [];
    for await (const page of this.pages()) {
      all.push(...page.data);
      if (all.length > max) throw new RangeError(`The list has more than ${max} objects.`);
    }
    return all;
  }
}
