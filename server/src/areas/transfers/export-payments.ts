import type { PaymentMethod, PaymentStatus } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import { eventGroup, inSubtree, registrationFullyInReach } from '../groups/index.ts';
import { shared } from './export-shared.ts';
import { amount, type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { amountText, ifGiven, ifGroupGiven, ownMode, registrant } from './export-world.ts';

interface Row extends ExportRow {
  registration_id: Id;
  registration_code: string;
  registration_status: string;
  group_id: Id | null;
  contact_id: Id | null;
  /** The registrant's details; null if a caller limited to a group may not see the registrant. */
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  phone: string | null;
  amount_minor: number;
  refunded_minor: number;
  charged_back_minor: number;
  currency: string;
  method: PaymentMethod;
  reference: string | null;
  status: PaymentStatus;
  test: boolean;
  updated_at: string;
}

/** What the organizer keeps of the payment. A failed payment counts as nothing. */
const net = ({ status, amount_minor, refunded_minor, charged_back_minor }: Row): number =>
  status === 'failed' ? 0 : amount_minor - refunded_minor - charged_back_minor;

/** A caller who may not see all attendees of a registration sees none of its payments, as in lists. */
const ofRegistrations = (condition: Sql): Sql => sql`exists (
  select from registrations r where r.org_id = p.org_id and r.id = p.registration_id and ${condition})`;

export const paymentSheet: Sheet<'payments', Row> = {
  title: 'Payments',
  columns: {
    registration: shared.registration,
    first_name: shared.first_name,
    last_name: shared.last_name,
    email: shared.email,
    amount: amount('Amount', (row) => amountText(row.amount_minor, row.currency)),
    refunded: amount('Refunded', (row) => amountText(row.refunded_minor, row.currency)),
    charged_back: amount('Charged back', (row) => amountText(row.charged_back_minor, row.currency)),
    net: amount('Net', (row) => amountText(net(row), row.currency)),
    currency: shared.currency,
    method: plain('Method', (row) => row.method, 10),
    reference: plain('Reference', (row) => row.reference, 30),
    status: shared.status,
    created_at: time('Created at', (row) => row.at),
    payment_id: plain('Payment ID', (row) => toUlid(row.id), 30),
    registration_status: plain('Registration status', (row) => row.registration_status),
    group: shared.group,
    phone: shared.phone,
    updated_at: time('Updated at', (row) => row.updated_at),
    test: shared.test,
    registration_id: shared.registration_id,
    contact_id: shared.contact_id,
  },
  table: sql`payments`,
  alias: 'p',
  order: 'created_at',
  where: (scope, filter) =>
    every([
      sql`p.org_id = ${scope.org} and p.event_id = ${scope.event.id}`,
      ownMode(scope, 'p'),
      scope.group !== null && ofRegistrations(registrationFullyInReach(scope, 'r', eventGroup(scope.event))),
      ifGiven(filter.status, 'text', sql`p.status = ${filter.status}`),
      ifGiven(filter.method, 'text', sql`p.method = ${filter.method}`),
      ifGiven(filter.registration_status, 'text', ofRegistrations(sql`r.status = ${filter.registration_status}`)),
      filter.group !== undefined && ofRegistrations(ifGroupGiven(scope, filter.group, sql`r.group_id`)),
      filter.updated_since !== undefined && sql`p.updated_at >= ${filter.updated_since}::timestamptz`,
      filter.from !== undefined && sql`p.created_at >= ${filter.from}::timestamptz`,
      filter.to !== undefined && sql`p.created_at < ${filter.to}::timestamptz`,
    ]),
  joins: sql`join registrations r on r.org_id = p.org_id and r.id = p.registration_id`,
  select: (scope) => sql`
    p.registration_id, r.code as registration_code, r.status as registration_status,
    case when ${inSubtree(scope, sql`r.group_id`)} then r.group_id end as group_id,
    ${registrant(scope, sql`r.contact_id`)} as contact_id, ${registrant(scope, sql`r.first_name`)} as first_name,
    ${registrant(scope, sql`r.last_name`)} as last_name, ${registrant(scope, sql`r.email`)} as email,
    ${registrant(scope, sql`r.phone`)} as phone, p.amount_minor, p.refunded_minor, p.charged_back_minor, p.currency, p.method, p.reference, p.status, p.test,
    p.updated_at`,
};
