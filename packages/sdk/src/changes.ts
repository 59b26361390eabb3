import type { CallOptions } from './call.ts';
import { type Ask, LARGEST_PAGE } from './page.ts';
import { sleep } from './sleep.ts';

/** The filters of a list, and where to begin. What would change the order of the list cannot be given. */
export type ChangesQuery<Query> = Omit<Query, 'cursor' | 'include' | 'order' | 'search' | 'updated_since'> & {
  /**
   * Where to begin: `since` of the last batch that you stored, or a time (ISO 8601), from which on every change is handed out. Without it,
   * everything is handed out.
   */
  since?: string | undefined;
};

export interface ChangesOptions extends CallOptions {
  /**
   * Without it, the iteration ends when there is nothing new. With it, the iteration looks again after so many milliseconds, until you
   * leave the loop or the `signal` ends it.
   */
  every?: number | undefined;
}

export interface Batch<Item> {
  /** What was created or changed, in the order of the changes. */
  items: Item[];
  /** The ids of what the list does not show any more: it was deleted, or it left the group that the key is limited to. */
  removed: string[];
  /** Store it together with the items, and begin with it the next time. */
  since: string;
}

export type Changes<Item> = AsyncGenerator<Batch<Item>, void, undefined>;

/**
 * A place in the order of changes, written as `<time of the change>/<id>`. All rows of a commit have the same time, and the rows of a
 * list are ordered by time and id. A program that stops within the rows of one commit therefore has to know the id as well: the time
 * alone would repeat the rows before it, because `updated_since` includes the rows of that very time.
 */
interface Place {
  at: string;
  id: string;
}

function placeOf(since: string): Place {
  const [at = '', id = ''] = since.split('/');
  if (Number.isNaN(Date.parse(at))) throw new TypeError('`since` is neither a time nor the `since` of a batch.');
  return { at, id };
}

/** `askSince` makes the questions for the pages of a list from a time on. */
export async function* follow<Item>(
  askSince: (updatedSince: string | undefined) => Ask<Item>,
  since: string | undefined,
  limit: number | undefined,
  { every, signal }: ChangesOptions = {},
): Changes<Item> {
  let place: Place | null = since === undefined ? null : placeOf(since);
  for (;;) {
    const ask = askSince(place?.at);
    let cursor: string | null = null;
    do {
      const { data }: Awaited<ReturnType<Ask<Item>>> = await ask({
        limit: limit ?? LARGEST_PAGE,
        ...(cursor !== null && { cursor }),
      });
      const rows = data.data.filter((item) => isAfter(item, place));
      const last = rows.at(-1);
      if (last !== undefined) {
        const { id, updated_at } = keyOf(last);
        place = { at: updated_at, id };
        yield {
          items: rows.filter((row) => !isRemoved(row)),
          removed: rows.filter(isRemoved).map((row) => keyOf(row).id),
          since: `${updated_at}/${id}`,
        };
      }
      cursor = data.page.has_more ? data.page.next_cursor : null;
    } while (cursor !== null);
    if (every === undefined) return;
    await sleep(every, signal);
  }
}

const keyOf = (item: unknown): { id: string; updated_at: string } => item as { id: string; updated_at: string };

const isRemoved = (item: unknown): boolean => (item as { removed?: boolean }).removed === true;

/** False for the rows at the place's own time that were handed out before. */
function isAfter(item: unknown, place: Place | null): boolean {
  if (place === null) return true;
  const { id, updated_at } = keyOf(item);
  return updated_at !== place.at || id > place.id;
}
