import { pickFields } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { columns, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  type AttendeeState,
  type BookedLine,
  NO_LINES,
  type PaymentHold,
  type RegistrantTexts,
  type RegistrationState,
  type TicketState,
} from './state.ts';
import { ATTENDEE_TEXTS, REGISTRANT_TEXTS } from './texts.ts';

type RegistrationRow = Omit<
  RegistrationState,
  'contact' | 'hold' | 'attendees' | 'tickets' | 'fresh' | 'touched' | 'happened'
> &
  RegistrantTexts & { contact_id: Id | null; language: string | null };
type AttendeeRow = Omit<AttendeeState, 'cancelled' | 'fresh' | 'touched'> & { registration_id: Id; status: string };
type TicketRow = Omit<TicketState, 'fresh' | 'touched' | 'attendeesChanged'> & { registration_id: Id };

/**
 * Loads registrations with their attendees and tickets. It takes three statements, however many registrations there are, and one more
 * if some are unpaid.
 */
export async function loadRegistrations(tx: Tx, org: Id, which: Sql): Promise<RegistrationState[]> {
  const rows = await rowsOf(tx, org, which);
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const [holds, parts] = await Promise.all([loadHolds(tx, org, rows), partsOf(tx, org, ids)]);
  return together(rows, holds, parts);
}

/**
 * The same for registrations whose ids are known: the statements travel together. With `people`, only these attendees are loaded, and
 * the tickets that they are on. This is enough to show these attendees to somebody who may see everybody.
 */
export async function loadKnown(
  tx: Tx,
  org: Id,
  ids: readonly Id[],
  people?: readonly Id[],
): Promise<RegistrationState[]> {
  const [rows, parts] = await Promise.all([rowsOf(tx, org, sql`id = any(${ids})`), partsOf(tx, org, ids, people)]);
  return together(rows, await loadHolds(tx, org, rows), parts);
}

const rowsOf = (tx: Tx, org: Id, which: Sql): Promise<RegistrationRow[]> =>
  tx.all<RegistrationRow>(sql`
    select id, code, status, source, test, group_id, contact_id, ${columns(REGISTRANT_TEXTS)}, language, currency,
      products, discount_id, discount_code, discount_minor, total_minor, paid_minor, send_emails, payment_due_at, waitlisted_at, waiting_for, confirmed_at, cancelled_at, created_at, updated_at
    from registrations where org_id = ${org} and ${which}`);

type Parts = [AttendeeRow[], TicketRow[]];

const partsOf = (tx: Tx, org: Id, ids: readonly Id[], people?: readonly Id[]): Promise<Parts> =>
  Promise.all([
    tx.all<AttendeeRow>(sql`
      select id, registration_id, position, contact_id, attendee_type_id, group_id, day_ids, ${columns(ATTENDEE_TEXTS)},
        answers, price_minor, price_name, discount_minor, discount_id, products, status, cancelled_at, checked_in_at, handed_on_at,
        created_at, updated_at
      from attendees where org_id = ${org} and ${people === undefined ? sql`registration_id = any(${ids})` : sql`id = any(${people})`}
      order by registration_id, position`),
    tx.all<TicketRow>(sql`
      select t.id, t.registration_id, t.code, t.status, t.day_ids, t.extra, t.issued_at, t.voided_at, t.void_reason, t.replaced_by,
        t.created_at, t.updated_at,
        array(select p.attendee_id from ticket_people p where p.org_id = t.org_id and p.ticket_id = t.id order by p.position) as attendee_ids
      from tickets t where t.org_id = ${org} and ${
        people === undefined
          ? sql`t.registration_id = any(${ids})`
          : sql`t.id = any(array(select p.ticket_id from ticket_people p where p.org_id = ${org} and p.attendee_id = any(${people})))`
      } order by t.id`),
  ]);

function together(
  rows: readonly RegistrationRow[],
  holds: ReadonlyMap<Id, PaymentHold>,
  [attendees, tickets]: Parts,
): RegistrationState[] {
  const attendeesOf = groupBy(attendees, (attendee) => attendee.registration_id);
  const ticketsOf = groupBy(tickets, (ticket) => ticket.registration_id);
  return rows.map(({ contact_id, language, ...row }) => ({
    ...row,
    products: sharedIfNone(row.products),
    contact: { id: contact_id, ...pickFields(REGISTRANT_TEXTS, row), language },
    hold: holds.get(row.id) ?? null,
    ...(holds.has(row.id) && { holdIsStored: true }),
    attendees: (attendeesOf.get(row.id) ?? []).map(({ registration_id: _, status, ...attendee }) => ({
      ...attendee,
      products: sharedIfNone(attendee.products),
      // With a cancelled registration all its attendees are stored as cancelled. `cancelled` means one who was cancelled alone.
      cancelled: status === 'cancelled' && row.status !== 'cancelled',
      fresh: false,
      touched: false,
    })),
    tickets: (ticketsOf.get(row.id) ?? []).map(({ registration_id: _, ...ticket }) => ({
      ...ticket,
      fresh: false,
      touched: false,
      attendeesChanged: false,
    })),
    fresh: false,
    touched: false,
    happened: [],
  }));
}

/** `insertAll` and `updateAll` send what all rows share once. */
const sharedIfNone = (lines: BookedLine[]): BookedLine[] => (lines.length === 0 ? NO_LINES : lines);

async function loadHolds(
  tx: Tx,
  org: Id,
  registrations: readonly RegistrationRow[],
): Promise<ReadonlyMap<Id, PaymentHold>> {
  const unpaid = registrations.flatMap((row) => (row.status === 'pending_payment' ? [row.id] : []));
  if (unpaid.length === 0) return new Map();
  const holds = await tx.all<PaymentHold & { registration_id: Id }>(sql`
    select registration_id, network, unproven, extensions, session, due_before
    from payment_holds where org_id = ${org} and registration_id = any(${unpaid})`);
  return new Map(holds.map(({ registration_id, ...hold }) => [registration_id, hold]));
}

function groupBy<T>(rows: readonly T[], key: (row: T) => Id): Map<Id, T[]> {
  const groups = new Map<Id, T[]>();
  for (const row of rows) {
    const list = groups.get(key(row));
    if (list === undefined) groups.set(key(row), [row]);
    else list.push(row);
  }
  return groups;
}
