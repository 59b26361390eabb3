import type { ImportColumn } from '@turnout/client';
import { fieldsOf } from '@turnout/contract/person-fields';
import { useAllWords, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { type OpenReason, type RejectGroup, VALUES_SHOWN } from './reject-rows.ts';

const LONGEST_VALUE = 60;
const EMAILS: readonly string[] = fieldsOf('attendee', { kind: 'email' });
const DATES: readonly string[] = fieldsOf('attendee', { kind: 'date' });

/** Says what is wrong with a row as a whole sentence in the viewer's language; the server's own sentence is English. */
export function useReasonTexts(columns: readonly ImportColumn[]) {
  const words = useAllWords();
  const t = useWords('import');
  const { questions } = useEvent();
  const codeOf = ({ code }: OpenReason, column: ImportColumn | undefined): string => {
    if (code !== 'invalid_value') return code;
    if (column?.became === 'field' && EMAILS.includes(column.field!)) return 'not_email';
    if (column?.became === 'field' && DATES.includes(column.field!)) return 'not_date';
    const question = column?.became === 'question' ? questions.find((one) => one.code === column.field) : undefined;
    return question?.options == null ? code : 'not_option';
  };
  const ofRow = (reason: OpenReason, cells: readonly string[]): string => {
    const column = columns[reason.columns[0] ?? -1];
    const code = codeOf(reason, column);
    // One of several columns is wrong: their values are not quoted.
    const cell = reason.columns.length === 1 ? (cells[reason.columns[0]!] ?? '').trim() : '';
    // Where a cell names several days, only one of them may be wrong, and that is the one which the server quotes.
    const value = (reason.code === 'unknown_day' ? reason.value : null) ?? cell;
    const said = words.find('import', `reason.${code}`, { value: shortened(value), column: column?.heading ?? '' });
    const vague = code === 'invalid_value' && (words.language === 'en' || column === undefined);
    return said === null || vague ? reason.words : said;
  };
  /** The same for rows with different values. */
  const ofGroup = ({ reason, column, values, rows }: RejectGroup): string => {
    if (column === null || values.length < 2) return ofRow(reason, rows[0]!.current);
    const more = values.length > VALUES_SHOWN ? ' …' : '';
    const some = values.slice(0, VALUES_SHOWN).map((value) => t('quoted', { value: shortened(value) }));
    const named = { values: some.join(', ') + more, column: columns[column]!.heading };
    return words.find('import', `several.${codeOf(reason, columns[column])}`, named) ?? ofRow(reason, rows[0]!.current);
  };
  return { ofRow, ofGroup };
}

const shortened = (value: string): string =>
  value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1).toWellFormed()}…` : value;
