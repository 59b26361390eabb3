import { AttendeeChange, type DateOrder, type ImportError, type ImportField } from '@turnout/contract';
import { unguard } from '../../outside/csv.ts';
import { bodyCheck } from '../../road/validate.ts';
import { normalized } from '../../unicode.ts';
import { normalise } from '../contacts/index.ts';
import type { QuestionRow } from '../events/index.ts';
import { readDate } from './import-dates.ts';
import type { Column } from './import-headings.ts';
import { type Keys, keysFor } from './import-people.ts';
import type { FileRow } from './import-table.ts';

export interface RowFault {
  code: ImportError;
  words: string;
}

/** More than these are counted, not told: a row may have a thousand cells, and each of them its fault. */
const MOST_FAULTS = 10;

/** Why a row is left out: everything that is wrong with it, so that it is corrected once. */
export class Rejected {
  /** Of the first fault. */
  readonly code: ImportError;
  /** Of all of them: the first without its code, which stands apart. */
  readonly words: string;
  readonly faults: readonly RowFault[];
  /** What could be read of it nevertheless; null: nothing. */
  readonly rest: PersonRow | null;
  constructor(faults: readonly RowFault[], rest: PersonRow | null = null) {
    const [first, ...others] = faults.slice(0, MOST_FAULTS);
    const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [];
    this.code = first!.code;
    this.words = [first!.words, ...others.map((one) => `${one.code}: ${one.words}`), ...more].join(' | ');
    this.faults = faults;
    this.rest = rest;
  }
}

/** What a row says of a person; what it leaves empty it does not say. */
export interface PersonRow {
  first_name?: string;
  last_name?: string;
  email?: string;
  phone?: string;
  date_of_birth?: string;
  external_id?: string;
  /** By code or name, to be found in the event. */
  attendee_type?: string;
  group?: string;
  days?: string;
  /** By question code, or by heading. */
  answers: Record<string, unknown>;
  keys: Keys;
  /** What it says in a way that cannot be read. */
  unfit?: ReadonlySet<string>;
}

const LONGEST_CELL = 5000;
/** No language puts more on one letter, and composing a long run of accents takes time that grows with its square. */
const HEAPED_ACCENTS = /\p{M}{31}/u;
const checkValues = bodyCheck(AttendeeChange);

export function readRow(row: FileRow, columns: readonly Column[], order: DateOrder): PersonRow | Rejected {
  if (row.broken !== null) return new Rejected([{ code: 'broken_row', words: row.broken }]);
  const said: Partial<Record<ImportField, string>> = {};
  const answers: [string, unknown][] = [];
  const faults: RowFault[] = [];
  const unfit = new Set<string>();
  const wrong = (name: string, text: string, fault: string): void => {
    unfit.add(name);
    faults.push({ code: 'invalid_value', words: `${short(name)}: "${short(text)}" ${fault}.` });
  };
  for (const [i, raw] of row.cells.entries()) {
    const cell = raw.trim();
    const column = columns[i];
    if (cell === '' || column?.use === 'ignore') continue;
    if (column === undefined || column.use === 'nameless') {
      faults.push({ code: 'broken_row', words: `"${short(cell)}" stands in a column that has no heading.` });
      continue;
    }
    // Guards make a cell longer, by less than as much again.
    const faulty =
      cell.length > 2 * LONGEST_CELL
        ? 'is too long'
        : HEAPED_ACCENTS.test(cell)
          ? 'has more than 30 accents on one letter'
          : null;
    const text = faulty === null ? textOf(cell) : cell;
    if (text === '') continue;
    if (faulty !== null || text.length > LONGEST_CELL) wrong(nameOf(column), text, faulty ?? 'is too long');
    else if (column.use === 'field') said[column.field] = text;
    else if (column.use === 'answer') {
      const answer = column.question === null ? text : answerOf(column.question, text, order);
      if (answer === null) wrong(column.key, text, `is not an answer to the question (${column.question!.kind})`);
      else answers.push([column.key, answer]);
    } else if (text !== 'confirmed') {
      const words = `Status: "${short(text)}". Of an export only confirmed people are imported.`;
      faults.push({ code: 'invalid_value', words });
    }
  }
  const { name, attendee_type, group, days, date_of_birth, ...person } = said;
  const born = date_of_birth === undefined ? undefined : readDate(date_of_birth, order);
  if (born === null) wrong('date_of_birth', date_of_birth!, `is not a date (read as ${order})`);
  const values: Record<string, string> = {
    ...(name !== undefined && namesIn(name)),
    ...person,
    ...(born != null && { date_of_birth: born }),
  };
  for (const fault of Object.keys(values).length === 0 ? [] : checkValues(values)) {
    wrong(fault.path, values[fault.path] ?? '', fault.message);
  }
  for (const name of unfit) delete values[name];
  const read: PersonRow = {
    ...values,
    ...(attendee_type !== undefined && { attendee_type }),
    ...(group !== undefined && { group }),
    ...(days !== undefined && { days }),
    answers: Object.fromEntries(answers),
    keys: keysFor({ first_name: '', last_name: '', email: null, phone: null, external_id: null, ...values }),
  };
  return faults.length === 0 ? read : new Rejected(faults, { ...read, unfit });
}

const nameOf = (column: Column): string =>
  column.use === 'field' ? column.field : column.use === 'answer' ? column.key : column.use;

const textOf = (cell: string): string => normalized(unguard(cell), 'NFC').trim();
/** For messages. A letter of two halves is not cut in two: PostgreSQL would refuse the half. */
export const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text);

/** "Lovelace, Ada", or the last word is the last name. */
function namesIn(name: string): { first_name?: string; last_name: string } {
  const comma = name.indexOf(',');
  const [last, first] =
    comma >= 0
      ? [name.slice(0, comma).trim(), name.slice(comma + 1).trim()]
      : [name.slice(name.lastIndexOf(' ') + 1), name.slice(0, Math.max(0, name.lastIndexOf(' '))).trim()];
  return { ...(first !== '' && { first_name: first }), last_name: last };
}

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', 'si', 's', 'verdadero']);
const NO = new Set(['no', 'n', 'false', '0', 'nein', 'falsch', 'non', 'faux', 'falso']);
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

/** What a cell answers to a question of the event; null: it is none of its answers. */
export function answerOf({ kind, options }: QuestionRow, text: string, order: DateOrder): unknown {
  const offered = optionsOf(options ?? NONE);
  const option = (given: string): string | undefined => offered.get(given) ?? offered.get(normalise(given));
  switch (kind) {
    case 'yes_no': {
      const word = normalise(text);
      return YES.has(word) ? true : NO.has(word) ? false : null;
    }
    case 'number':
      // "1,500" is one and a half to some and fifteen hundred to others.
      return NUMBER.test(text) && !/,\d{3}$/.test(text) ? finite(Number(text.replace(',', '.'))) : null;
    case 'date':
      return readDate(text, order);
    case 'choice':
      return option(text) ?? null;
    case 'choices': {
      const whole = option(text);
      const chosen = whole !== undefined ? [whole] : severalIn(text).map(option);
      return chosen.includes(undefined) ? null : [...new Set(chosen)];
    }
    default:
      return text;
  }
}

/** More digits than a number holds would be stored as none. */
const finite = (number: number): number | null => (Number.isFinite(number) ? number : null);

const NONE: readonly string[] = [];
const folded = new WeakMap<readonly string[], ReadonlyMap<string, string>>();
/** A question's options as they are written, and without case and accents. Folded once: a cell may name thousands. */
function optionsOf(options: readonly string[]): ReadonlyMap<string, string> {
  let known = folded.get(options);
  if (known === undefined) {
    const byText = new Map<string, string>();
    for (const one of options.toReversed()) byText.set(normalise(one), one);
    for (const one of options) byText.set(one, one);
    known = byText;
    folded.set(options, known);
  }
  return known;
}

/** Several values of one cell. */
export const severalIn = (text: string): string[] =>
  text
    .split(/[;,|]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
