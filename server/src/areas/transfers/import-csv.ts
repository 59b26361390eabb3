export type Newline = '\n' | '\r';

export interface CsvRow {
  /** At most `MAX_COLUMNS` + 1 cells; further ones are counted in `columns` but not kept. */
  cells: string[];
  columns: number;
  /** `open`: the text ends inside a quoted cell. `stray`: a quoted cell contains a quote that is neither doubled nor its end. */
  fault: 'open' | 'stray' | null;
  /** The offset behind the row, in the unit of `sizeOf`. */
  end: number;
}

export const MAX_COLUMNS = 1000;

const QUOTE = 34;
type State = 'start' | 'plain' | 'quoted' | 'quote';

/**
 * Reads CSV piece by piece. It looks at every character only once, whatever the text is: a parser that searches for the end of
 * the cell at each stray quote takes half a minute for 2 MB of `",` (measured: docs/decisions/0028-small-formats.md).
 *
 * | state | sees | next |
 * |---|---|---|
 * | start | a quote | quoted |
 * | start | anything else | plain |
 * | plain | delimiter, line break | start; the cell is over |
 * | quoted | a quote | quote |
 * | quote | a second quote right behind it | quoted; one quote is part of the cell |
 * | quote | delimiter, line break, with or without spaces before it | start; the cell is over |
 * | quote | anything else | quoted; the quote was a stray one |
 */
export class CsvReader {
  /** How many characters of an unfinished row were read so far. */
  pending = 0;
  /** Where in the last piece reading stopped. */
  cursor = 0;
  readonly #delimiter: number;
  readonly #newline: number;
  readonly #sizeOf: (text: string) => number;
  #state: State = 'start';
  #cells: string[] = [];
  #columns = 0;
  #cell = '';
  /** The spaces seen behind a quote that may end its cell. */
  #spaces = '';
  #stray = false;
  #wasPlain = false;
  #at: number;

  constructor(delimiter: string, newline: Newline, sizeOf = (text: string): number => text.length, at = 0) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#newline = newline.charCodeAt(0);
    this.#sizeOf = sizeOf;
    this.#at = at;
  }

  /** The rows that end in this piece. After `most` rows it stops, and `cursor` is where the unread rest begins. */
  read(text: string, most = Number.POSITIVE_INFINITY): CsvRow[] {
    const rows: CsvRow[] = [];
    let begun = 0;
    let i = 0;
    while (i < text.length) {
      if (this.#state === 'start' && text.charCodeAt(i) === QUOTE) {
        this.#state = 'quoted';
        i += 1;
        continue;
      }
      const ends = this.#take(text, i);
      i = this.cursor;
      if (!ends) continue;
      this.#endCell();
      if (text.charCodeAt(i) === this.#newline) {
        rows.push(this.#endRow(text.slice(begun, i + 1)));
        begun = i + 1;
      }
      i += 1;
      if (rows.length === most) break;
    }
    this.cursor = Math.min(i, text.length);
    if (rows.length === most) return rows;
    this.cursor = text.length;
    this.pending += text.length - begun;
    this.#at += this.#sizeOf(text.slice(begun));
    return rows;
  }

  /** Called when the text is over: its last row if no line break ended it, else null. */
  end(): CsvRow | null {
    const open = this.#state === 'quoted';
    if (this.#state === 'start' && this.#columns === 0) return null;
    this.#endCell();
    const row = this.#endRow('');
    return open ? { ...row, fault: 'open' } : row;
  }

  /** Continues the current cell. Answers true once it is over; `cursor` is then at the delimiter or the line break. */
  #take(text: string, from: number): boolean {
    if (this.#state === 'quoted') return this.#quoted(text, from);
    if (this.#state === 'quote') return this.#behindQuote(text, from);
    return this.#plain(text, from);
  }

  #ends(code: number): boolean {
    return code === this.#delimiter || code === this.#newline;
  }

  #plain(text: string, from: number): boolean {
    let i = from;
    while (i < text.length && !this.#ends(text.charCodeAt(i))) i += 1;
    this.#state = 'plain';
    this.#cell += text.slice(from, i);
    this.cursor = i;
    return i < text.length;
  }

  /** Strings are concatenated only at doubled quotes; a stray quote stays inside the slice around it. */
  #quoted(text: string, from: number): boolean {
    let kept = from;
    let i = from;
    for (;;) {
      const quote = text.indexOf('"', i);
      if (quote < 0) {
        this.#cell += text.slice(kept);
        this.cursor = text.length;
        return false;
      }
      let behind = quote + 1;
      if (text.charCodeAt(behind) === QUOTE) {
        this.#cell += text.slice(kept, behind);
        kept = behind + 1;
        i = kept;
        continue;
      }
      while (behind < text.length && this.#isSpace(text.charCodeAt(behind))) behind += 1;
      if (behind === text.length || this.#ends(text.charCodeAt(behind))) {
        this.#cell += text.slice(kept, quote);
        this.#spaces = text.slice(quote + 1, behind);
        this.#state = 'quote';
        this.cursor = behind;
        return behind < text.length;
      }
      this.#stray = true;
      i = behind;
    }
  }

  /** The previous piece ended behind a quote, perhaps followed by spaces, so only this one tells what the quote meant. */
  #behindQuote(text: string, from: number): boolean {
    let i = from;
    while (i < text.length && this.#isSpace(text.charCodeAt(i))) i += 1;
    this.cursor = i;
    const doubled = this.#spaces === '' && text.charCodeAt(from) === QUOTE;
    if (doubled) {
      this.#cell += '"';
      this.#state = 'quoted';
      this.cursor = from + 1;
      return false;
    }
    if (i < text.length && this.#ends(text.charCodeAt(i))) return true;
    this.#spaces += text.slice(from, i);
    if (i === text.length) return false;
    this.#stray = true;
    this.#cell += `"${this.#spaces}`;
    this.#spaces = '';
    this.#state = 'quoted';
    return false;
  }

  /** Characters that are allowed between a closing quote and the delimiter. */
  #isSpace(code: number): boolean {
    return (code === 32 || (code >= 9 && code <= 13) || code === 0xa0) && !this.#ends(code);
  }

  #endCell(): void {
    this.#columns += 1;
    if (this.#columns <= MAX_COLUMNS + 1) this.#cells.push(this.#cell);
    this.#cell = '';
    this.#spaces = '';
    this.#wasPlain = this.#state === 'plain';
    this.#state = 'start';
  }

  #endRow(text: string): CsvRow {
    const cells = this.#cells;
    const last = cells.length - 1;
    // Lines are cut at "\n", so the "\r" of "\r\n" is still there.
    if (this.#newline === 10 && this.#wasPlain && cells[last]!.endsWith('\r')) cells[last] = cells[last]!.slice(0, -1);
    this.#at += this.#sizeOf(text);
    const row: CsvRow = { cells, columns: this.#columns, fault: this.#stray ? 'stray' : null, end: this.#at };
    this.#cells = [];
    this.#columns = 0;
    this.#stray = false;
    this.pending = 0;
    return row;
  }
}
