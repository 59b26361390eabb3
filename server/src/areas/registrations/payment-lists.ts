import type { Payment, PaymentMethod, PaymentStatus } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { byChange, type Paging } from '../../road/read/page.ts';
import { withRemoved } from '../../road/read/removed.ts';
import { every, filters, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, limitOf, registrationFullyInReach } from '../groups/index.ts';
import type { Page } from './load-for-caller.ts';
import { loadPayments } from './payments.ts';
import { ownMode, type PaymentRef } from './references.ts';
import { paymentShape } from './shapes.ts';

export async function getPayment(work: Work, found: PaymentRef): Promise<Payment> {
  const payment = (await loadPayments(work.tx, work.org, sql`id = ${found.id}`))[0] ?? refuse('not_found');
  return paymentShape(found.event_id, found.test, payment);
}

export async function listPayments(
  work: Work,
  registration: { id: Id; event_id: Id; test: boolean },
  query: Paging,
): Promise<Page<Payment>> {
  const list = byChange(['payments', registration.id], query, 'p');
  const rows = await loadPayments(
    work.tx,
    work.org,
    sql`registration_id = ${registration.id} and ${list.where} ${list.order}`,
  );
  return list.page(rows, (row) => paymentShape(registration.event_id, registration.test, row));
}

export interface PaymentQuery extends Paging {
  status?: PaymentStatus;
  method?: PaymentMethod;
  from?: string;
  to?: string;
}

/** A payment belongs to the whole registration, so a caller limited to a group only sees payments of registrations that it reaches as a whole. */
export async function listEventPayments(
  work: Work,
  event: EventRow,
  query: PaymentQuery,
  registration: Id | undefined,
): Promise<Page<Payment>> {
  const { status, method, from, to } = query;
  const list = byChange(['event payments', event.id, status, method, registration, from, to], query, 'p');
  const limit = limitOf(work.caller);
  const rows = await loadPayments(
    work.tx,
    work.org,
    sql`p.event_id = ${event.id} and ${every([
      ownMode(work, 'p'),
      limit.group !== null &&
        sql`exists (select from registrations r where r.org_id = p.org_id and r.id = p.registration_id
          and ${registrationFullyInReach(limit, 'r', eventGroup(event))} offset 0)`,
      filters([
        status !== undefined && sql`p.status = ${status}`,
        method !== undefined && sql`p.method = ${method}`,
        registration !== undefined && sql`p.registration_id = ${registration}`,
        // A payment is never changed before it is created. The second condition lets the index skip all that were last changed before `from`.
        from !== undefined && sql`p.created_at >= ${from}::timestamptz and p.updated_at >= ${from}::timestamptz`,
        to !== undefined && sql`p.created_at < ${to}::timestamptz`,
      ]),
      list.where,
    ])} ${list.order}`,
  );
  const shown = sql`exists (select from payments p join registrations r on r.org_id = p.org_id and r.id = p.registration_id
    where p.org_id = x.org_id and p.id = x.object_id and ${registrationFullyInReach(limit, 'r', eventGroup(event))} offset 0)`;
  return list.page(await withRemoved(work, list, { list: 'payments', event: event.id, shown }, rows), (row) =>
    paymentShape(event.id, row.test, row),
  );
}
