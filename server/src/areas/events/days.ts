import type { Day, DayChange, DayCreate, DayLock } from '@turnout/contract';
import { newId, toUlid } from '../../common/ids.ts';
import { type Fault, refuse, requireValid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { extendEventTimes, updateEventTimes } from './event-times.ts';
import type { EventRow } from './queries.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';
import { dayUsedBy } from './used-by.ts';
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
  usedBy: dayUsedBy,
});

export function dayFaults(
  { timezone }: Pick<EventRow, 'timezone'>,
  day: Pick<DayRow, 'date' | 'opens_at' | 'closes_at'>,
): Fault[] {
  return Date.parse(closesAt(day, timezone)) <= Date.parse(opensAt(day, timezone))
    ? [{ path: 'closes_at', message: 'must be after opens_at' }]
    : [];
}

const orKeep = <T>(sent: T | undefined, kept: T): T => (sent === undefined ? kept : sent);

export const dayRules: PartRule<DayRow, DayCreate | DayChange>[] = [
  {
    of: ['date', 'opens_at', 'closes_at'],
    faults: (event, before, body) => {
      const date = body.date ?? before?.date;
      if (date === undefined) return [];
      const opens_at = orKeep(body.opens_at, before?.opens_at ?? null);
      return dayFaults(event, { date, opens_at, closes_at: orKeep(body.closes_at, before?.closes_at ?? null) });
    },
  },
];

export async function createDay(work: Work, event: EventRow, body: DayCreate): Promise<Day> {
  const times = { date: body.date, opens_at: body.opens_at ?? null, closes_at: body.closes_at ?? null };
  requireValid(dayFaults(event, times));
  const stamp = await days.holdClock(work, event);
  const wanted = { code: body.code, name: body.name ?? body.date, fallback: body.date };
  const day = await days.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await days.code(work, event, wanted, null),
    name: body.name ?? body.date,
    ...times,
    capacity: body.capacity ?? null,
  });
  await extendEventTimes(work, event, { days_start_at: day.opens_at, days_end_at: day.closes_at });
  return day;
}

export async function changeDay(work: Work, event: EventRow, found: DayRow, body: DayChange): Promise<Day> {
  const stamp = await days.holdClock(work, event);
  const before = await days.reread(work, event, found.id);
  requireValid(
    dayFaults(event, {
      date: body.date ?? before.date,
      opens_at: body.opens_at === undefined ? before.opens_at : body.opens_at,
      closes_at: body.closes_at === undefined ? before.closes_at : body.closes_at,
    }),
  );
  await days.requireCode(work, event, before, body.code);
  const day = await days.update(work, event, before, stamp, { ...body });
  await updateEventTimes(work, event);
  return day;
}

/** From `at` on, nobody is admitted on this day. */
export async function lockDay(work: Work, event: EventRow, found: DayRow, body: DayLock): Promise<Day> {
  const stamp = await days.holdClock(work, event);
  const before = await days.reread(work, event, found.id);
  return days.update(work, event, before, stamp, { locked_at: body.at ?? work.tx.clock.now() });
}

export async function unlockDay(work: Work, event: EventRow, found: DayRow): Promise<Day> {
  const stamp = await days.holdClock(work, event);
  const before = await days.reread(work, event, found.id);
  if (before.locked_at === null) refuse('invalid_state', { message: `The day ${before.code} is not locked.` });
  return days.update(work, event, before, stamp, { locked_at: null });
}

export async function deleteDay(work: Work, event: EventRow, found: DayRow): Promise<undefined> {
  const stamp = await days.holdClock(work, event);
  const day = await days.reread(work, event, found.id);
  await days.requireUnused(work, event, day, 'cannot be deleted');
  await days.remove(work, event, day, stamp);
  await updateEventTimes(work, event);
  return undefined;
}
