import Type from 'typebox';
import { Body, OneOf, Ref, Text, Timestamp } from '../formats.ts';
import { answersFilter, PAYMENT_METHODS, PAYMENT_STATUSES, REGISTRATION_STATUSES, TICKET_STATUSES } from './people.ts';
import { REPORT_INTERVALS } from './report.ts';

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * The heading of an empty column. By it, an import recognizes an export of people, which it reads differently from other files.
 * Nobody would choose this heading by accident.
 */
export const OWN_EXPORT_HEADING = 'turnout_export';

/**
 * The columns of each export: those that it has by default, and those that it has only if `columns` asks for them. `answers` stands for
 * one column per answer, and `answers.<key>` for a single one.
 */
export const EXPORT_COLUMNS = {
  registrations: {
    usual: [
      'first_name',
      'last_name',
      'email',
      'phone',
      'group',
      'registration',
      'status',
      'people',
      'total',
      'paid',
      'currency',
      'source',
      'registered_at',
      'confirmed_at',
      'cancelled_at',
    ],
    more: ['payment_due_at', 'updated_at', 'test', 'registration_id', 'contact_id'],
  },
  people: {
    usual: [
      'first_name',
      'last_name',
      'email',
      'phone',
      'attendee_type',
      'group',
      'days',
      'date_of_birth',
      'external_id',
      'answers',
      'status',
      'registration',
      'tickets',
      'checked_in',
      'checked_in_at',
      'registered_at',
      'turnout_export',
    ],
    more: ['price', 'currency', 'updated_at', 'test', 'attendee_id', 'registration_id', 'contact_id'],
  },
  tickets: {
    usual: [
      'first_name',
      'last_name',
      'email',
      'attendee_type',
      'group',
      'days',
      'ticket',
      'status',
      'people',
      'registration',
      'issued_at',
      'voided_at',
      'void_reason',
    ],
    more: ['names', 'updated_at', 'test', 'ticket_id', 'registration_id', 'attendee_ids', 'replaced_by'],
  },
  checkins: {
    usual: [
      'first_name',
      'last_name',
      'attendee_type',
      'group',
      'day',
      'check_in_point',
      'scanned_at',
      'result',
      'admitted',
      'reason',
      'offline_result',
      'registration',
      'ticket',
      'scanned_by',
      'override_reason',
      'undone_at',
      'recorded_at',
    ],
    more: ['email', 'skewed', 'client_uuid', 'test', 'check_in_id', 'attendee_id', 'ticket_id'],
  },
  payments: {
    usual: [
      'registration',
      'first_name',
      'last_name',
      'email',
      'amount',
      'refunded',
      'charged_back',
      'net',
      'currency',
      'method',
      'reference',
      'status',
      'created_at',
      'payment_id',
    ],
    more: ['registration_status', 'group', 'phone', 'updated_at', 'test', 'registration_id', 'contact_id'],
  },
  report_registrations: {
    usual: [
      'breakdown',
      'starts_at',
      'ends_at',
      'source',
      'attendee_type',
      'people_registered',
      'people_confirmed',
      'people_cancelled',
      'registrations_registered',
      'registrations_confirmed',
      'registrations_cancelled',
    ],
    more: [],
  },
  report_attendance: {
    usual: [
      'breakdown',
      'day',
      'attendee_type',
      'check_in_point',
      'starts_at',
      'ends_at',
      'expected',
      'came',
      'no_shows',
      'still_expected',
      'admissions',
      'exits',
      'inside',
      'people',
      'refusals',
    ],
    more: [],
  },
  report_refusals: {
    usual: ['breakdown', 'result', 'reason', 'check_in_point', 'starts_at', 'ends_at', 'refusals', 'overridden'],
    more: [],
  },
  report_money: {
    usual: [
      'breakdown',
      'currency',
      'method',
      'attendee_type',
      'date',
      'payments',
      'received',
      'refunded',
      'charged_back',
      'net',
      'people',
      'charged',
      'paid',
      'due',
      'credit',
    ],
    more: [],
  },
} as const;
export type Exported = keyof typeof EXPORT_COLUMNS;
export const EXPORTED = Object.keys(EXPORT_COLUMNS) as Exported[];
/** Exports that have the numbers of a report instead of rows of a list. */
export const REPORT_EXPORTS = ['report_registrations', 'report_attendance', 'report_refusals', 'report_money'] as const;
export type ReportExport = (typeof REPORT_EXPORTS)[number];
export type ExportColumn<What extends Exported> = (typeof EXPORT_COLUMNS)[What]['usual' | 'more'][number];

export const EXPORT_REPORTS = ['all', 'attendance', 'reconciliation'] as const;
export type ExportReport = (typeof EXPORT_REPORTS)[number];

/** The exports that each filter can be used for. */
export const EXPORT_FILTERS = {
  status: ['registrations', 'people', 'tickets', 'payments'],
  attendee_type: ['people', 'tickets', 'checkins'],
  day: ['people', 'tickets', 'checkins'],
  group: ['registrations', 'people', 'tickets', 'checkins', 'payments'],
  checked_in: ['people'],
  answers: ['people'],
  updated_since: ['registrations', 'people', 'tickets', 'payments'],
  report: ['checkins'],
  check_in_point: ['checkins'],
  result: ['checkins'],
  admitted: ['checkins'],
  method: ['payments'],
  registration_status: ['payments'],
  from: ['checkins', 'payments', ...REPORT_EXPORTS],
  to: ['checkins', 'payments', ...REPORT_EXPORTS],
  by: ['report_registrations'],
} as const satisfies Record<string, readonly Exported[]>;
export type ExportFilterName = keyof typeof EXPORT_FILTERS;

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
      Timestamp(of('from', 'Only what was recorded (payments: created; reports: happened) at or after this instant.')),
    ),
    to: Type.Optional(
      Timestamp(of('to', 'Only what was recorded (payments: created; reports: happened) before this instant.')),
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
      'What to export. The file has one row for each; of a report, one row for each number of the report, and `breakdown` says what it is broken down by.',
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
