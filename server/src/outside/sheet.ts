/** Null is an empty cell. */
export type Cell = string | number | boolean | null;

/**
 * `plain`: text, number or boolean, written by its type. `amount`: decimal text ("25.50"). `time`: a local time, as the
 * milliseconds that UTC would have if its clocks showed that time, because spreadsheets have no timezones. `date`: "2026-11-15".
 */
export type CellKind = 'plain' | 'amount' | 'time' | 'date';

export interface SheetColumn {
  heading: string;
  kind: CellKind;
  /** In characters. Formats without column widths ignore it. */
  width?: number;
}

/** Rows as they are read, several at a time. A writer keeps none of them and iterates over each page once. */
export type Pages = AsyncIterable<Iterable<readonly Cell[]>>;

export const clockText = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

const CHUNK = 65_536;

/**
 * Encodes texts one by one into chunks. Joining a page of rows into one string first would leave large strings behind, which
 * the garbage collector frees late.
 */
export async function* encoded(portions: AsyncIterable<Iterable<string>>): AsyncGenerator<Buffer> {
  let chunk = Buffer.allocUnsafe(CHUNK);
  let used = 0;
  for await (const portion of portions) {
    for (const text of portion) {
      const most = text.length * 3; // the longest that the text can be in UTF-8
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
