import { EXPORT_COLUMNS, type Exported } from '@turnout/contract';
import { type Fault, refuse } from '../../common/refusal.ts';
import type { Cell } from '../../outside/sheet.ts';
import type { QuestionRow } from '../events/index.ts';
import type { AnySheet, Column } from './export-sheet.ts';
import { type ExportWorld, SEPARATOR } from './export-world.ts';
import { headingKey, isReservedHeading, ONE_ANSWER } from './import-headings.ts';

const MAX_COLUMNS = 1000;

export const usualColumns = (what: Exported): readonly string[] => EXPORT_COLUMNS[what].usual;

export function columnFaults(what: Exported, names: readonly string[]): Fault[] {
  const { usual, more } = EXPORT_COLUMNS[what];
  const known: readonly string[] = [...usual, ...more];
  const hasAnswers = known.includes('answers');
  return names.flatMap((name, i) => {
    if (known.includes(name)) return [];
    if (hasAnswers && name.startsWith(ONE_ANSWER) && name.length > ONE_ANSWER.length) return [];
    return [{ path: `columns/${i}`, message: `${name} is not a column of ${what}; these are: ${known.join(', ')}` }];
  });
}

/**
 * The columns of the given names. `answers` becomes one column per question, in the order of the questions, then one for every
 * other key under which attendees have answers.
 */
export function columnsOf(
  sheet: AnySheet,
  names: readonly string[],
  world: ExportWorld,
  answerKeys: readonly string[],
): Column<unknown>[] {
  const codes = world.questions.map((question) => question.code);
  const others = answerKeys.filter((key) => !codes.includes(key));
  const answer = answerColumns(sheet, world.questions);
  const columns = names.flatMap((name): Column<unknown>[] => {
    if (name === 'answers') return [...codes, ...others].map(answer);
    if (name.startsWith(ONE_ANSWER)) return [answer(name.slice(ONE_ANSWER.length))];
    return [sheet.columns[name]!];
  });
  if (columns.length > MAX_COLUMNS) {
    refuse('invalid_state', {
      message: `The file would have ${columns.length} columns, because attendees have answers under ${others.length} headings that are no questions; at most ${MAX_COLUMNS} are allowed. Name the columns you need.`,
    });
  }
  return columns;
}

function answerColumns(sheet: AnySheet, questions: readonly QuestionRow[]): (key: string) => Column<unknown> {
  const byCode = new Map(questions.map((question) => [question.code.toLowerCase(), question]));
  const isTaken = takenBy(questions);
  return (key) => {
    const question = byCode.get(key.toLowerCase());
    const code = question?.code ?? key;
    const heading = isTaken(code) ? `${ONE_ANSWER}${code}` : code;
    const answer = (row: unknown) => sheet.answers!(row)[code];
    return question?.kind === 'date'
      ? { heading, kind: 'date', cell: (row) => textOf(answer(row)) }
      : { heading, kind: 'plain', cell: (row) => cellOf(answer(row)) };
  };
}

/** Whether an import would read this key as another heading: a column of the export, a field or another question. */
function takenBy(questions: readonly QuestionRow[]): (key: string) => boolean {
  const codesByHeading = new Map<string, Set<string>>();
  for (const { code, label } of questions) {
    for (const heading of [headingKey(code), headingKey(label)]) {
      codesByHeading.set(heading, (codesByHeading.get(heading) ?? new Set()).add(code));
    }
  }
  return (key) => {
    if (key.startsWith(ONE_ANSWER) || isReservedHeading(key)) return true;
    const others = codesByHeading.get(headingKey(key)) ?? new Set();
    return others.size > (others.has(key) ? 1 : 0);
  };
}

function cellOf(answer: unknown): Cell {
  if (typeof answer === 'number' || typeof answer === 'boolean') return answer;
  return textOf(answer);
}

function textOf(answer: unknown): string | null {
  if (answer === undefined || answer === null) return null;
  if (typeof answer === 'string') return answer;
  if (Array.isArray(answer))
    return answer.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(SEPARATOR);
  return JSON.stringify(answer);
}
