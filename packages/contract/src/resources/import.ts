import Type from 'typebox';
import { Body, Keyed, OneOf } from '../formats.ts';

/** What a column of a people file can be, by the names that attendees have in the API; `name` is both names in one. */
export const IMPORT_FIELDS = [
  'first_name',
  'last_name',
  'name',
  'email',
  'phone',
  'attendee_type',
  'group',
  'days',
  'date_of_birth',
  'external_id',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** More rows than these run in the background. */
export const IMPORT_ROWS_AT_ONCE = 500;
export const IMPORT_FILE_LIMIT = 50 * 1024 * 1024;

const options = {
  preview: Type.Optional(
    Type.Boolean({ description: 'Matches everything and changes nothing; the counts are those of a real run.' }),
  ),
  send_ticket_emails: Type.Optional(
    Type.Boolean({
      description:
        'Default false. People whom the import adds always get tickets; confirmation and ticket mails go out only if true.',
    }),
  ),
  date_order: Type.Optional(
    OneOf(DATE_ORDERS, {
      description: 'How dates with slashes or dots are read. Default `dmy`. ISO dates always work.',
    }),
  ),
};

export const ImportMapping = Keyed(200, OneOf([...IMPORT_FIELDS, 'answer', 'ignore']), {
  maxProperties: 1000,
  description: 'What columns are, by heading, where the heading alone does not say it.',
  examples: [{ 'Spalte 3': 'email', Notiz: 'ignore' }],
});
export type ImportMapping = Type.Static<typeof ImportMapping>;

export const ImportCreate = Body({
  csv: Type.String({
    minLength: 1,
    maxLength: 2 * IMPORT_FILE_LIMIT, // its bytes are counted, too, and a file that has too many of them is 413
    description: 'The file as text. Large files are better sent as `text/csv` or `multipart/form-data`.',
    examples: ['First name,Last name,Email,Type\nAda,Lovelace,ada@example.org,adult\n'],
  }),
  ...options,
  mapping: Type.Optional(ImportMapping),
});
export type ImportCreate = Type.Static<typeof ImportCreate>;

/** The same options for a file that is the body itself: as query parameters, or as fields of a form. */
export const ImportQuery = Body({
  ...options,
  mapping: Type.Optional(
    Type.String({
      maxLength: 100_000,
      description: 'As JSON: what columns are, by heading, where it does not say it.',
    }),
  ),
});
export type ImportQuery = Type.Static<typeof ImportQuery>;

/** Why a row was left out: in the column `import_error` of the rejects file, before the words. */
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
] as const;
export type ImportError = (typeof IMPORT_ERRORS)[number];
export const IMPORT_ERROR_HEADING = 'import_error';
