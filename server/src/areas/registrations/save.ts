import { pickFields } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { insertAll, updateAll } from '../../store/bulk.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey, externalKey, keysOf } from '../contacts/index.ts';
import { ATTENDEE, HOLD, PAYMENT, REGISTRATION, TICKET, TICKET_ATTENDEE } from './save-columns.ts';
import type { PaymentState, RegistrationState } from './state.ts';
import { REGISTRANT_TEXTS } from './texts.ts';

/** Where and under which stamp of the event clock rows are saved. */
interface Target {
  tx: Tx;
  org: Id;
  event: Id;
  stamp: string;
}

/**
 * Saves everything that changed, with one statement for each table and kind of write. The statements are sent without waiting for
 * their results, so all of them together cost one round trip.
 */
export function saveRegistrations(
  target: Target,
  registrations: readonly RegistrationState[],
  payments: readonly { payment: PaymentState; test: boolean }[],
): void {
  const changed = registrations.filter((registration) => registration.fresh || registration.touched);
  saveRegistrationRows(target, changed);
  saveHolds(
    target,
    registrations.filter((one) => one.fresh || one.touched || one.pageChanged === true),
  );
  saveWaiting(target, registrations);
  saveAttendees(target, changed);
  saveTickets(target, changed);
  savePayments(target, payments);
}

function saveRegistrationRows({ tx, org, event, stamp }: Target, changed: readonly RegistrationState[]): void {
  for (const registration of changed) registration.updated_at = stamp;
  const rows = (fresh: boolean) =>
    changed
      .filter((registration) => registration.fresh === fresh)
      .map(({ contact, hold: _o, attendees: _a, tickets: _t, happened: _h, fresh: _f, touched: _c, ...row }) => ({
        ...row,
        org_id: org,
        event_id: event,
        contact_id: contact.id,
        ...pickFields(REGISTRANT_TEXTS, contact),
        language: contact.language,
        email_key: emailKey(contact.email),
      }));
  insertAll(tx, 'registrations', REGISTRATION, rows(true));
  updateAll(tx, 'registrations', REGISTRATION, rows(false));
}

function saveHolds({ tx, org, event }: Target, changed: readonly RegistrationState[]): void {
  const held = changed.flatMap(({ id, hold }) =>
    hold === null ? [] : [{ ...hold, org_id: org, registration_id: id, event_id: event }],
  );
  insertAll(
    tx,
    'payment_holds',
    HOLD,
    held,
    sql`on conflict (org_id, registration_id) do update set network = excluded.network, unproven = excluded.unproven,
      extensions = excluded.extensions, session = excluded.session, due_before = excluded.due_before`,
  );
  const over = changed.filter((one) => one.hold === null && one.holdIsStored === true).map((one) => one.id);
  if (over.length > 0) tx.send(sql`delete from payment_holds where org_id = ${org} and registration_id = any(${over})`);
}

/** Saves what registrations wait for where nothing else about them changed. No caller sees it, so they get no new stamp. */
function saveWaiting({ tx, org }: Target, registrations: readonly RegistrationState[]): void {
  const waiting = registrations.filter((one) => one.waitingForChanged && !one.fresh && !one.touched);
  updateAll(
    tx,
    'registrations',
    { org_id: 'uuid', id: 'uuid', waiting_for: 'uuid[]' },
    waiting.map(({ id, waiting_for }) => ({ org_id: org, id, waiting_for })),
  );
}

function saveAttendees({ tx, org, event, stamp }: Target, changed: readonly RegistrationState[]): void {
  const rows = (fresh: boolean) =>
    changed.flatMap((registration) =>
      registration.attendees
        .filter((attendee) => attendee.fresh === fresh && (attendee.fresh || attendee.touched))
        .map((attendee) => {
          attendee.updated_at = stamp;
          const { cancelled, fresh: _f, touched: _t, checked_in_at: _c, ...row } = attendee;
          return {
            ...row,
            ...keysOf(attendee),
            external_key: externalKey(attendee.external_id),
            org_id: org,
            event_id: event,
            registration_id: registration.id,
            test: registration.test,
            status: cancelled ? 'cancelled' : registration.status,
          };
        }),
    );
  insertAll(tx, 'attendees', ATTENDEE, rows(true));
  updateAll(tx, 'attendees', ATTENDEE, rows(false));
}

function saveTickets({ tx, org, event, stamp }: Target, changed: readonly RegistrationState[]): void {
  const tickets = changed.flatMap((registration) =>
    registration.tickets
      .filter((ticket) => ticket.fresh || ticket.touched)
      .map((ticket) => {
        ticket.updated_at = stamp;
        const { fresh, touched: _t, attendeesChanged, attendee_ids, ...row } = ticket;
        return {
          fresh,
          attendeesChanged,
          attendee_ids,
          row: { ...row, org_id: org, event_id: event, registration_id: registration.id, test: registration.test },
        };
      }),
  );
  insertAll(
    tx,
    'tickets',
    TICKET,
    tickets.filter((ticket) => ticket.fresh).map((ticket) => ticket.row),
  );
  updateAll(
    tx,
    'tickets',
    TICKET,
    tickets.filter((ticket) => !ticket.fresh).map((ticket) => ticket.row),
  );
  const replaced = tickets.filter((ticket) => !ticket.fresh && ticket.attendeesChanged).map((ticket) => ticket.row.id);
  if (replaced.length > 0) {
    tx.send(sql`delete from ticket_people where org_id = ${org} and ticket_id = any(${replaced})`);
  }
  insertAll(
    tx,
    'ticket_people',
    TICKET_ATTENDEE,
    tickets
      .filter((ticket) => ticket.fresh || ticket.attendeesChanged)
      .flatMap(({ attendee_ids, row }) =>
        attendee_ids.map((attendee_id, position) => ({ org_id: org, ticket_id: row.id, attendee_id, position })),
      ),
  );
}

function savePayments(
  { tx, org, event, stamp }: Target,
  payments: readonly { payment: PaymentState; test: boolean }[],
): void {
  const rows = (fresh: boolean) =>
    payments
      .filter(({ payment }) => payment.fresh === fresh)
      .map(({ payment: { fresh: _f, ...row }, test }) => ({
        ...row,
        org_id: org,
        event_id: event,
        test,
        updated_at: stamp,
      }));
  for (const { payment } of payments) payment.updated_at = stamp;
  insertAll(tx, 'payments', PAYMENT, rows(true));
  updateAll(tx, 'payments', PAYMENT, rows(false));
}
