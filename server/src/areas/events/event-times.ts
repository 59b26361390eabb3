import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, eventById } from './queries.ts';
import { closesAt, opensAt } from './zone.ts';

/**
 * Where nobody has set when an event starts and ends, its days decide: from the first opening to the last closing. These times
 * are stored with the event, because every scan and every registration reads them, and because PostgreSQL cannot compute them:
 * the default times of a day follow from the time zone rules that Node has, and PostgreSQL's may differ.
 */
interface DayTimes {
  days_start_at: string | null;
  days_end_at: string | null;
}

export async function timesOfDays({ tx, org }: Work, event: Id, timezone: string): Promise<DayTimes> {
  const rows = await tx.all<{ date: string; opens_at: string | null; closes_at: string | null }>(
    sql`select date, opens_at, closes_at from days where org_id = ${org} and event_id = ${event}`,
  );
  return {
    days_start_at: earliest(rows.map((day) => opensAt(day, timezone))),
    days_end_at: latest(rows.map((day) => closesAt(day, timezone))),
  };
}

const inOrder = (times: readonly (string | null)[]): string[] =>
  times.filter((time) => time !== null).sort((a, b) => Date.parse(a) - Date.parse(b));
const earliest = (times: readonly (string | null)[]): string | null => inOrder(times)[0] ?? null;
const latest = (times: readonly (string | null)[]): string | null => inOrder(times).at(-1) ?? null;

/** After days were changed or deleted. The caller holds the event's clock. */
export async function updateEventTimes(work: Work, event: EventRow): Promise<void> {
  await writeTimes(work, event, await timesOfDays(work, event.id, event.timezone));
}

/** After a day was added. A new day can only extend the times, so the other days are not read: a template adds hundreds. */
export async function extendEventTimes(work: Work, event: EventRow, day: DayTimes): Promise<void> {
  const before = await work.tx.one<DayTimes>(
    sql`select days_start_at, days_end_at from events where org_id = ${work.org} and id = ${event.id}`,
  );
  await writeTimes(work, event, {
    days_start_at: earliest([before.days_start_at, day.days_start_at]),
    days_end_at: latest([before.days_end_at, day.days_end_at]),
  });
}

async function writeTimes(work: Work, { id }: EventRow, { days_start_at, days_end_at }: DayTimes): Promise<void> {
  const { tx, org } = work;
  const before = await eventById(tx, org, id);
  const changed = await tx.run(sql`
    update events set days_start_at = ${days_start_at}, days_end_at = ${days_end_at}
    where org_id = ${org} and id = ${id}
      and (days_start_at, days_end_at) is distinct from (${days_start_at}::timestamptz, ${days_end_at}::timestamptz)`);
  if (changed === 0) return;
  const after = await eventById(tx, org, id);
  if (before?.starts_at === after?.starts_at && before?.ends_at === after?.ends_at) return;
  await tx.run(sql`update events set updated_at = ${await stampOnce(tx, org)} where org_id = ${org} and id = ${id}`);
}

/** Moves the organization's clock once per transaction, however many days a template adds. */
const stamped = new WeakMap<Tx, Promise<string>>();
function stampOnce(tx: Tx, org: Id): Promise<string> {
  const known = stamped.get(tx) ?? stampOrganization(tx, org);
  stamped.set(tx, known);
  return known;
}
