import { AttendeeChange, type DateOrder, fieldsOf, type ImportField } from '@turnout/contract';
import { unguard } from '@turnout/contract/csv-guard';
import { normalized } from '../../common/unicode.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { normalise } from '../contacts/index.ts';
import type { QuestionRow } from '../events/index.ts';
import { readDate } from './import-dates.ts';
import type { Column } from './import-headings.ts';
import { type ImportRow, invalidValue, keysFor, Rejected, type RowFault, shortened } from './import-row.ts';
import type { FileRow } from './import-table.ts';

const LONGEST_CELL = 5000;
/** No language puts more accents on one letter, and the time to compose a run of accents grows with its square. */
const HEAPED_ACCENTS = /\p{M}{31}/u;
const DATES = fieldsOf('attendee', { imported: true, kind: 'date' });
const checkValues = bodyCheck(AttendeeChange);

export function readRow(row: FileRow, columns: readonly Column[], order: DateOrder): ImportRow | Rejected {
  if (row.broken !== null) return new Rejected([{ code: 'broken_row', words: row.broken }]);
  const texts: Partial<Record<ImportField, string>> = {};
  const answers: [string, unknown][] = [];
  const faults: RowFault[] = [];
  const unreadable = new Set<string>();
  const wrong = (name: string, text: string, fault: string): void => {
    unreadable.add(name);
    faults.push(invalidValue(name, text, fault));
  };
  for (const [i, raw] of row.cells.entries()) {
    const cell = raw.trim();
    const column = columns[i];
    if (cell === '' || column?.use === 'ignore') continue;
    if (column === undefined || column.use === 'nameless') {
      faults.push({ code: 'broken_row', words: `"${shortened(cell)}" is in a column that has no heading.` });
      continue;
    }
    // The cell may still carry the guards that an export put in it; they less than double its length.
    const faulty =
      cell.length > 2 * LONGEST_CELL
        ? 'is too long'
        : HEAPED_ACCENTS.test(cell)
          ? 'has more than 30 accents on one letter'
          : null;
    const text = faulty === null ? textOf(cell) : cell;
    if (text === '') continue;
    if (faulty !== null || text.length > LONGEST_CELL) wrong(nameOf(column), text, faulty ?? 'is too long');
    else if (column.use === 'field') texts[column.field] = text;
    else if (column.use === 'answer') {
      const answer = column.question === null ? text : answerOf(column.question, text, order);
      if (answer === null) wrong(column.key, text, notAnAnswer(column.question!, order));
      else answers.push([column.key, answer]);
    } else if (text !== 'confirmed') {
      const words = `The status is "${shortened(text)}". Only the confirmed people of an export are imported.`;
      faults.push({ code: 'invalid_value', words });
    }
  }
  const { name, attendee_type, group, days, ...person } = texts;
  const values: Record<string, string> = { ...(name !== undefined && namesIn(name)), ...person };
  for (const field of DATES) {
    const text = person[field];
    if (text === undefined) continue;
    const date = readDate(text, order);
    if (date === null) {
      wrong(field, text, notADate(order));
      delete values[field];
    } else values[field] = date;
  }
  for (const fault of Object.keys(values).length === 0 ? [] : checkValues(values)) {
    wrong(fault.path, values[fault.path] ?? '', fault.message);
  }
  for (const name of unreadable) delete values[name];
  const read: ImportRow = {
    ...values,
    ...(attendee_type !== undefined && { attendee_type }),
    ...(group !== undefined && { group }),
    ...(days !== undefined && { days }),
    answers: Object.fromEntries(answers),
    keys: keysFor({ first_name: '', last_name: '', email: null, phone: null, external_id: null, ...values }),
  };
  return faults.length === 0 ? read : new Rejected(faults, { ...read, unreadable });
}

const ORDERS: Record<DateOrder, string> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};
const notADate = (order: DateOrder): string => `is not a date in the order ${ORDERS[order]}`;

/** The options are not listed here: a question may have hundreds, and each row would repeat them. */
function notAnAnswer({ kind }: QuestionRow, order: DateOrder): string {
  if (kind === 'date') return notADate(order);
  const needed =
    kind === 'yes_no'
      ? 'yes or no'
      : kind === 'number'
        ? 'a number such as 1500 or 12.5'
        : kind === 'choices'
          ? 'some of its options, separated by semicolons'
          : 'one of its options';
  return `is not an answer to the question, which takes ${needed}`;
}

const nameOf = (column: Column): string =>
  column.use === 'field' ? column.field : column.use === 'answer' ? column.key : column.use;

const textOf = (cell: string): string => normalized(unguard(cell), 'NFC').trim();

/** Splits "Lovelace, Ada" at the comma. Without a comma, the last word is the last name. */
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

/** Reads a cell as the answer to a question of the event; null if the question does not allow this answer. */
export function answerOf({ kind, options }: QuestionRow, text: string, order: DateOrder): unknown {
  const offered = optionsOf(options ?? NONE);
  const option = (given: string): string | undefined => offered.get(given) ?? offered.get(normalise(given));
  switch (kind) {
    case 'yes_no': {
      const word = normalise(text);
      return YES.has(word) ? true : NO.has(word) ? false : null;
    }
    case 'number':
      // "1,500" is refused: it means one and a half in some countries and fifteen hundred in others.
      return NUMBER.test(text) && !/,\d{3}$/.test(text) ? finite(Number(text.replace(',', '.'))) : null;
    case 'date':
      return readDate(text, order);
    case 'choice':
      return option(text) ?? null;
    case 'choices': {
      const single = option(text);
      const chosen = single !== undefined ? [single] : severalIn(text).map(option);
      return chosen.includes(undefined) ? null : [...new Set(chosen)];
    }
    default:
      return text;
  }
}

/** A text with too many digits becomes Infinity, which JSON would store as null. */
const finite = (number: number): number | null => (Number.isFinite(number) ? number : null);

const NONE: readonly string[] = [];
const folded = new WeakMap<readonly string[], ReadonlyMap<string, string>>();
/**
 * Looks up an option by its exact text, and by its text without case and accents. The map is built once per list of options,
 * because one cell may name thousands of them.
 */
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

const ALL_DAYS = new Set(
  [
    ...[
      'all',
      'all days',
      'every day',
      'alle',
      'alle Tage',
      'jeden Tag',
      'tous',
      'tous les jours',
      'toutes les journées',
    ],
    ...['todos', 'todos los días'],
  ].map(normalise),
);
/** Whether a cell means every day that the type is offered on. A day that is called so comes first. */
export const isAllDays = (text: string): boolean => text.length < 30 && ALL_DAYS.has(normalise(text));

/** Splits a cell that holds several values. */
export const severalIn = (text: string): string[] =>
  text
    .split(/[;,|]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
