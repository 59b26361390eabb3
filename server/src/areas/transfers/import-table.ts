import Papa from 'papaparse';
import { invalid } from '../../road/refusal.ts';
import { fieldOf } from './import-headings.ts';

/** One row of a file, as it came. */
export interface FileRow {
  /** As a spreadsheet counts: the headings are row 1. */
  number: number;
  cells: string[];
  /** What is wrong with its quotes, in words. */
  broken: string | null;
}

export interface Table {
  delimiter: string;
  headings: string[];
  /** Some at a time; empty rows are passed over. */
  rows: AsyncGenerator<FileRow[]>;
  /** Lets go of the file, wherever its reading stands. */
  close(): Promise<unknown>;
}

const DELIMITERS = [',', ';', '\t'];
const MOST_COLUMNS = 1000;
/** Enough to hold the headings. */
const HEAD = 256 * 1024;
/** A row longer than this has lost a quote. */
const LONGEST_ROW = 1024 * 1024;

type Newline = '\n' | '\r';

interface Parsed {
  data: string[][];
  errors: { row: number; code: string }[];
  meta: { cursor: number };
}

/** Reads the headings of a text and gives the rows below them. */
export async function tableOf(texts: AsyncGenerator<string>): Promise<Table> {
  const close = () => texts.return(undefined);
  try {
    return { ...(await begin(texts)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function begin(texts: AsyncGenerator<string>): Promise<Omit<Table, 'close'>> {
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
  const [before, hint] = /^(?:[^\S\n\r]*[\n\r])*(?:sep=(.)\r?[\n\r])?/i.exec(head)!;
  head = head.slice(before.length);
  if (head.trim() === '')
    invalid({ path: 'csv', message: 'is empty: it needs a line of headings, then one row a person' });
  const delimiter = hint ?? delimiterOf(head, newline);
  const { data, errors, meta } = headingsOf(head, delimiter, newline);
  if (errors.length > 0) neverClosed(1);
  const headings = clean(data[0]!, newline);
  if (headings.length > MOST_COLUMNS) {
    invalid({ path: 'csv', message: `has ${headings.length} columns; at most ${MOST_COLUMNS} are read` });
  }
  const rows = rowsOf({ rest: head.slice(meta.cursor), more: texts, ended }, delimiter, newline);
  return { delimiter, headings, rows };
}

/** The one that makes the most known headings; else the one that makes the most columns. */
function delimiterOf(head: string, newline: Newline): string {
  const rank = (delimiter: string): [known: number, columns: number] => {
    const cells = headingsOf(head, delimiter, newline).data[0] ?? [];
    return [cells.filter((cell) => fieldOf(cell) !== null).length, cells.length];
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

/** `open`: the text goes on, so its last row is left for later. */
const parse = (text: string, delimiter: string, newline: Newline, open: boolean): Parsed =>
  new Papa.Parser({ delimiter, newline }).parse(text, 0, open);

/** Without the fast mode, which goes one row too far for a preview. */
const headingsOf = (text: string, delimiter: string, newline: Newline): Parsed =>
  new Papa.Parser({ delimiter, newline, preview: 1, fastMode: false }).parse(text, 0, false);

/** What is left of "\r\n" where lines were cut at "\n". */
function clean(cells: string[], newline: Newline): string[] {
  const last = cells.length - 1;
  if (newline === '\n' && cells[last]?.endsWith('\r')) cells[last] = cells[last].slice(0, -1);
  return cells;
}

interface Rest {
  rest: string;
  more: AsyncGenerator<string>;
  ended: boolean;
}

async function* rowsOf({ rest, more, ended }: Rest, delimiter: string, newline: Newline): AsyncGenerator<FileRow[]> {
  let number = 1;
  for (;;) {
    const { data, errors, meta } = parse(rest, delimiter, newline, !ended);
    const broken = new Map(errors.map((error) => [error.row, error.code]));
    const rows: FileRow[] = [];
    for (const [i, cells] of data.entries()) {
      number += 1;
      clean(cells, newline);
      if (cells.every((cell) => cell.trim() === '')) continue;
      rows.push({ number, cells, broken: faultOf(broken.get(i), cells, number) });
    }
    if (rows.length > 0) yield rows;
    if (ended) return;
    rest = rest.slice(meta.cursor);
    if (rest.length > LONGEST_ROW) neverClosed(number + 1);
    const next = await more.next();
    if (next.done === true) ended = true;
    else rest += next.value;
  }
}

/** A quote at fault spoils its own row; one that swallowed line breaks leaves no way to tell where rows end. */
function faultOf(code: string | undefined, cells: readonly string[], number: number): string | null {
  if (code === undefined) return null;
  if (cells.some((cell) => /[\n\r]/.test(cell))) neverClosed(number);
  return code === 'MissingQuotes' ? 'A quote is opened and not closed.' : 'A quote stands inside a quoted cell.';
}

const neverClosed = (number: number): never =>
  invalid({
    path: 'csv',
    message: `a quote in row ${number} is opened and not closed where it should be; correct it there`,
  });
