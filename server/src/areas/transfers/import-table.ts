import { invalid } from '../../common/refusal.ts';
import { CsvReader, type CsvRow, MAX_COLUMNS, type Newline } from './import-csv.ts';
import { fieldOf } from './import-headings.ts';
import { type Reading, sizeIn } from './import-text.ts';

/** One row of a file, unchanged. */
export interface FileRow {
  /** Counted as a spreadsheet does: the headings are row 1. */
  number: number;
  cells: string[];
  /** What is wrong with its quotes, as a sentence. */
  broken: string | null;
  /** The byte offset behind the row. */
  end: number;
}

/** A position between two rows of a file: the number of the row before it, and the byte offset behind that row. */
export interface Position {
  row: number;
  at: number;
}

export interface Table {
  delimiter: string;
  headings: string[];
  /** Several rows at a time; empty ones are left out. */
  rows: AsyncGenerator<FileRow[]>;
  /** The rows behind a position, from a text that begins there. */
  rowsFrom(position: Position, texts: AsyncGenerator<string>): AsyncGenerator<FileRow[]>;
  /** Closes the file, no matter how much of it was read. */
  close(): Promise<unknown>;
}

export const DELIMITERS = [',', ';', '\t'];
/** How many characters are read to find the headings. */
const HEAD = 256 * 1024;
/** A row longer than this must have an unclosed quote. */
const LONGEST_ROW = 1024 * 1024;

/** Reads the headings of a text; the rows below them are read as they are asked for. */
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
  // Before the headings there may be empty lines, and Excel's line that names the delimiter ("sep=;").
  const [before, hint] = /^(?:[^\S\n\r]*[\n\r])*(?:sep=([^\w\s"'=+@-]|\t)\r?[\n\r])?/i.exec(head)!;
  head = head.slice(before.length);
  if (head.trim() === '')
    invalid({ path: 'csv', message: 'is empty: it needs a line of headings, then one row for each person' });
  const delimiter = hint ?? delimiterOf(head, newline);
  const { row, rest } = headingsOf(head, delimiter, newline);
  if (row.columns > MAX_COLUMNS) {
    invalid({ path: 'csv', message: `has ${row.columns} columns; at most ${MAX_COLUMNS} are read` });
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
    rowsFrom: (position, more) => read(position.row, position.at, { rest: '', more, ended: false }),
  };
}

/** The delimiter that gives the most known headings; if several do, the one of them that gives the most columns. */
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

/** The first row and the text behind it. `rest` is null if the row does not end in this text. */
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
      if (row.columns > MAX_COLUMNS) tooWide(number, row.columns);
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

/**
 * A wrong quote spoils only its own row. But once it has swallowed line breaks, nobody can tell where rows end, so the whole
 * file is refused.
 */
function faultOf({ fault, cells }: CsvRow, number: number): string | null {
  if (fault === null) return null;
  if (cells.some((cell) => /[\n\r]/.test(cell))) neverClosed(number);
  return fault === 'open'
    ? 'A quote is opened and never closed.'
    : 'A quoted cell contains a quote that is not doubled.';
}

const neverClosed = (number: number): never =>
  invalid({
    path: 'csv',
    message: `a quote in row ${number} is opened and not closed in the same cell; correct it there and send the file again`,
  });

const tooWide = (number: number, columns: number): never =>
  invalid({ path: 'csv', message: `row ${number} has ${columns} cells; at most ${MAX_COLUMNS} are read` });
