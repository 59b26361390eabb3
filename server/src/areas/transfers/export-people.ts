import { type Attendee, fieldsOf, OWN_EXPORT_HEADING, PERSON_FIELDS } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { columns, every, sql } from '../../store/sql.ts';
import { attendeeInReach, eventGroup, registrationFullyInReach, ticketFullyInReach } from '../groups/index.ts';
import { type BookedLine, everyAnswerIn } from '../registrations/index.ts';
import { shared } from './export-shared.ts';
import { amount, type Column, date, type ExportRow, plain, type Sheet, time } from './export-sheet.ts';
import { amountText, ifGiven, ifGroupGiven, ownMode, SEPARATOR } from './export-world.ts';

const TEXTS = fieldsOf('attendee', { typed: true, exported: true });

interface Row extends ExportRow, Pick<Attendee, (typeof TEXTS)[number]> {
  registration_id: Id;
  registration_code: string;
  contact_id: Id | null;
  attendee_type_id: Id;
  group_id: Id | null;
  day_ids: Id[];
  answers: Record<string, unknown>;
  price_minor: number;
  discount_minor: number;
  /** Null without a discount, and if the caller may not see everybody in the registration. */
  discount_code: string | null;
  products: BookedLine[];
  currency: string;
  status: string;
  test: boolean;
  checked_in_at: string | null;
  created_at: string;
  tickets: string | null;
}

const columnsOfTexts = Object.fromEntries(
  TEXTS.map((field): [string, Column<Row>] => {
    const { kind, heading } = PERSON_FIELDS[field];
    const column = kind === 'date' ? date : plain;
    return [field, { ...column<Row>(heading, (row) => row[field]), ...(kind === 'email' && { width: 30 }) }];
  }),
) as Record<(typeof TEXTS)[number], Column<Row>>;

/** The first columns have the headings and values that an import understands, so an exported file can be imported again. */
export const peopleSheet: Sheet<'people', Row> = {
  title: 'People',
  columns: {
    ...columnsOfTexts,
    attendee_type: shared.attendee_type,
    group: shared.group,
    days: plain('Day', (row, world) => world.dayCodes(row.day_ids)),
    external_id: plain(PERSON_FIELDS.external_id.heading, (row) => row.external_id ?? toUlid(row.id), 30),
    status: shared.status,
    registration: shared.registration,
    tickets: plain('Tickets', (row) => row.tickets, 32),
    checked_in: plain('Checked in', (row) => row.checked_in_at !== null, 12),
    checked_in_at: time('Checked in at', (row) => row.checked_in_at),
    registered_at: time('Registered at', (row) => row.created_at),
    turnout_export: plain(OWN_EXPORT_HEADING, () => null, 16),
    price: amount('Price', (row) => amountText(row.price_minor, row.currency)),
    discount: amount('Discount', (row) => amountText(row.discount_minor, row.currency)),
    discount_code: shared.discount_code,
    products: shared.products,
    currency: shared.currency,
    updated_at: time('Updated at', (row) => row.at),
    test: shared.test,
    attendee_id: plain('Attendee ID', (row) => toUlid(row.id), 30),
    registration_id: shared.registration_id,
    contact_id: shared.contact_id,
  },
  answers: (row) => row.answers,
  table: sql`attendees`,
  alias: 'a',
  order: 'updated_at',
  where: (scope, filter) =>
    every([
      sql`a.org_id = ${scope.org} and a.event_id = ${scope.event.id}`,
      ownMode(scope, 'a'),
      scope.group !== null && attendeeInReach(scope, 'a', eventGroup(scope.event)),
      ifGiven(filter.status, 'text', sql`a.status = ${filter.status}`),
      ifGiven(filter.attendee_type, 'uuid', sql`a.attendee_type_id = ${filter.attendee_type}`),
      ifGiven(filter.day, 'uuid', sql`${filter.day} = any(a.day_ids)`),
      ifGiven(filter.checked_in, 'boolean', sql`(a.checked_in_at is not null) = ${filter.checked_in}`),
      ifGroupGiven(scope, filter.group, sql`a.group_id`),
      ifGiven(
        filter.product,
        'uuid',
        sql`a.products @> jsonb_build_array(jsonb_build_object('product_id', ${filter.product}::uuid))`,
      ),
      filter.answers !== undefined && everyAnswerIn(scope.org, filter.answers, 'a'),
      filter.updated_since !== undefined && sql`a.updated_at >= ${filter.updated_since}::timestamptz`,
    ]),
  joins: sql`join registrations r on r.org_id = a.org_id and r.id = a.registration_id`,
  // A ticket's code is left out if the ticket also admits an attendee whom the caller may not see.
  select: (scope, wanted) => sql`
    a.registration_id, r.code as registration_code, a.contact_id, a.attendee_type_id, a.group_id, a.day_ids,
    ${columns(TEXTS, 'a')}, a.answers, a.price_minor, a.discount_minor, a.products, r.currency, a.status, a.test,
    case when ${wanted.has('discount_code')} and a.discount_id is not null
      and ${registrationFullyInReach(scope, 'r', eventGroup(scope.event))} then r.discount_code end as discount_code,
    a.checked_in_at, a.created_at,
    case when ${wanted.has('tickets')} then (
      select string_agg(t.code, ${SEPARATOR} order by t.id) from ticket_people p
      join tickets t on t.org_id = p.org_id and t.id = p.ticket_id
      where p.org_id = a.org_id and p.attendee_id = a.id and t.status = 'valid'
        and ${ticketFullyInReach(scope, 't', eventGroup(scope.event))}) end as tickets`,
};
