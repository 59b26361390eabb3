import Type from 'typebox';
import {
  EXPORT_COLUMNS,
  EXPORT_FILTERS,
  EXPORTED,
  type Exported,
  type ExportFilterName,
  OWN_EXPORT_HEADING,
} from '../file-columns.ts';
import { Body, OneOf, Ref, Text, Timestamp } from '../formats.ts';
import { answersFilter, PAYMENT_METHODS, PAYMENT_STATUSES, REGISTRATION_STATUSES, TICKET_STATUSES } from './people.ts';
import { REPORT_INTERVALS } from './report.ts';

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_REPORTS = ['all', 'attendance', 'reconciliation'] as const;
export type ExportReport = (typeof EXPORT_REPORTS)[number];

const of = (name: ExportFilterName, words: string): string => `${words} For ${EXPORT_FILTERS[name].join(', ')}.`;

export const ExportFilter = Body(
  {
    status: Type.Optional(
      OneOf([...REGISTRATION_STATUSES, ...TICKET_STATUSES, ...PAYMENT_STATUSES], {
        description: of(
          'status',
          `Tickets are ${TICKET_STATUSES.join(' or ')}, payments ${PAYMENT_STATUSES.join(', ')}; all others have the status of a registration.`,
        ),
      }),
    ),
    attendee_type: Type.Optional(Ref('attendee_type', of('attendee_type', 'Id or code of the attendee type.'))),
    day: Type.Optional(Ref('day', of('day', 'Id or code of the day.'))),
    group: Type.Optional(Ref('group', of('group', 'Only this group and the groups below it.'))),
    product: Type.Optional(
      Ref('product', of('product', 'Id or code of the product; of people, those who have booked it for themselves.')),
    ),
    checked_in: Type.Optional(
      Type.Boolean({ description: of('checked_in', 'Whether they were admitted at an entry at least once.') }),
    ),
    answers: Type.Optional(answersFilter(of('answers', ''))),
    updated_since: Type.Optional(Timestamp(of('updated_since', 'Only what changed at or after this instant.'))),
    report: Type.Optional(
      OneOf(EXPORT_REPORTS, {
        description: of(
          'report',
          '`attendance`: admissions that were not undone. `reconciliation`: offline scans for which the server decided otherwise than the scanner.',
        ),
      }),
    ),
    check_in_point: Type.Optional(Ref('check_in_point', of('check_in_point', 'Id or code of the check-in point.'))),
    result: Type.Optional(Type.String({ maxLength: 40, description: of('result', 'The result of the scan.') })),
    admitted: Type.Optional(Type.Boolean({ description: of('admitted', 'Whether the scan admitted the person.') })),
    method: Type.Optional(OneOf(PAYMENT_METHODS, { description: of('method', 'How it was paid.') })),
    registration_status: Type.Optional(
      OneOf(REGISTRATION_STATUSES, {
        description: of('registration_status', 'The status of the registration that was paid for.'),
      }),
    ),
    from: Type.Optional(
      Timestamp(
        of(
          'from',
          'Only what was recorded (payments: created; hand-outs and reports: happened) at or after this instant.',
        ),
      ),
    ),
    to: Type.Optional(
      Timestamp(
        of('to', 'Only what was recorded (payments: created; hand-outs and reports: happened) before this instant.'),
      ),
    ),
    by: Type.Optional(OneOf(REPORT_INTERVALS, { description: of('by', 'How long an interval is. Default: `day`.') })),
  },
  { description: 'Only some of the rows. All conditions that are given must apply.' },
);
export type ExportFilter = Type.Static<typeof ExportFilter>;

const names = (what: Exported): string => {
  const { usual, more } = EXPORT_COLUMNS[what];
  return `${what}: ${usual.join(', ')}${more.length === 0 ? '' : `; only on request ${more.join(', ')}`}`;
};

export const ExportCreate = Body({
  what: OneOf(EXPORTED, {
    description:
      'What to export. The file has one row for each: of `products` for each line that somebody has booked, of `hand_outs` for each unit that was handed out; of a report, one row for each number of the report, and `breakdown` says what it is broken down by.',
  }),
  format: OneOf(EXPORT_FORMATS),
  event: Ref('event'),
  filter: Type.Optional(ExportFilter),
  columns: Type.Optional(
    Type.Array(Text(210), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
      description: `The columns, in this order. Their names are: ${EXPORTED.map(names).join('. ')}. \`answers\` is one column per answer, \`answers.<key>\` a single one. \`${OWN_EXPORT_HEADING}\` is an empty column by whose heading an import recognizes the file.`,
      examples: [['first_name', 'last_name', 'status', 'answers.diet']],
    }),
  ),
});
export type ExportCreate = Type.Static<typeof ExportCreate>;
