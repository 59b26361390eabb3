/** null: an empty cell. */
export type Cell = string | number | boolean | null;

/**
 * `plain`: text, number or yes/no, as the cell is. `amount`: decimal text ("25.50"). `time`: milliseconds that a clock in the
 * sheet's zone shows, counted as if it stood in UTC: a sheet has no zones. `date`: "2026-11-15".
 */
export type CellKind = 'plain' | 'amount' | 'time' | 'date';

export interface SheetColumn {
  heading: string;
  kind: CellKind;
  /** In characters, where the format has widths. */
  width?: number;
}

/** Rows as they come, some at a time: no format keeps them. Each is looked at once. */
export type Pages = AsyncIterable<Iterable<readonly Cell[]>>;

export const clockText = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

const CHUNK = 65_536;

/** Texts as bytes, one by one: a page of rows as one text would be garbage of a size that is swept late. */
export async function* encoded(portions: AsyncIterable<Iterable<string>>): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK);
  let used = 0;
  for await (const portion of portions) {
    for (const text of portion) {
      const most = text.length * 3; // bytes of UTF-8
      if (used > 0 && used + most > CHUNK) {
        yield chunk.subarray(0, used);
        chunk = Buffer.allocUnsafe(CHUNK);
        used = 0;
      }
      if (most > CHUNK) yield Buffer.from(text);
      else used += chunk.write(text, used);
    }
  }
  if (used > 0) yield chunk.subarray(0, used);
}
