import { type CheckInPoint, type PreparedWorld, prepareWorld, type World } from '@turnout/checkin';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  type AttendeeTypeRow,
  attendeeTypes,
  type CheckInPointRow,
  checkInPoints,
  closesAt,
  type DayRow,
  days,
  type EventRow,
  opensAt,
  type ProductRow,
  products,
  type QuestionRow,
} from '../events/index.ts';

/** The event as the check-in decision sees it, with everything keyed by id, and the rows beside it for names and codes. */
export interface ScanWorld {
  event: EventRow;
  prepared: PreparedWorld;
  days: Map<Id, DayRow>;
  types: Map<Id, AttendeeTypeRow>;
  groups: Map<Id, { id: Id; code: string; name: string; parent_id: Id | null }>;
  points: Map<Id, CheckInPointRow>;
  pointByRef: Map<string, CheckInPointRow>;
  /** All products of the event. */
  catalogue: Map<Id, ProductRow>;
  /** Those that a point asks for. Where none does, nothing that people have booked is read for the decision. */
  askedProducts: Map<Id, ProductRow>;
  /** The questions whose answers are shown at the door, in the order of the event. */
  doorQuestions: Pick<QuestionRow, 'code' | 'label' | 'kind'>[];
  /** Whether a question is filterable, so that whoever stamps attendees also stamps their answers (`stampAnswers`). */
  filtered: boolean;
}

const MAX_CACHED_WORLDS = 200;
const cache = new Map<Id, { version: string; world: Omit<ScanWorld, 'event'> }>();

/**
 * Changes whenever the structure of the event or the tree of groups changes. The manifest's `ETag` and the cache compare it.
 */
export const versionOf = (event: EventRow, groupsVersion: number): string => `${event.world_version}.${groupsVersion}`;

/** A cached world is used only if its version is the one that this transaction has just read. */
export async function scanWorldOf(tx: Tx, org: Id, event: EventRow, groupsVersion: number): Promise<ScanWorld> {
  const version = versionOf(event, groupsVersion);
  const known = cache.get(event.id);
  if (known?.version === version) return { event, ...known.world };
  const everything = [sql`true`, sql`order by t.id`] as const;
  // Events of before have no such list.
  const questionCodes = (event.door.questions ?? []).map((code) => code.toLowerCase());
  const [dayRows, typeRows, pointRows, productRows, groupRows, filterable, doorQuestions] = await Promise.all([
    days.all(tx, org, event.id, ...everything),
    attendeeTypes.all(tx, org, event.id, ...everything),
    checkInPoints.all(tx, org, event.id, ...everything),
    products.all(tx, org, event.id, ...everything),
    tx.all<{ id: Id; code: string; name: string; parent_id: Id | null }>(sql`
      select id, code, name, parent_id from groups where org_id = ${org} order by id`),
    tx.maybe(
      sql`select from questions where org_id = ${org} and event_id = ${event.id} and filter_id is not null limit 1`,
    ),
    questionCodes.length === 0
      ? []
      : tx.all<Pick<QuestionRow, 'code' | 'label' | 'kind'>>(sql`
          select code, label, kind from questions where org_id = ${org} and event_id = ${event.id} and lower(code) = any(${questionCodes})
          order by array_position(${questionCodes}::text[], lower(code))`),
  ]);
  const asked = new Set(pointRows.flatMap((point) => point.product_ids ?? []));
  const source: World = {
    timezone: event.timezone,
    days: dayRows.map((day) => ({
      id: day.id,
      code: day.code,
      date: day.date,
      opens_at: opensAt(day, event.timezone),
      closes_at: closesAt(day, event.timezone),
      locked_at: day.locked_at,
    })),
    attendee_types: typeRows.map((type) => ({
      id: type.id,
      code: type.code,
      days: type.day_ids,
      pass_days: type.pass_days,
    })),
    groups: groupRows.map((group) => ({ id: group.id, code: group.code, parent: group.parent_id })),
    products: productRows.map(({ id, code }) => ({ id, code })),
    check_in_points: pointRows.map(policyPoint),
  };
  const world = {
    prepared: prepareWorld(source),
    days: new Map(dayRows.map((day) => [day.id, day])),
    types: new Map(typeRows.map((type) => [type.id, type])),
    groups: new Map(groupRows.map((group) => [group.id, group])),
    points: new Map(pointRows.map((point) => [point.id, point])),
    pointByRef: new Map(
      pointRows.flatMap((point) => [[point.code.toLowerCase(), point] as const, [point.id, point] as const]),
    ),
    catalogue: new Map(productRows.map((product) => [product.id, product])),
    askedProducts: new Map(productRows.filter(({ id }) => asked.has(id)).map((product) => [product.id, product])),
    doorQuestions,
    filtered: filterable !== null,
  };
  if (cache.size >= MAX_CACHED_WORLDS) cache.delete(cache.keys().next().value!);
  cache.set(event.id, { version, world });
  return { event, ...world };
}

const policyPoint = (row: CheckInPointRow): CheckInPoint =>
  ({
    id: row.id,
    code: row.code,
    name: row.name,
    kind: row.kind,
    policy: {
      attendee_types: row.attendee_type_ids,
      groups: row.group_ids,
      days: row.day_ids,
      products: row.product_ids,
      opens_minutes_before: row.opens_minutes_before,
      closes_minutes_after: row.closes_minutes_after,
      limit: row.pass_limit,
      cooldown_seconds: row.cooldown_seconds,
      requires: row.requires,
      capacity: row.capacity,
      leaves: row.leaves_id,
    },
  }) as CheckInPoint;
