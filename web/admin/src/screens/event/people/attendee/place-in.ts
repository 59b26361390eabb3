/** Somebody who is not found in so many pages has no neighbours: the address came from elsewhere. */
const MAX_PAGES = 5;
/** The next page is fetched when so few rows are left to walk through. */
const ROWS_AHEAD = 5;

/** The place of somebody in the rows of a table that are loaded so far: whom it is between, and whether to load more of it. */
export function placeIn<Row extends { id: string }>(
  rows: readonly Row[],
  id: string,
  pages: number,
): { row: Row | undefined; previous: Row | undefined; next: Row | undefined; wantsMore: boolean } {
  const index = rows.findIndex((one) => one.id === id);
  if (index === -1) return { row: undefined, previous: undefined, next: undefined, wantsMore: pages < MAX_PAGES };
  return {
    ...{ row: rows[index], previous: rows[index - 1], next: rows[index + 1] },
    wantsMore: index >= rows.length - ROWS_AHEAD,
  };
}
