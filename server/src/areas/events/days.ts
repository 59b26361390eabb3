import type { Day, DayChange, DayCreate, DayLock } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { type Fault, refuse, requireValid } from '../../road/refusal.ts';
import { type Id, newId, toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { followDays, reachTo } from './event-times.ts';
import type { EventRow } from './queries.ts';
import { type PartRow, Structure } from './structure.ts';
import { closesAt, opensAt } from './zone.ts';

export interface DayRow extends PartRow {
  name: string;
  date: string;
  opens_at: string | null;
  closes_at: string | null;
  capacity: number | null;
  locked_at: string | null;
}

export const dayShape = (row: DayRow, event: EventRow): Day => ({
  id: toUlid(row.id),
  code: row.code,
  name: row.name,
  date: row.date,
  opens_at: opensAt(row, event.timezone),
  closes_at: closesAt(row, event.timezone),
  capacity: row.capacity,
  locked_at: row.locked_at,
  ...stamps(row),
});

export const days = new Structure<DayRow, Day>({
  kind: 'day',
  table: 'days',
  columns: sql`t.id, t.code, t.name, t.date, t.opens_at, t.closes_at, t.capacity, t.locked_at, t.created_at, t.updated_at`,
  shape: dayShape,
});

export function dayFaults(
  { timezone }: Pick<EventRow, 'timezone'>,
  day: Pick<DayRow, 'date' | 'opens_at' | 'closes_at'>,
): Fault[] {
  return Date.parse(closesAt(day, timezone)) <= Date.parse(opensAt(day, timezone))
    ? [{ path: 'closes_at', message: 'must be after opens_at' }]
    : [];
}

export async function createDay(work: Work, event: EventRow, body: DayCreate): Promise<Day> {
  const times = { date: body.date, opens_at: body.opens_at ?? null, closes_at: body.closes_at ?? null };
  requireValid(dayFaults(event, times));
  const stamp = await days.begin(work, event);
  const wanted = { given: body.code, name: body.name ?? body.date, fallback: body.date };
  const day = await days.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await days.code(work, event, wanted, null),
    name: body.name ?? body.date,
    ...times,
    capacity: body.capacity ?? null,
  });
  await reachTo(work, event, { days_start_at: day.opens_at, days_end_at: day.closes_at });
  return day;
}

export async function changeDay(work: Work, event: EventRow, found: DayRow, body: DayChange): Promise<Day> {
  const stamp = await days.begin(work, event);
  const before = await days.again(work, event, found.id);
  requireValid(
    dayFaults(event, {
      date: body.date ?? before.date,
      opens_at: body.opens_at === undefined ? before.opens_at : body.opens_at,
      closes_at: body.closes_at === undefined ? before.closes_at : body.closes_at,
    }),
  );
  if (body.code !== undefined) await days.code(work, event, { given: body.code, name: '', fallback: '' }, before.id);
  const day = await days.update(work, event, before, stamp, { ...body });
  await followDays(work, event);
  return day;
}

/** From `at` on, nobody is admitted on this day. */
export async function lockDay(work: Work, event: EventRow, found: DayRow, body: DayLock): Promise<Day> {
  const stamp = await days.begin(work, event);
  const before = await days.again(work, event, found.id);
  return days.update(work, event, before, stamp, { locked_at: body.at ?? work.tx.clock.now() });
}

export async function unlockDay(work: Work, event: EventRow, found: DayRow): Promise<Day> {
  const stamp = await days.begin(work, event);
  const before = await days.again(work, event, found.id);
  if (before.locked_at === null) refuse('invalid_state', { message: `The day ${before.code} is not locked.` });
  return days.update(work, event, before, stamp, { locked_at: null });
}

export async function deleteDay(work: Work, event: EventRow, found: DayRow): Promise<undefined> {
  await days.begin(work, event);
  const day = await days.again(work, event, found.id);
  const used = await usedBy(work, event, day.id);
  if (used.length > 0) {
    refuse('invalid_state', { message: `The day ${day.code} cannot be deleted: ${used.join('; ')}.` });
  }
  await days.remove(work, event, day);
  await followDays(work, event);
  return undefined;
}

async function usedBy({ tx, org }: Work, event: EventRow, day: Id): Promise<string[]> {
  const rows = await tx.all<{ what: string; code: string }>(sql`
    select 'attendee type' as what, code from attendee_types
      where org_id = ${org} and event_id = ${event.id} and ${day} = any(day_ids)
    union all
    select 'check-in point', code from check_in_points
      where org_id = ${org} and event_id = ${event.id} and ${day} = any(day_ids)`);
  const people = await tx.one<{ some: boolean }>(sql`
    select exists (select from attendees where org_id = ${org} and event_id = ${event.id} and ${day} = any(day_ids)) as some`);
  return [
    ...(people.some ? ['people are registered for it'] : []),
    ...rows.map((row) => `the ${row.what} ${row.code} is limited to it`),
  ];
}
