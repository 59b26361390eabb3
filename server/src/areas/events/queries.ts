import {
  DEFAULT_DOOR_RULES,
  DEFAULT_REGISTRATION_RULES,
  DEFAULT_SELF_SERVICE,
  type DoorRules,
  type Event,
  type EventStatus,
  type RegistrationRules,
  type SelfService,
  type Ticketing,
} from '@turnout/contract';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import type { PageLinks } from '../../common/page-links.ts';
import type { Caller } from '../../road/caller.ts';
import { name, type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { aboveReach, inReach } from '../groups/index.ts';

export interface EventRow {
  id: Id;
  code: string;
  name: string;
  status: EventStatus;
  test: boolean;
  group_id: Id | null;
  group_code: string | null;
  timezone: string;
  /** As shown: what was set, else the times of the days. */
  starts_at: string | null;
  ends_at: string | null;
  /** What was set; null: the times of the days are shown. */
  set_starts_at: string | null;
  set_ends_at: string | null;
  venue: string | null;
  currency: string;
  capacity: number | null;
  ticketing: Ticketing;
  language: string;
  terms: string | null;
  registration: RegistrationRules;
  door: DoorRules;
  description: string | null;
  image_id: Id | null;
  listed: boolean;
  payment_instructions: string | null;
  self_service: SelfService;
  /** Where the organization's pages are (road/for-areas/links.ts). */
  org_code: string;
  page_host: string | null;
  /** By which lists by date are ordered. */
  begins_at: string;
  world_version: number;
  created_at: string;
  updated_at: string;
}

/** What was set, else the times of the days (event-times.ts), unless they contradict the other end, which was set. */
const STARTS = sql`coalesce(e.starts_at, case when e.ends_at < e.days_start_at then null else e.days_start_at end)`;
const ENDS = sql`coalesce(e.ends_at, case when e.starts_at > e.days_end_at then null else e.days_end_at end)`;
/** Events of earlier releases do not have every rule, nor everything that people may do by themselves. */
const RULES = sql`${JSON.stringify(DEFAULT_REGISTRATION_RULES)}::jsonb || e.registration`;
const SELF_SERVICE = sql`${JSON.stringify(DEFAULT_SELF_SERVICE)}::jsonb || e.self_service`;
const COLUMNS = sql`e.id, e.code, e.name, e.status, e.test, e.group_id, g.code as group_code, e.timezone,
  ${STARTS} as starts_at, ${ENDS} as ends_at, e.starts_at as set_starts_at, e.ends_at as set_ends_at,
  e.venue, e.currency, e.capacity, e.ticketing, e.language, e.terms, ${RULES} as registration, e.door,
  e.description, e.image_id, e.listed, e.payment_instructions, ${SELF_SERVICE} as self_service, o.code as org_code, o.page_host, e.begins_at, e.world_version, e.created_at, e.updated_at`;
const FROM = sql`events e join organizations o on o.id = e.org_id left join groups g on g.org_id = e.org_id and g.id = e.group_id`;

/** A caller limited to a group sees the events of its subtree, of the groups above it, and those without a group. */
const visible = (caller: Caller): Sql =>
  caller.group === null
    ? sql`true`
    : sql`(e.group_id is null or ${inReach(caller, sql`e.group_id`)} or ${aboveReach(caller, sql`e.group_id`)})`;
/** The same of the event that `x.object_id` names (road/read/removed.ts). */
export const removedIsVisible = (caller: Caller): Sql =>
  sql`exists (select from events e where e.org_id = x.org_id and e.id = x.object_id and ${visible(caller)} offset 0)`;
/** It may change only those of its subtree. */
const changeable = (caller: Caller): Sql => inReach(caller, sql`e.group_id`);

export type Purpose = 'read' | 'change';

export function findEvent(tx: Tx, caller: Caller, ref: string, purpose: Purpose): Promise<EventRow | null> {
  const { id, code } = parseRef(ref);
  return tx.maybe<EventRow>(sql`
    select ${COLUMNS} from ${FROM}
    where e.org_id = ${caller.org.id} and ${id !== null ? sql`e.id = ${id}` : sql`lower(e.code) = lower(${code})`}
      and ${purpose === 'read' ? visible(caller) : changeable(caller)}`);
}

/**
 * The id of the event that a path names, for statements that are sent before the event is found. It does not check whether the
 * caller may see the event.
 */
export const eventIdOf = (org: Id, ref: string): Sql => {
  const { id, code } = parseRef(ref);
  return id !== null
    ? sql`${id}`
    : sql`(select named.id from events named where named.org_id = ${org} and lower(named.code) = lower(${code}))`;
};

/** For work that has found the event already and reads it again while holding its clock. */
export const eventById = (tx: Tx, org: Id, id: Id | Sql): Promise<EventRow | null> =>
  tx.maybe<EventRow>(sql`select ${COLUMNS} from ${FROM} where e.org_id = ${org} and e.id = ${id}`);

export const listEvents = (tx: Tx, caller: Caller, where: Sql, order: Sql): Promise<EventRow[]> =>
  tx.all<EventRow>(sql`
    select ${COLUMNS} from ${FROM} where e.org_id = ${caller.org.id} and ${visible(caller)} and ${where} ${order}`);

/** The events of the public list from a place in it on, in the order of their dates. Whoever is not told of an event does not count it. */
export const listedEvents = (tx: Tx, org: Id, now: Date, from: Sql, limit: number): Promise<EventRow[]> =>
  tx.all<EventRow>(sql`
    select ${COLUMNS} from ${FROM}
    where e.org_id = ${org} and e.status = 'published' and e.listed and not e.test and ${from}
      and coalesce(${IS_OVER}, 'infinity') > ${now}::timestamptz
    order by e.begins_at, e.id limit ${limit}`);

/** An event that is over, runs or is to come. */
export type TimedEvent = EventRow & { when: 'now' | 'next' | 'past' };
const BEGINS = sql`coalesce(${STARTS}, ${ENDS})`;
/** An event of which only the beginning is known is taken to last a day. */
const IS_OVER = sql`coalesce(${ENDS}, ${STARTS} + interval '1 day')`;

/**
 * The events that are not archived: first those that run now, then those to come by their beginning, and those without a date,
 * then those that are over, beginning with the last one.
 */
export const eventsByTime = (tx: Tx, caller: Caller, limit: number): Promise<TimedEvent[]> => {
  const now = tx.clock.now();
  return tx.all<TimedEvent>(sql`
    select t.* from (
      select ${COLUMNS}, ${BEGINS} as begins, ${IS_OVER} as over,
        case when ${BEGINS} is null or ${BEGINS} > ${now}::timestamptz then 'next'
          when ${IS_OVER} > ${now}::timestamptz then 'now' else 'past' end as when
      from ${FROM} where e.org_id = ${caller.org.id} and e.status <> 'archived' and ${visible(caller)}) t
    order by array_position(array['now', 'next', 'past'], t.when),
      case when t.when <> 'past' then t.begins end, case when t.when = 'past' then t.over end desc, t.id desc
    limit ${limit}`);
};

/** The events that are not over, or the one of them with this id: those to come by their beginning, those without a date last. */
export const eventsNotOver = (tx: Tx, org: Id, only: Id | null, limit: number): Promise<EventRow[]> =>
  tx.all<EventRow>(sql`
    select ${COLUMNS} from ${FROM}
    where e.org_id = ${org} and e.status <> 'archived' and (${only}::uuid is null or e.id = ${only})
      and (${IS_OVER} is null or ${IS_OVER} > ${tx.clock.now()}::timestamptz)
    order by e.begins_at, e.id limit ${limit}`);

export const eventShape = (row: EventRow, links: PageLinks): Event => ({
  id: toUlid(row.id),
  code: row.code,
  name: row.name,
  status: row.status,
  test: row.test,
  group: row.group_code,
  timezone: row.timezone,
  starts_at: row.starts_at,
  ends_at: row.ends_at,
  venue: row.venue,
  currency: row.currency,
  capacity: row.capacity,
  ticketing: row.ticketing,
  language: row.language,
  terms: row.terms,
  description: row.description,
  image: row.image_id === null ? null : links.picture(row, row.image_id, 'image'),
  listed: row.listed,
  public_url: links.eventPage(row, row),
  payment_instructions: row.payment_instructions,
  registration: row.registration,
  self_service: row.self_service,
  door: { ...DEFAULT_DOOR_RULES, ...row.door },
  ...stamps(row),
});

/** Called for every change of an event's structure. Cached worlds are compared with this number. */
export const touchWorld = (tx: Tx, org: Id, event: Id): Promise<number> =>
  tx.run(sql`update events set world_version = world_version + 1 where org_id = ${org} and id = ${event}`);

/** The row with this alias belongs to a test event. */
export const ofTestEvent = (alias: string): Sql => sql`exists (
  select from events tests where tests.org_id = ${name(`${alias}.org_id`)} and tests.id = ${name(`${alias}.event_id`)} and tests.test)`;
