import { insertAll, updateAll } from '../../store/bulk.ts';
import { type Id, newId } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey, externalKey, keysOf } from '../contacts/index.ts';
import type { PaymentState, RegistrationState } from './state.ts';

const REGISTRATION = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  code: 'text',
  status: 'text',
  source: 'text',
  test: 'boolean',
  group_id: 'uuid',
  contact_id: 'uuid',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  language: 'text',
  email_key: 'text',
  currency: 'text',
  total_minor: 'bigint',
  paid_minor: 'bigint',
  send_emails: 'boolean',
  payment_due_at: 'timestamptz',
  waitlisted_at: 'timestamptz',
  waiting_for: 'uuid[]',
  confirmed_at: 'timestamptz',
  cancelled_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;
const ATTENDEE = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  registration_id: 'uuid',
  position: 'int',
  contact_id: 'uuid',
  attendee_type_id: 'uuid',
  group_id: 'uuid',
  day_ids: 'uuid[]',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  date_of_birth: 'date',
  external_id: 'text',
  external_key: 'text',
  answers: 'jsonb',
  price_minor: 'bigint',
  status: 'text',
  test: 'boolean',
  name_key: 'text',
  given_key: 'text',
  email_key: 'text',
  phone_key: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;
const TICKET = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  registration_id: 'uuid',
  code: 'text',
  status: 'text',
  test: 'boolean',
  day_ids: 'uuid[]',
  extra: 'boolean',
  issued_at: 'timestamptz',
  voided_at: 'timestamptz',
  void_reason: 'text',
  replaced_by: 'uuid',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;
const TICKET_PERSON = { org_id: 'uuid', ticket_id: 'uuid', attendee_id: 'uuid', position: 'int' } as const;
const PAYMENT = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  registration_id: 'uuid',
  amount_minor: 'bigint',
  refunded_minor: 'bigint',
  charged_back_minor: 'bigint',
  currency: 'text',
  method: 'text',
  reference: 'text',
  status: 'text',
  test: 'boolean',
  provider: 'text',
  provider_reference: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const;

/** Everything that changed, in one statement a table and kind of write; sent without waiting, so it costs one round trip. */
export function saveRegistrations(
  tx: Tx,
  org: Id,
  event: Id,
  stamp: string,
  registrations: readonly RegistrationState[],
  payments: readonly { payment: PaymentState; test: boolean }[],
): void {
  const changed = registrations.filter((registration) => registration.fresh || registration.touched);
  for (const registration of changed) registration.updated_at = stamp;
  const rows = (fresh: boolean) =>
    changed
      .filter((registration) => registration.fresh === fresh)
      .map(({ contact, people: _p, tickets: _t, happened: _h, fresh: _f, touched: _c, ...row }) => ({
        ...row,
        org_id: org,
        event_id: event,
        contact_id: contact.id,
        first_name: contact.first_name,
        last_name: contact.last_name,
        email: contact.email,
        phone: contact.phone,
        language: contact.language,
        email_key: emailKey(contact.email),
      }));
  insertAll(tx, 'registrations', REGISTRATION, rows(true));
  updateAll(tx, 'registrations', REGISTRATION, rows(false));

  const rewaiting = registrations.filter((one) => one.rewaits && !one.fresh && !one.touched);
  updateAll(
    tx,
    'registrations',
    { org_id: 'uuid', id: 'uuid', waiting_for: 'uuid[]' },
    rewaiting.map(({ id, waiting_for }) => ({ org_id: org, id, waiting_for })),
  );

  const people = (fresh: boolean) =>
    changed.flatMap((registration) =>
      registration.people
        .filter((person) => person.fresh === fresh && (person.fresh || person.touched))
        .map((person) => {
          person.updated_at = stamp;
          const { cancelled, fresh: _f, touched: _t, checked_in_at: _c, ...row } = person;
          return {
            ...row,
            ...keysOf(person),
            external_key: externalKey(person.external_id),
            org_id: org,
            event_id: event,
            registration_id: registration.id,
            test: registration.test,
            status: cancelled ? 'cancelled' : registration.status,
          };
        }),
    );
  insertAll(tx, 'attendees', ATTENDEE, people(true));
  updateAll(tx, 'attendees', ATTENDEE, people(false));

  const tickets = changed.flatMap((registration) =>
    registration.tickets
      .filter((ticket) => ticket.fresh || ticket.touched)
      .map((ticket) => {
        ticket.updated_at = stamp;
        const { fresh, touched: _t, peopleChanged, people: ids, ...row } = ticket;
        return {
          fresh,
          peopleChanged,
          ids,
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
  const regrouped = tickets.filter((ticket) => !ticket.fresh && ticket.peopleChanged).map((ticket) => ticket.row.id);
  if (regrouped.length > 0)
    tx.send(sql`delete from ticket_people where org_id = ${org} and ticket_id = any(${regrouped})`);
  insertAll(
    tx,
    'ticket_people',
    TICKET_PERSON,
    tickets
      .filter((ticket) => ticket.fresh || ticket.peopleChanged)
      .flatMap((ticket) =>
        ticket.ids.map((attendee_id, position) => ({ org_id: org, ticket_id: ticket.row.id, attendee_id, position })),
      ),
  );

  const departed = changed.flatMap((registration) => registration.departed ?? []);
  if (departed.length > 0) {
    const at = tx.clock.now();
    tx.send(sql`
      insert into roster_removed (org_id, id, event_id, code_sha256, group_id, everywhere, at)
      select ${org}, d.id, ${event}, encode(sha256(convert_to(d.code, 'UTF8')), 'hex'), d.group_id, false, ${stamp}::timestamptz
      from unnest(${departed.map(() => newId(at))}::uuid[], ${departed.map((one) => one.code)}::text[],
        ${departed.map((one) => one.group_id)}::uuid[]) as d(id, code, group_id)`);
  }

  const paid = (fresh: boolean) =>
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
  insertAll(tx, 'payments', PAYMENT, paid(true));
  updateAll(tx, 'payments', PAYMENT, paid(false));
}
