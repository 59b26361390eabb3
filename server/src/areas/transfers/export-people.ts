import { OWN_EXPORT_HEADING } from '@turnout/contract';
import { type Id, toUlid, ulidOrNull } from '../../store/ids.ts';
import { every, sql } from '../../store/sql.ts';
import { known, personInReach, ticketWhole } from '../groups/index.ts';
import { amount, date, type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { amountText, ifGiven, ifGroupGiven, ownMode, SEPARATOR } from './export-world.ts';

interface Row extends ExportRow {
  registration_id: Id;
  registration_code: string;
  contact_id: Id | null;
  attendee_type_id: Id;
  group_id: Id | null;
  day_ids: Id[];
  first_name: string;
  last_name: string;
  email: string | null;
  phone: string | null;
  date_of_birth: string | null;
  external_id: string | null;
  answers: Record<string, unknown>;
  price_minor: number;
  currency: string;
  status: string;
  test: boolean;
  checked_in_at: string | null;
  created_at: string;
  tickets: string | null;
}

/** The first columns have import's headings and what import takes: a file that went out comes in again. */
export const peopleSheet: Sheet<'people', Row> = {
  title: 'People',
  columns: {
    first_name: plain('First name', (row) => row.first_name),
    last_name: plain('Last name', (row) => row.last_name),
    email: plain('Email', (row) => row.email, 30),
    phone: plain('Phone', (row) => row.phone),
    attendee_type: plain('Type', (row, world) => world.typeCode(row.attendee_type_id)),
    group: plain('Group', (row, world) => world.groupCode(row.group_id)),
    days: plain('Day', (row, world) => world.dayCodes(row.day_ids)),
    date_of_birth: date('Date of birth', (row) => row.date_of_birth),
    external_id: plain('ID', (row) => row.external_id ?? toUlid(row.id), 30),
    status: plain('Status', (row) => row.status),
    registration: plain('Registration', (row) => row.registration_code),
    tickets: plain('Tickets', (row) => row.tickets, 32),
    checked_in: plain('Checked in', (row) => row.checked_in_at !== null, 12),
    checked_in_at: time('Checked in at', (row) => row.checked_in_at),
    registered_at: time('Registered at', (row) => row.created_at),
    turnout_export: plain(OWN_EXPORT_HEADING, () => null, 16),
    price: amount('Price', (row) => amountText(row.price_minor, row.currency)),
    currency: plain('Currency', (row) => row.currency, 10),
    updated_at: time('Updated at', (row) => row.at),
    test: plain('Test', (row) => row.test, 8),
    attendee_id: plain('Attendee ID', (row) => toUlid(row.id), 30),
    registration_id: plain('Registration ID', (row) => toUlid(row.registration_id), 30),
    contact_id: plain('Contact ID', (row) => ulidOrNull(row.contact_id), 30),
  },
  answers: (row) => row.answers,
  table: sql`attendees`,
  alias: 'a',
  order: 'updated_at',
  where: (scope, filter) =>
    every([
      sql`a.org_id = ${scope.org} and a.event_id = ${scope.event.id}`,
      ownMode(scope, 'a'),
      scope.group !== null && personInReach(scope, 'a', known(scope.event)),
      ifGiven(filter.status, 'text', sql`a.status = ${filter.status}`),
      ifGiven(filter.attendee_type, 'uuid', sql`a.attendee_type_id = ${filter.attendee_type}`),
      ifGiven(filter.day, 'uuid', sql`${filter.day} = any(a.day_ids)`),
      ifGiven(filter.checked_in, 'boolean', sql`(a.checked_in_at is not null) = ${filter.checked_in}`),
      ifGroupGiven(scope, filter.group, sql`a.group_id`),
      filter.updated_since !== undefined && sql`a.updated_at >= ${filter.updated_since}::timestamptz`,
    ]),
  joins: sql`join registrations r on r.org_id = a.org_id and r.id = a.registration_id`,
  // No code that also admits somebody out of reach.
  select: (scope, wanted) => sql`
    a.registration_id, r.code as registration_code, a.contact_id, a.attendee_type_id, a.group_id, a.day_ids, a.first_name,
    a.last_name, a.email, a.phone, a.date_of_birth, a.external_id, a.answers, a.price_minor, r.currency, a.status, a.test,
    a.checked_in_at, a.created_at,
    case when ${wanted.has('tickets')} then (
      select string_agg(t.code, ${SEPARATOR} order by t.id) from ticket_people p
      join tickets t on t.org_id = p.org_id and t.id = p.ticket_id
      where p.org_id = a.org_id and p.attendee_id = a.id and t.status = 'valid'
        and ${ticketWhole(scope, 't', known(scope.event))}) end as tickets`,
};
