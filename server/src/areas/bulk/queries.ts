import { ticketCode } from '@turnout/checkin';
import { type Id, parseRef } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { every, name, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import {
  attendeeInReach,
  eventGroup,
  type Limit,
  limitOf,
  registrantInReach,
  registrationInReach,
} from '../groups/index.ts';
import { ownMode } from '../registrations/index.ts';
import type { Kind } from './lists.ts';

/** Looks up references by id or code. The result finds the object of each reference, if the caller can see it. */
export async function findRefs(
  work: Work,
  event: EventRow,
  kind: Kind,
  refs: readonly string[],
): Promise<(ref: string) => { id: Id; registration: Id } | undefined> {
  const parsed = refs.map((ref) => parseRef(ref));
  const ids = parsed.flatMap(({ id }) => (id === null ? [] : [id]));
  const codes = parsed.flatMap(({ id, code }) => (id === null && code !== null ? [ticketCode(code)] : []));
  const limit = limitOf(work.caller);
  const rows = await work.tx.all<{ id: Id; code: string | null; registration: Id }>(
    kind === 'attendee'
      ? sql`
        select a.id, null as code, a.registration_id as registration from attendees a
        where a.org_id = ${work.org} and a.event_id = ${event.id} and a.id = any(${ids}::uuid[])
          and ${every([ownMode(work, 'a'), attendeeInReach(limit, 'a', eventGroup(event))])}`
      : sql`
        select r.id, r.code, r.id as registration from registrations r
        where r.org_id = ${work.org} and r.event_id = ${event.id}
          and r.id in (
            select i.id from unnest(${ids}::uuid[]) i(id)
            union select c.id from registrations c
              where c.org_id = ${work.org} and c.event_id = ${event.id} and c.code = any(${codes}))
          and ${every([ownMode(work, 'r'), registrationInReach(limit, 'r', eventGroup(event))])}`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const byCode = new Map(rows.map((row) => [row.code, row]));
  return (ref) => {
    const { id, code } = parseRef(ref);
    return id !== null ? byId.get(id) : byCode.get(ticketCode(code!));
  };
}

const CHUNK = 10_000;

/** Stores the items in this order, and returns how many there are. */
export async function keepItems(tx: Tx, org: Id, job: Id, objects: readonly Id[]): Promise<number> {
  for (let from = 0; from < objects.length; from += CHUNK) {
    await tx.run(sql`
      insert into bulk_items (org_id, job_id, number, object_id)
      select ${org}, ${job}, ${from} + o.n, o.id from unnest(${objects.slice(from, from + CHUNK)}::uuid[]) with ordinality o(id, n)`);
  }
  return objects.length;
}

/**
 * Stores the valid tickets of these attendees as items, and returns how many there are. A ticket that several of them share is stored
 * once. An attendee without a valid ticket is stored without one, and is reported as refused.
 */
export async function keepTickets(tx: Tx, org: Id, job: Id, attendees: readonly Id[]): Promise<number> {
  return tx.run(sql`
    insert into bulk_items (org_id, job_id, number, object_id, ticket_id)
    select ${org}, ${job}, row_number() over (order by n, ticket_id), attendee_id, ticket_id
    from (
      select distinct on (coalesce(h.ticket_id, p.id)) p.n, p.id as attendee_id, h.ticket_id
      from unnest(${attendees}::uuid[]) with ordinality p(id, n)
      left join lateral (
        select t.id as ticket_id from ticket_people tp join tickets t on t.org_id = tp.org_id and t.id = tp.ticket_id
        where tp.org_id = ${org} and tp.attendee_id = p.id and t.status = 'valid') h on true
      order by coalesce(h.ticket_id, p.id), p.n) held`);
}

export interface ItemRow {
  number: number;
  object_id: Id;
  ticket_id: Id | null;
  /** The registration of the attendee, or the registration that the item is. */
  registration_id: Id;
  test: boolean;
}

/**
 * The next items: `few` of them, and those that follow of the last one's registration. A registration is loaded, written and announced
 * as a whole, so the time for all of its items does not depend on how few a step takes. How many can follow is bounded by the size of a
 * registration (registrations/size.ts).
 */
export function itemsAfter(tx: Tx, org: Id, job: Id, number: number, few: number): Promise<ItemRow[]> {
  // `coalesce` stands inside the subquery: outside of it, row-level security keeps PostgreSQL from using the index for the comparison.
  // With `limit 1` each attendee is looked up by their id. Otherwise PostgreSQL might read all attendees for a join.
  const after = (from: Sql) => sql`
    select i.number, i.object_id, i.ticket_id, coalesce(a.registration_id, i.object_id) as registration_id,
      coalesce(a.test, false) as test
    from bulk_items i left join lateral (
      select registration_id, test from attendees where org_id = i.org_id and id = i.object_id limit 1) a on true
    where i.org_id = ${org} and i.job_id = ${job} and i.number > ${from}`;
  const last = (column: 'number' | 'registration_id') =>
    sql`(select ${name(column)} from few order by number desc limit 1)`;
  return tx.all<ItemRow>(sql`
    with few as materialized (${after(sql`${number}`)} order by i.number limit ${few}),
      other as materialized (
        select number from (${after(last('number'))}) following where registration_id <> ${last('registration_id')}
        order by number limit 1)
    select * from few
    union all
    ${after(last('number'))} and i.number < (select coalesce(min(number), 2147483647) from other)
    order by number`);
}

export const countItems = async (tx: Tx, org: Id, job: Id): Promise<number> =>
  (
    await tx.one<{ n: number }>(
      sql`select count(*)::int as n from bulk_items where org_id = ${org} and job_id = ${job}`,
    )
  ).n;

export interface Failure {
  number: number;
  code: string;
  words: string;
}

export function keepFailures(tx: Tx, org: Id, job: Id, failures: readonly Failure[]): void {
  if (failures.length === 0) return;
  tx.send(sql`
    update bulk_items i set code = f.code, words = f.words
    from json_to_recordset(${JSON.stringify(failures)}::json) as f(number int, code text, words text)
    where i.org_id = ${org} and i.job_id = ${job} and i.number = f.number`);
}

export interface ReportRow extends Failure {
  object_id: Id;
  registration: string | null;
  first_name: string | null;
  last_name: string | null;
}

/** The refused items, with the names that the caller can still see. */
export const failuresAfter = (
  tx: Tx,
  org: Id,
  job: Id,
  kind: Kind,
  limit: Limit,
  number: number,
  most: number,
): Promise<ReportRow[]> =>
  tx.all<ReportRow>(
    kind === 'attendee'
      ? sql`
        select i.number, i.code, i.words, i.object_id, r.code as registration, a.first_name, a.last_name
        from bulk_items i
        left join attendees a on a.org_id = i.org_id and a.id = i.object_id and ${attendeeInReach(limit, 'a')}
        left join registrations r on r.org_id = a.org_id and r.id = a.registration_id
        where i.org_id = ${org} and i.job_id = ${job} and i.code is not null and i.number > ${number}
        order by i.number limit ${most}`
      : sql`
        select i.number, i.code, i.words, i.object_id, r.code as registration,
          case when ${registrantInReach(limit, 'r')} then r.first_name end as first_name,
          case when ${registrantInReach(limit, 'r')} then r.last_name end as last_name
        from bulk_items i
        left join registrations r on r.org_id = i.org_id and r.id = i.object_id and ${registrationInReach(limit, 'r')}
        where i.org_id = ${org} and i.job_id = ${job} and i.code is not null and i.number > ${number}
        order by i.number limit ${most}`,
  );

/** Deletes the items of jobs that have ended. Their reports are written by then. */
export async function acrossOrganizationsSweep(tx: Tx): Promise<void> {
  await tx.run(sql`
    delete from bulk_items i where not exists (
      select from jobs j where j.org_id = i.org_id and j.id = i.job_id and j.status in ('queued', 'running'))`);
}
