import { type FieldOf, fieldsOf } from './person-fields.ts';

/*
 * The columns of the files that are imported and exported. The screens that offer them load this file, so it brings no schemas with it.
 */

/** The fields of an attendee that a column of an imported file can have, by their names in the API. `name` is first and last name in one. */
export const IMPORT_FIELDS = [
  ...new Set([...fieldsOf('attendee', { kind: 'name' }), 'name' as const, ...fieldsOf('attendee', { imported: true })]),
];
export type ImportField = (typeof IMPORT_FIELDS)[number];

const REACHED_BY = ['first_name', 'last_name', 'email', 'phone'] as const;
const isFurther = (
  field: string,
): field is Exclude<FieldOf<'attendee', { typed: true; exported: true }>, (typeof REACHED_BY)[number]> =>
  !(REACHED_BY as readonly string[]).includes(field);
/** What else people type about themselves. */
const FURTHER = fieldsOf('attendee', { typed: true, exported: true }).filter(isFurther);

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
    more: [
      ...['discount', 'discount_code', 'products', 'payment_due_at', 'updated_at', 'test'],
      ...['registration_id', 'contact_id'],
    ],
  },
  people: {
    usual: [
      ...REACHED_BY,
      ...['attendee_type', 'group', 'days'],
      ...FURTHER,
      'answers',
      'status',
      'registration',
      'tickets',
      'checked_in',
      'checked_in_at',
      'registered_at',
      'turnout_export',
    ],
    more: [
      ...['price', 'discount', 'discount_code', 'products', 'currency', 'updated_at', 'test'],
      ...['attendee_id', 'registration_id', 'contact_id'],
    ],
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
  products: {
    usual: [
      'first_name',
      'last_name',
      'email',
      'attendee_type',
      'group',
      'product',
      'option',
      'quantity',
      'price',
      'discount',
      'total',
      'currency',
      'handed_out',
      'status',
      'registration',
      'booked_for',
    ],
    more: [
      ...['phone', 'days', 'product_code', 'option_code', 'discount_code', 'updated_at', 'test'],
      ...['attendee_id', 'registration_id'],
    ],
  },
  hand_outs: {
    usual: [
      'handed_out_at',
      'product',
      'option',
      'first_name',
      'last_name',
      'attendee_type',
      'group',
      'registration',
      'check_in_point',
      'handed_out_by',
      'surplus',
      'undone_at',
      'undo_reason',
    ],
    more: [
      ...['email', 'booked_for', 'product_code', 'option_code', 'updated_at', 'test'],
      ...['hand_out_id', 'attendee_id', 'registration_id'],
    ],
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
  report_sales: {
    usual: [
      'breakdown',
      'currency',
      'attendee_type',
      'price_name',
      'product',
      'option',
      'code',
      'people',
      'units',
      'price',
      'discount',
      'total',
      'handed_out',
      'left',
      'registrations',
      'codes',
    ],
    more: [],
  },
} as const;
export type Exported = keyof typeof EXPORT_COLUMNS;
export const EXPORTED = Object.keys(EXPORT_COLUMNS) as Exported[];
/** Exports that have the numbers of a report instead of rows of a list. */
export const REPORT_EXPORTS = [
  'report_registrations',
  'report_attendance',
  'report_refusals',
  'report_money',
  'report_sales',
] as const;
export type ReportExport = (typeof REPORT_EXPORTS)[number];
export type ExportColumn<What extends Exported> = (typeof EXPORT_COLUMNS)[What]['usual' | 'more'][number];

/** The exports that each filter can be used for. */
export const EXPORT_FILTERS = {
  status: ['registrations', 'people', 'tickets', 'products', 'payments'],
  attendee_type: ['people', 'tickets', 'products', 'hand_outs', 'checkins'],
  day: ['people', 'tickets', 'products', 'checkins'],
  group: ['registrations', 'people', 'tickets', 'products', 'hand_outs', 'checkins', 'payments'],
  product: ['people', 'products', 'hand_outs'],
  checked_in: ['people'],
  answers: ['people'],
  updated_since: ['registrations', 'people', 'tickets', 'products', 'hand_outs', 'payments'],
  report: ['checkins'],
  check_in_point: ['hand_outs', 'checkins'],
  result: ['checkins'],
  admitted: ['checkins'],
  method: ['payments'],
  registration_status: ['payments'],
  from: ['hand_outs', 'checkins', 'payments', ...REPORT_EXPORTS],
  to: ['hand_outs', 'checkins', 'payments', ...REPORT_EXPORTS],
  by: ['report_registrations'],
} as const satisfies Record<string, readonly Exported[]>;
export type ExportFilterName = keyof typeof EXPORT_FILTERS;
