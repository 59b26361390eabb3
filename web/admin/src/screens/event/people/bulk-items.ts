import type { Input } from '@turnout/client';
import type { SelectedRows } from '../../../parts/marks.ts';

type Body = Input<'startBulkAction'>['body'];
export type BulkAction = Body['action'];
export type BulkExtras = Pick<Body, 'reason' | 'send' | 'change'>;
/** What a bulk action takes: what was selected, or the filters that find it. */
export type BulkItems = Pick<Body, 'ids' | 'filter'>;

/** The server takes so many at a time, if they are named one by one. */
export const MAX_IDS = 10_000;

/** More are selected than can be named one by one. */
export class TooMany extends Error {}

/** Where the items of a selection come from. */
export interface Source {
  selection: { chosen: SelectedRows; clear: () => void };
  /** The filters of the table, if the action takes the same kind of thing as the table shows. */
  filter: BulkItems['filter'] | undefined;
  /** What the action calls the selected rows; a row that is not loaded is undefined. */
  idOf: (id: string) => string | undefined;
  /** Everything that the filters find, page by page. */
  page: (cursor: string | undefined) => Promise<{ ids: { row: string; item: string }[]; next: string | null }>;
}

/**
 * The items of a selection. Everything that matches is named by the filters. Where somebody was taken out of it, or the action is about
 * something else than the table shows, the list is gone through and each is named.
 */
export async function itemsOf({ selection: { chosen }, filter, idOf, page }: Source): Promise<BulkItems> {
  if (chosen.all && chosen.except.length === 0 && filter !== undefined) return { filter };
  const found = new Set<string>();
  if (chosen.all) {
    const except = new Set(chosen.except);
    for (let cursor: string | null | undefined; cursor !== null && found.size <= MAX_IDS; ) {
      const { ids, next } = await page(cursor ?? undefined);
      for (const { row, item } of ids) if (!except.has(row)) found.add(item);
      cursor = next;
    }
  } else for (const id of chosen.ids.map(idOf)) if (id !== undefined) found.add(id);
  if (found.size > MAX_IDS) throw new TooMany();
  return { ids: [...found] };
}
