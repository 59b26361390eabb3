import { pickFields, type RosterEntry } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { sha256 } from '../../common/sha256.ts';
import { columns, every, type Sql, sql } from '../../store/sql.ts';
import { iso, sixDecimals } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { attendeeInReach, eventGroup, inSubtree, ticketInReach } from '../groups/index.ts';
import { bookedAtDoor } from './booked.ts';
import { DOOR_TEXTS, type DoorTexts } from './door.ts';
import type { RosterReach } from './roster-reach.ts';
import { type BookedRow, bookedLines, ticketsOfRegistrationsSince, toHandOut } from './to-hand-out.ts';
import type { ScanWorld } from './world.ts';

/** A roster holds hashes of ticket codes, not the codes, so that nobody can print tickets from a lost device. */
export const codeHash = (code: string): string => sha256(code);

interface PersonRow extends DoorTexts, BookedRow {
  ticket_id: Id;
  code: string;
  ticket_status: 'valid' | 'voided';
  test: boolean;
  registration_code: string;
  id: Id;
  attendee_type_id: Id;
  group_id: Id | null;
  status: string;
  /** The days on which this ticket admits this person. */
  day_ids: Id[];
  answers: Record<string, unknown> | null;
  products?: Id[];
  admissions: { check_in_point: Id; kind: string; day: Id | null; at: string; seq: number }[];
}

/** The event's clock. Everything up to this instant is in what the same transaction reads next. */
export async function asOf(tx: Tx, reach: RosterReach): Promise<string> {
  const row = await tx.one<{ at: string }>(sql`
    select at from event_clocks where org_id = ${reach.org} and event_id = ${reach.event}`);
  return sixDecimals(row.at);
}

export async function countRoster(tx: Tx, reach: RosterReach): Promise<number> {
  const row = await tx.one<{ n: number }>(sql`
    select count(*)::int as n from tickets t where t.org_id = ${reach.org} and t.event_id = ${reach.event} and ${every([
      reach.mode === 'live' && sql`not t.test`,
      reach.group !== null && ticketInReach(reach, 't'),
    ])}`);
  return row.n;
}

/**
 * Keeps an instant within the years that a `Date` can read. The pool does that for every column (store/pool.ts), but not for
 * instants inside JSON.
 */
const IN_FOUR_DIGITS = sql`greatest('0001-01-01Z'::timestamptz, least('9999-12-31T23:59:59.999Z'::timestamptz, k.scanned_at))`;

/** Of all answers of an attendee only those that are shown at the door leave the database. */
function answersAtDoor({ doorQuestions }: ScanWorld): Sql {
  if (doorQuestions.length === 0) return sql`null::jsonb`;
  const codes = doorQuestions.map(({ code }) => code);
  return sql`(select jsonb_object_agg(q.code, a.answers -> q.code) from unnest(${codes}::text[]) q(code) where a.answers ? q.code)`;
}

/** Longer texts tell people no better apart, and every scanner keeps them. */
const MAX_ANSWER_LENGTH = 100;
const MAX_CHOICES = 10;
function short(answer: unknown): unknown {
  if (typeof answer === 'string') {
    return [...answer.slice(0, 2 * MAX_ANSWER_LENGTH)].slice(0, MAX_ANSWER_LENGTH).join('');
  }
  if (Array.isArray(answer))
    return answer
      .slice(0, MAX_CHOICES)
      .filter((one) => typeof one === 'string')
      .map(short);
  return typeof answer === 'number' || typeof answer === 'boolean' ? answer : null;
}
const shortAnswers = (answers: PersonRow['answers']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(answers ?? {}).map(([code, answer]) => [code, short(answer)]));

/** The entries of the chosen tickets, by ticket id, with people, days and admissions: one statement, not one per ticket. */
async function entries(tx: Tx, world: ScanWorld, reach: RosterReach, which: Sql): Promise<RosterEntry[]> {
  const rows = await tx.all<PersonRow>(sql`
    with chosen as materialized (
      select t.id, t.registration_id, t.code, t.status, t.test, t.day_ids from tickets t
      where t.org_id = ${reach.org} and t.event_id = ${reach.event} and ${reach.mode === 'live' ? sql`not t.test` : sql`true`} and ${which}),
    people as materialized (
      select c.id as ticket_id, c.code, c.status as ticket_status, c.test, r.code as registration_code, p.position, a.id,
        ${columns(DOOR_TEXTS, 'a')}, a.attendee_type_id, a.group_id, a.status,
        -- Of somebody with a ticket for each of 366 days, all days would otherwise be read with each of the 366 tickets.
        case when c.day_ids is null then a.day_ids
          else array(select d.id from unnest(c.day_ids) with ordinality d(id, n) where d.id = any(a.day_ids) order by d.n)
        end as day_ids, ${answersAtDoor(world)} as answers${bookedLines(world, reach)}${bookedAtDoor(world)}
      from chosen c
      join registrations r on r.org_id = ${reach.org} and r.id = c.registration_id
      join ticket_people p on p.org_id = ${reach.org} and p.ticket_id = c.id
      join attendees a on a.org_id = ${reach.org} and a.id = p.attendee_id
      where ${attendeeInReach(reach, 'a', eventGroup(world.event))})
    select people.*, coalesce(h.admissions, '[]') as admissions from people
    left join lateral (
      select json_agg(json_build_object('check_in_point', k.check_in_point_id, 'kind', k.kind, 'day', k.day_id, 'at', ${IN_FOUR_DIGITS}, 'seq', k.seq)
        order by k.seq) as admissions
      from checkins k where k.org_id = ${reach.org} and k.attendee_id = people.id and k.admitted and k.undone_at is null
        and k.test = ${reach.mode === 'test'}) h on true
    order by people.ticket_id, people.position`);
  const found = new Map<Id, RosterEntry>();
  const dayCodes = (ids: readonly Id[]) =>
    ids.map((id) => world.days.get(id)?.code).filter((code): code is string => code !== undefined);
  for (const row of rows) {
    let entry = found.get(row.ticket_id);
    if (entry === undefined) {
      entry = {
        code_sha256: codeHash(row.code),
        ticket_id: toUlid(row.ticket_id),
        status: row.ticket_status,
        test: row.test,
        registration_code: row.registration_code,
        people: [],
      };
      found.set(row.ticket_id, entry);
    }
    entry.people.push({
      id: toUlid(row.id),
      ...pickFields(DOOR_TEXTS, row),
      attendee_type: world.types.get(row.attendee_type_id)!.code,
      group: row.group_id === null ? null : (world.groups.get(row.group_id)?.code ?? null),
      confirmed: row.status === 'confirmed',
      days: dayCodes(row.day_ids),
      answers: shortAnswers(row.answers),
      ...toHandOut(world, row.status, row),
      ...(row.products && { products: row.products.flatMap((id) => world.askedProducts.get(id)?.code ?? []) }),
      admissions: row.admissions.map((one) => ({
        check_in_point: world.points.get(one.check_in_point)?.code ?? '',
        kind: one.kind,
        day: one.day === null ? null : (world.days.get(one.day)?.code ?? null),
        at: iso(new Date(one.at)),
        seq: one.seq,
      })),
    });
  }
  return [...found.values()];
}

/** One page of the whole roster, by ticket id; null after the last page. */
export async function rosterPage(tx: Tx, world: ScanWorld, reach: RosterReach, after: Id | null, size: number) {
  const ids = await tx.all<{ id: Id }>(sql`
    select t.id from tickets t where t.org_id = ${reach.org} and t.event_id = ${reach.event}
      and ${after === null ? sql`true` : sql`t.id > ${after}`} order by t.id limit ${size}`);
  if (ids.length === 0) return null;
  const page = await entries(tx, world, reach, sql`t.id = any(${ids.map((row) => row.id)})`);
  return { entries: page, last: ids.at(-1)!.id };
}

/** The entries that changed since then. Indexes by time of change find them, so the cost depends on how much changed only. */
export async function rosterSince(
  tx: Tx,
  world: ScanWorld,
  reach: RosterReach,
  since: string,
): Promise<{ data: RosterEntry[]; removed: string[] }> {
  const changed = await tx.all<{ id: Id }>(sql`
    select t.id from tickets t where t.org_id = ${reach.org} and t.event_id = ${reach.event} and t.updated_at >= ${since}::timestamptz
    union
    select p.ticket_id from attendees a join ticket_people p on p.org_id = a.org_id and p.attendee_id = a.id
      where a.org_id = ${reach.org} and a.event_id = ${reach.event} and a.updated_at >= ${since}::timestamptz
    union
    select p.ticket_id from checkins k join ticket_people p on p.org_id = k.org_id and p.attendee_id = k.attendee_id
      where k.org_id = ${reach.org} and k.event_id = ${reach.event} and k.test and ${reach.mode === 'test' ? sql`true` : sql`false`}
        and k.recorded_at >= ${since}::timestamptz
    ${ticketsOfRegistrationsSince(world, reach, since)}`);
  const data =
    changed.length === 0 ? [] : await entries(tx, world, reach, sql`t.id = any(${changed.map((row) => row.id)})`);
  // The event's group stands in only for rows of the version before, which runs beside this one during an upgrade.
  const gone = await tx.all<{ code_sha256: string }>(sql`
    select distinct r.code_sha256 from roster_removed r
    where r.org_id = ${reach.org} and r.event_id = ${reach.event} and r.at >= ${since}::timestamptz
      and ${reach.mode === 'live' ? sql`not r.test` : sql`true`}
      and ${reach.group === null ? sql`r.everywhere` : sql`(r.everywhere or ${inSubtree(reach, sql`coalesce(r.group_id, ${eventGroup(world.event)})`)})`}`);
  const here = new Set(data.map((entry) => entry.code_sha256));
  return { data, removed: gone.map((row) => row.code_sha256).filter((hash) => !here.has(hash)) };
}
