import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, stampAnswers } from '../events/index.ts';
import type { BookedLine } from '../registrations/index.ts';

/** Whoever booked something: an attendee, or a registration as a whole. */
export interface Booker {
  registration_id: Id;
  attendee_id: Id | null;
}

/** What is known of a booker under the event's clock. */
export interface BookerRow extends Booker {
  /** Null: the attendees of the registration belong to several groups. */
  group_id: Id | null;
  status: string;
  products: BookedLine[];
}

export function readBooker(tx: Tx, org: Id, { registration_id, attendee_id }: Booker): Promise<BookerRow | null> {
  if (attendee_id !== null)
    return tx.maybe<BookerRow>(sql`
      select a.registration_id, a.id as attendee_id, a.group_id, a.status, a.products from attendees a
      where a.org_id = ${org} and a.id = ${attendee_id}`);
  return tx.maybe<BookerRow>(sql`
    select r.id as registration_id, null::uuid as attendee_id, r.status, r.products, (
        select case when count(distinct coalesce(a.group_id, a.event_id)) = 1 then (array_agg(a.group_id))[1] end
        from attendees a where a.org_id = r.org_id and a.registration_id = r.id) as group_id
    from registrations r where r.org_id = ${org} and r.id = ${registration_id}`);
}

/** The unit that is meant: of several lines of one product and option, which differ in their price, the first with units left. */
export interface Unit {
  product_id: Id;
  option_id: Id | null;
}
const isOf =
  ({ product_id, option_id }: Unit) =>
  (line: BookedLine): boolean =>
    line.product_id === product_id && line.option_id === option_id;

/** The lines after one more unit was handed out; null if all of them were. */
export function withOneMore(lines: readonly BookedLine[], unit: Unit): BookedLine[] | null {
  const i = lines.findIndex((line) => isOf(unit)(line) && line.handed_out < line.quantity);
  return i < 0 ? null : counted(lines, i, 1);
}

/** The lines after a unit was given back; null if none was handed out. */
export function withOneLess(lines: readonly BookedLine[], unit: Unit): BookedLine[] | null {
  const i = lines.findLastIndex((line) => isOf(unit)(line) && line.handed_out > 0);
  return i < 0 ? null : counted(lines, i, -1);
}

const counted = (lines: readonly BookedLine[], i: number, by: 1 | -1): BookedLine[] =>
  lines.map((line, n) => (n === i ? { ...line, handed_out: line.handed_out + by } : line));

/**
 * Writes the lines and stamps their owner, so that lists, rosters and `If-Match` notice it. Nothing else of a registration depends on
 * what was handed out, so neither the book nor a webhook takes part.
 */
export async function writeLines(
  tx: Tx,
  org: Id,
  event: EventRow,
  { registration_id, attendee_id }: Booker,
  lines: readonly BookedLine[],
  stamp: string,
): Promise<void> {
  const write = (table: Sql, id: Id) =>
    tx.run(sql`
      update ${table} set products = ${JSON.stringify(lines)}, updated_at = ${stamp} where org_id = ${org} and id = ${id}`);
  if (attendee_id === null) {
    await write(sql`registrations`, registration_id);
    return;
  }
  await write(sql`attendees`, attendee_id);
  stampAnswers(tx, org, event.id, stamp);
}
