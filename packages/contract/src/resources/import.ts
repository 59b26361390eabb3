import Type from 'typebox';
import { IMPORT_FIELDS } from '../file-columns.ts';
import { Body, Keyed, OneOf } from '../formats.ts';

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** A file with more rows is imported in the background. */
export const IMPORT_ROWS_AT_ONCE = 500;
export const IMPORT_FILE_LIMIT = 50 * 1024 * 1024;

const options = {
  preview: Type.Optional(
    Type.Boolean({
      description: 'If true, nothing is changed, and the counts are those that a real import would have.',
    }),
  ),
  send_ticket_emails: Type.Optional(
    Type.Boolean({
      description:
        'Whether confirmation and ticket mails are sent. Default false. Attendees that the import adds get tickets in any case.',
    }),
  ),
  date_order: Type.Optional(
    OneOf(DATE_ORDERS, {
      description:
        'The order of day, month and year in dates with slashes or dots. Default `dmy`. ISO dates are always accepted.',
    }),
  ),
};

/** In a mapping: stands in front of the code of a question of the event. */
export const ANSWER_TO = 'answers.';
type AnswerTo = `${typeof ANSWER_TO}${string}`;

const ImportUse = Type.Union([
  OneOf([...IMPORT_FIELDS, 'answer', 'ignore']),
  Type.Unsafe<AnswerTo>({
    type: 'string',
    pattern: '^answers\\.[A-Za-z0-9][A-Za-z0-9_-]{0,62}$',
    maxLength: 71,
    description: 'The answer to the question of the event that has this code.',
    examples: ['answers.diet'],
  }),
]);

export const ImportMapping = Keyed(200, ImportUse, {
  maxProperties: 1000,
  description:
    'What the columns are, by their headings. Needed for columns whose heading is not recognized. `answers.diet` makes a column the answer to the question with the code `diet`; `answer` keeps it as an answer under its heading.',
  examples: [{ 'Spalte 3': 'email', Essen: 'answers.diet', Notiz: 'ignore' }],
});
export type ImportMapping = Type.Static<typeof ImportMapping>;

export const ImportCreate = Body({
  csv: Type.String({
    minLength: 1,
    maxLength: 2 * IMPORT_FILE_LIMIT, // characters; the bytes are counted, too, and a file with too many of them is refused with 413
    description: 'The file as text. Large files are better sent as `text/csv` or `multipart/form-data`.',
    examples: ['First name,Last name,Email,Type\nAda,Lovelace,ada@example.org,adult\n'],
  }),
  ...options,
  mapping: Type.Optional(ImportMapping),
});
export type ImportCreate = Type.Static<typeof ImportCreate>;

/** The options for a file that is the body itself or part of a form: as query parameters or form fields. */
export const ImportQuery = Body({
  ...options,
  mapping: Type.Optional(
    Type.String({
      maxLength: 100_000,
      description:
        'What the columns are, by their headings, as JSON. Needed for columns whose heading is not recognized.',
    }),
  ),
});
export type ImportQuery = Type.Static<typeof ImportQuery>;

/** Why a row was left out. The column `import_error` of the rejects file begins with it. */
export const IMPORT_ERRORS = [
  'broken_row',
  'name_required',
  'invalid_value',
  'unknown_type',
  'type_required',
  'unknown_group',
  'unknown_day',
  'day_required',
  'day_not_available',
  'ambiguous_match',
  'attendee_cap_reached',
  'event_full',
  'type_full',
  'day_full',
  'quota_full',
] as const;
export type ImportError = (typeof IMPORT_ERRORS)[number];
export const IMPORT_ERROR_HEADING = 'import_error';
