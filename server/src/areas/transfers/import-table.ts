import { invalid } from '../../road/refusal.ts';
import { CsvReader, type CsvRow, MOST_COLUMNS, type Newline } from './import-csv.ts';
import { fieldOf } from './import-headings.ts';
import { type Reading, sizeIn } from './import-text.ts';

/** One row of a file, as it came. */
export interface FileRow {
  /** As a spreadsheet counts: the headings are row 1. */
  number: number;
  cells: string[];
  /** What is wrong with its quotes, in words. */
  broken: string | null;
  /** The byte of the file behind it. */
  end: number;
}

/** A place between two rows of a file: the number of the last row before it, and the byte behind that one. */
export interface Place {
  row: number;
  at: number;
}

export interface Table {
  delimiter: string;
  headings: string[];
  /** Some at a time; empty rows are passed over. */
  rows: AsyncGenerator<FileRow[]>;
  /** The rows behind a place, from a text that begins there. */
  rowsFrom(place: Place, texts: AsyncGenerator<string>): AsyncGenerator<FileRow[]>;
  /** Lets go of the file, wherever its reading stands. */
  close(): Promise<unknown>;
}

export const DELIMITERS = [',', ';', '\t'];
/** Enough to hold the headings. */
const HEAD = 256 * 1024;
/** A row longer than this has lost a quote. */
const LONGEST_ROW = 1024 * 1024;

/** Reads the headings of a text and gives the rows below them. */
export async function tableOf(texts: AsyncGenerator<string>, reading: Reading = UTF_8): Promise<Table> {
  const close = () => texts.return(undefined);
  try {
    return { ...(await begin(texts, reading)), close };
  } catch (error) {
    await close();
    throw error;
  }
}
const UTF_8: Reading = { encoding: 'utf-8', marked: false };

async function begin(texts: AsyncGenerator<string>, reading: Reading): Promise<Omit<Table, 'close'>> {
  let head = '';
  let ended = false;
  while (!ended && head.length < HEAD) {
    const next = await texts.next();
    if (next.done === true) ended = true;
    else head += next.value;
  }
  const [end] = /\r\n|\n|\r/.exec(head.replaceAll(/"[^"]*"/g, '')) ?? [];
  const newline = end === '\r' ? '\r' : '\n';
  // Lines before the headings: empty ones, and Excel's own hint at the delimiter.
  const [before, hint] = /^(?:[^\S\n\r]*[\n\r])*(?:sep=([^\w\s"'=+@-]|\t)\r?[\n\r])?/i.exec(head)!;
  head = head.slice(before.length);
  if (head.trim() === '')
    invalid({ path: 'csv', message: 'is empty: it needs a line of headings, then one row a person' });
  const delimiter = hint ?? delimiterOf(head, newline);
  const { row, rest } = headingsOf(head, delimiter, newline);
  if (row.columns > MOST_COLUMNS) {
    invalid({ path: 'csv', message: `has ${row.columns} columns; at most ${MOST_COLUMNS} are read` });
  }
  if (row.fault !== null) neverClosed(1);
  if (rest === null && !ended) invalid({ path: 'csv', message: 'has headings that are longer than 256 KB' });
  const sizeOf = sizeIn(reading.encoding);
  const read = (number: number, at: number, text: Rest) =>
    rowsOf(new CsvReader(delimiter, newline, sizeOf, at), number, text);
  const at = (reading.marked ? sizeOf('\ufeff') : 0) + sizeOf(before) + sizeOf(head) - sizeOf(rest ?? '');
  return {
    delimiter,
    headings: row.cells,
    rows: read(1, at, { rest: rest ?? '', more: texts, ended }),
    rowsFrom: (place, more) => read(place.row, place.at, { rest: '', more, ended: false }),
  };
}

/** The one that makes the most known headings; else the one that makes the most columns. */
function delimiterOf(head: string, newline: Newline): string {
  const rank = (delimiter: string): [known: number, columns: number] => {
    const { cells, columns } = headingsOf(head, delimiter, newline).row;
    return [cells.filter((cell) => fieldOf(cell) !== null).length, columns];
  };
  let best = { delimiter: ',', rank: [-1, -1] as [number, number] };
  for (const delimiter of DELIMITERS) {
    const [known, columns] = rank(delimiter);
    if (known > best.rank[0] || (known === best.rank[0] && columns > best.rank[1])) {
      best = { delimiter, rank: [known, columns] };
    }
  }
  return best.delimiter;
}

/** The first row, and what is behind it; null: it does not end here. */
function headingsOf(head: string, delimiter: string, newline: Newline): { row: CsvRow; rest: string | null } {
  const reader = new CsvReader(delimiter, newline);
  const [row] = reader.read(head, 1);
  return row === undefined ? { row: reader.end()!, rest: null } : { row, rest: head.slice(reader.cursor) };
}

interface Rest {
  rest: string;
  more: AsyncGenerator<string>;
  ended: boolean;
}

async function* rowsOf(reader: CsvReader, first: number, { rest, more, ended }: Rest): AsyncGenerator<FileRow[]> {
  let number = first;
  let text = rest;
  for (let over = ended; ; ) {
    const found = reader.read(text);
    const last = over ? reader.end() : null;
    if (last !== null) found.push(last);
    const rows: FileRow[] = [];
    for (const row of found) {
      number += 1;
      if (row.columns > MOST_COLUMNS) tooWide(number, row.columns);
      if (row.cells.every((cell) => cell.trim() === '')) continue;
      rows.push({ number, cells: row.cells, broken: faultOf(row, number), end: row.end });
    }
    if (rows.length > 0) yield rows;
    if (over) return;
    if (reader.pending > LONGEST_ROW) neverClosed(number + 1);
    const next = await more.next();
    over = next.done === true;
    text = next.value ?? '';
  }
}

/** A quote at fault spoils its own row; one that swallowed line breaks leaves no way to tell where rows end. */
function faultOf({ fault, cells }: CsvRow, number: number): string | null {
  if (fault === null) return null;
  if (cells.some((cell) => /[\n\r]/.test(cell))) neverClosed(number);
  return fault === 'open' ? 'A quote is opened and not closed.' : 'A quote stands inside a quoted cell.';
}

const neverClosed = (number: number): never =>
  invalid({
    path: 'csv',
    message: `a quote in row ${number} is opened and not closed where it should be; correct it there`,
  });

const tooWide = (number: number, columns: number): never =>
  invalid({ path: 'csv', message: `row ${number} has ${columns} cells; at most ${MOST_COLUMNS} are read` });
