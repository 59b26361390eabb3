import type { ImportColumn } from '@turnout/client';

/** One of the faults of a rejected row. */
export interface Reason {
  /** Empty where the server named none, such as “and 3 more”. */
  code: string;
  /** The server's sentence, in English. */
  words: string;
  /** The value that is wrong, as far as the sentence quotes it. */
  value: string | null;
}

/** What a file of rejects says about a row: `invalid_value: The value "ada at" of email must be … | unknown_type: There is no …`. */
export const reasonsIn = (text: string): Reason[] =>
  text.split(/ \| (?=[a-z_]+: |and \d+ more$)/).map((part) => {
    const [, code = '', words = part] = /^([a-z_]+): ([\s\S]*)$/.exec(part) ?? [];
    return { code, words, value: /"([^"]*)"/.exec(words)?.[1] ?? null };
  });

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  unknown_type: ['attendee_type'],
  type_required: ['attendee_type'],
  type_full: ['attendee_type'],
  unknown_group: ['group'],
  unknown_day: ['days'],
  day_required: ['days'],
  day_not_available: ['days'],
  day_full: ['days'],
  name_required: ['first_name', 'last_name', 'name'],
  ambiguous_match: ['external_id', 'email', 'phone'],
};

/** In which columns of the file a fault is; none if it cannot be told, or no cell can mend it. */
export function columnsOf({ code, words }: Reason, columns: readonly ImportColumn[]): number[] {
  const fields = FIELDS[code];
  const named = (i: number): boolean => {
    const { field } = columns[i]!;
    if (field === null) return false;
    if (fields !== undefined) return fields.includes(field);
    return code === 'invalid_value' && (words.includes(`" of ${field} `) || words.startsWith(`The value of ${field} `));
  };
  const found = columns.map((_, i) => i).filter(named);
  // “date of birth” may also be the beginning of another column's name; the longest one is meant.
  if (fields !== undefined || found.length < 2) return found;
  const length = (i: number) => columns[i]!.field!.length;
  return [found.toSorted((a, b) => length(b) - length(a))[0]!];
}
