import type { Id } from '../../common/ids.ts';
import { name, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * What refers to a part of an event, in words; empty when nothing does. A part in use can neither be deleted nor get another
 * code: attendees, check-ins and policies show it, and other systems may know it by its code. The caller holds the event's
 * clock, and so does whoever adds a reference, so the answer stays true until the commit.
 */
export type UsedBy = (tx: Tx, org: Id, event: Id, id: Id) => Promise<string[]>;

/**
 * The reasons whose query finds a row. Each `exists` stops at the first row; organizers delete parts and change codes rarely.
 */
async function reasons(tx: Tx, uses: readonly (readonly [reason: string, query: Sql])[]): Promise<string[]> {
  const columns = uses.map(([, query], i) => sql`${i > 0 ? sql`, ` : sql``}exists (${query}) as ${name(`r${i}`)}`);
  const row = await tx.one<Record<string, boolean>>(columns.reduce((all, one) => sql`${all}${one}`, sql`select `));
  return uses.filter((_, i) => row[`r${i}`]).map(([reason]) => reason);
}

const limitedTo = (rows: readonly { what: string; code: string }[]): string[] =>
  rows.map((row) => `the ${row.what} ${row.code} is limited to it`);

export const dayUsedBy: UsedBy = async (tx, org, event, day) => {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  const rows = await tx.all<{ what: string; code: string }>(sql`
    select 'attendee type' as what, code from attendee_types where ${mine} and ${day} = any(day_ids)
    union all
    select 'check-in point', code from check_in_points where ${mine} and ${day} = any(day_ids)`);
  const people = await reasons(tx, [
    ['attendees are registered for it', sql`select from attendees where ${mine} and ${day} = any(day_ids)`],
    ['tickets were issued for it', sql`select from tickets where ${mine} and ${day} = any(day_ids)`],
    ['tickets were scanned on it', sql`select from checkins where ${mine} and day_id = ${day}`],
    [
      'a communication is addressed to its attendees',
      sql`select from communications where ${mine} and ${day} = any(day_ids)`,
    ],
  ]);
  return [...people, ...limitedTo(rows)];
};

export const typeUsedBy: UsedBy = async (tx, org, event, type) => {
  const mine = sql`org_id = ${org} and event_id = ${event}`;
  const rows = await tx.all<{ what: string; code: string }>(sql`
    select 'question' as what, code from questions where ${mine} and ${type} = any(attendee_type_ids)
    union all
    select 'check-in point', code from check_in_points where ${mine} and ${type} = any(attendee_type_ids)`);
  const people = await reasons(tx, [
    ['attendees are registered with it', sql`select from attendees where ${mine} and attendee_type_id = ${type}`],
    [
      'a communication is addressed to its attendees',
      sql`select from communications where ${mine} and ${type} = any(attendee_type_ids)`,
    ],
  ]);
  return [...people, ...limitedTo(rows)];
};

export const pointUsedBy: UsedBy = async (tx, org, event, point) => {
  const exits = await tx.all<{ code: string }>(sql`
    select code from check_in_points where org_id = ${org} and event_id = ${event} and leaves_id = ${point}`);
  const scanned = await reasons(tx, [
    ['tickets were scanned at it', sql`select from checkins where org_id = ${org} and check_in_point_id = ${point}`],
    ['codes were scanned at it', sql`select from unknown_scans where org_id = ${org} and check_in_point_id = ${point}`],
  ]);
  return [...scanned, ...exits.map((exit) => `the exit ${exit.code} leads out of it`)];
};
