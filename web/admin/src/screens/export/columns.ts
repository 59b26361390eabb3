import type { ExportCreate } from '@turnout/client';

export type ExportKind = ExportCreate['what'];
export type FilterName = keyof NonNullable<ExportCreate['filter']>;

/**
 * The columns that each export can have: those that it has unless told otherwise, and those that it has on request. They are those of the
 * contract, which a browser does not load; a test compares them.
 */
export const COLUMNS = {
  registrations: {
    usual: [
      ...['first_name', 'last_name', 'email', 'phone', 'group', 'registration', 'status', 'people', 'total', 'paid'],
      ...['currency', 'source', 'registered_at', 'confirmed_at', 'cancelled_at'],
    ],
    more: ['payment_due_at', 'updated_at', 'test', 'registration_id', 'contact_id'],
  },
  people: {
    usual: [
      ...['first_name', 'last_name', 'email', 'phone', 'attendee_type', 'group', 'days', 'date_of_birth'],
      ...['external_id', 'answers', 'status', 'registration', 'tickets', 'checked_in', 'checked_in_at'],
      ...['registered_at', 'turnout_export'],
    ],
    more: ['price', 'currency', 'updated_at', 'test', 'attendee_id', 'registration_id', 'contact_id'],
  },
  tickets: {
    usual: [
      ...['first_name', 'last_name', 'email', 'attendee_type', 'group', 'days', 'ticket', 'status', 'people'],
      ...['registration', 'issued_at', 'voided_at', 'void_reason'],
    ],
    more: ['names', 'updated_at', 'test', 'ticket_id', 'registration_id', 'attendee_ids', 'replaced_by'],
  },
  checkins: {
    usual: [
      ...['first_name', 'last_name', 'attendee_type', 'group', 'day', 'check_in_point', 'scanned_at', 'result'],
      ...['admitted', 'reason', 'offline_result', 'registration', 'ticket', 'scanned_by', 'override_reason'],
      ...['undone_at', 'recorded_at'],
    ],
    more: ['email', 'skewed', 'client_uuid', 'test', 'check_in_id', 'attendee_id', 'ticket_id'],
  },
  payments: {
    usual: [
      ...['registration', 'first_name', 'last_name', 'email', 'amount', 'refunded', 'charged_back', 'net'],
      ...['currency', 'method', 'reference', 'status', 'created_at', 'payment_id'],
    ],
    more: ['registration_status', 'group', 'phone', 'updated_at', 'test', 'registration_id', 'contact_id'],
  },
} as const satisfies Partial<Record<ExportKind, { usual: readonly string[]; more: readonly string[] }>>;

/** Lists of rows, then reports; reports have one set of columns, from which nothing is chosen. */
export const LISTS = ['people', 'registrations', 'tickets', 'checkins', 'payments'] as const;
export const REPORTS = ['report_registrations', 'report_attendance', 'report_refusals', 'report_money'] as const;
export const EXPORT_KINDS: readonly ExportKind[] = [...LISTS, ...REPORTS];

/** The exports that each filter can be used for. */
export const FILTERS: Readonly<Record<Exclude<FilterName, 'updated_since'>, readonly ExportKind[]>> = {
  status: ['registrations', 'people', 'tickets', 'payments'],
  attendee_type: ['people', 'tickets', 'checkins'],
  day: ['people', 'tickets', 'checkins'],
  group: ['registrations', 'people', 'tickets', 'checkins', 'payments'],
  checked_in: ['people'],
  answers: ['people'],
  report: ['checkins'],
  check_in_point: ['checkins'],
  result: ['checkins'],
  admitted: ['checkins'],
  method: ['payments'],
  registration_status: ['payments'],
  from: ['checkins', 'payments', ...REPORTS],
  to: ['checkins', 'payments', ...REPORTS],
  by: ['report_registrations'],
};

export const columnsFor = (what: ExportKind): { usual: readonly string[]; more: readonly string[] } | null =>
  what in COLUMNS ? COLUMNS[what as keyof typeof COLUMNS] : null;
