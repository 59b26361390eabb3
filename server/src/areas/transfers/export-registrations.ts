import { type Id, toUlid } from '../../common/ids.ts';
import { every, name, type Sql, sql } from '../../store/sql.ts';
import {
  attendeeInReach,
  eventGroup,
  inSubtree,
  registrantInReach,
  registrationFullyInReach,
  registrationInReach,
} from '../groups/index.ts';
import type { BookedLine } from '../registrations/index.ts';
import { shared } from './export-shared.ts';
import { amount, type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { amountText, type ExportScope, ifGiven, ifGroupGiven, ownMode } from './export-world.ts';

interface Row extends ExportRow {
  code: string;
  status: string;
  source: string;
  test: boolean;
  group_id: Id | null;
  contact_id: Id | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  currency: string;
  /** The amounts and what was booked are null, like the registrant's details above, if a caller limited to a group may not see them. */
  total_minor: number | null;
  paid_minor: number | null;
  discount_minor: number | null;
  discount_code: string | null;
  products: BookedLine[] | null;
  people: number;
  payment_due_at: string | null;
  confirmed_at: string | null;
  cancelled_at: string | null;
  created_at: string;
}

const REGISTRANT = ['contact_id', 'first_name', 'last_name', 'email', 'phone'] as const;
const TOTALS = ['total_minor', 'paid_minor', 'discount_minor', 'discount_code', 'products'] as const;

/** The columns that a caller limited to a group sees only of registrations, or registrants, within its reach, as in lists. */
function limitedColumns(scope: ExportScope): Sql {
  const event = eventGroup(scope.event);
  const reached = (columns: readonly string[], condition: Sql): Sql[] =>
    columns.map((column) =>
      scope.group === null
        ? name(`r.${column}`)
        : sql`case when ${condition} then ${name(`r.${column}`)} end as ${name(column)}`,
    );
  return list([
    ...reached(REGISTRANT, registrantInReach(scope, 'r', event)),
    ...reached(TOTALS, registrationFullyInReach(scope, 'r', event)),
    ...reached(['group_id'], inSubtree(scope, sql`r.group_id`)),
  ]);
}
const list = (columns: readonly Sql[]): Sql => columns.reduce((all, one) => sql`${all}, ${one}`);

const amountOf = (row: Row, field: 'total_minor' | 'paid_minor' | 'discount_minor'): string | null =>
  row[field] === null ? null : amountText(row[field], row.currency);

export const registrationSheet: Sheet<'registrations', Row> = {
  title: 'Registrations',
  columns: {
    first_name: shared.first_name,
    last_name: shared.last_name,
    email: shared.email,
    phone: shared.phone,
    group: shared.group,
    registration: plain('Registration', (row) => row.code),
    status: shared.status,
    people: plain('People', (row) => row.people, 10),
    total: amount('Total', (row) => amountOf(row, 'total_minor')),
    paid: amount('Paid', (row) => amountOf(row, 'paid_minor')),
    currency: shared.currency,
    source: plain('Source', (row) => row.source, 10),
    registered_at: time('Registered at', (row) => row.created_at),
    confirmed_at: time('Confirmed at', (row) => row.confirmed_at),
    cancelled_at: time('Cancelled at', (row) => row.cancelled_at),
    discount: amount('Discount', (row) => amountOf(row, 'discount_minor')),
    discount_code: shared.discount_code,
    products: shared.products,
    payment_due_at: time('Payment due at', (row) => row.payment_due_at),
    updated_at: time('Updated at', (row) => row.at),
    test: shared.test,
    registration_id: plain('Registration ID', (row) => toUlid(row.id), 30),
    contact_id: shared.contact_id,
  },
  table: sql`registrations`,
  alias: 'r',
  order: 'updated_at',
  where: (scope, filter) =>
    every([
      sql`r.org_id = ${scope.org} and r.event_id = ${scope.event.id}`,
      ownMode(scope, 'r'),
      scope.group !== null && registrationInReach(scope, 'r', eventGroup(scope.event)),
      ifGiven(filter.status, 'text', sql`r.status = ${filter.status}`),
      ifGroupGiven(scope, filter.group, sql`r.group_id`),
      filter.updated_since !== undefined && sql`r.updated_at >= ${filter.updated_since}::timestamptz`,
    ]),
  joins: sql``,
  select: (scope, wanted) => sql`
    r.code, r.status, r.source, r.test, r.currency, r.payment_due_at, r.confirmed_at, r.cancelled_at, r.created_at,
    ${limitedColumns(scope)},
    case when ${wanted.has('people')} then (
      select count(*) from attendees a where a.org_id = r.org_id and a.registration_id = r.id
        and (a.status <> 'cancelled' or r.status = 'cancelled') and ${attendeeInReach(scope, 'a', eventGroup(scope.event))}) end as people`,
};
