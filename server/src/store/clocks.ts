import type { Id } from './ids.ts';
import { type Sql, sql } from './sql.ts';
import type { Tx } from './tx.ts';

/**
 * Changes that can't be lost (docs/internals/architecture.md). Every transaction that changes rows a list shows first moves the clock row
 * of its event (or, for groups, events and contacts, of its organization) and stamps its rows with it. The row stays locked
 * until the commit, so stamps become visible in their own order: whoever has seen stamp T has seen everything before T.
 * `now()` in place of it loses changes: test/changes.test.ts shows it.
 *
 * Lock order everywhere: idempotency claims → event clocks (sorted) → places → contacts → registrations → attendees → zones;
 * the organization clock comes after event clocks.
 */
export async function stampEvent(tx: Tx, org: Id, event: Id | Sql): Promise<string> {
  return (await stampCounted(tx, org, event)).at;
}

/**
 * The same, for work that keeps the event's counts (areas/registrations/counts.ts), and whether they were kept until now. A process
 * of a build that keeps none moves `at` alone; from then on they are not, until somebody counts again.
 */
export async function stampCounted(tx: Tx, org: Id, event: Id | Sql): Promise<{ at: string; counted: boolean }> {
  const now = tx.clock.now();
  const row = await tx.maybe<{ at: string; counted: boolean }>(sql`
    update event_clocks set at = greatest(${now}::timestamptz, at + interval '1 microsecond'),
      counted_at = case when counted_at = at then greatest(${now}::timestamptz, at + interval '1 microsecond') end
    where org_id = ${org} and event_id = ${event}
    returning at, counted_at is not null as counted`);
  if (row === null) throw new Vanished('the event was deleted meanwhile');
  return row;
}

/** Under the clock: check-ins of before count otherwise from now on. */
export const unsettle = (tx: Tx, org: Id, event: Id): void =>
  tx.send(sql`update event_clocks set unsettled_at = at where org_id = ${org} and event_id = ${event}`);

/** What was found a moment ago is gone: answered as not found. */
export class Vanished extends Error {}

export async function stampOrganization(tx: Tx, org: Id): Promise<string> {
  const row = await tx.one<{ at: string }>(sql`
    update org_clocks set at = greatest(${tx.clock.now()}::timestamptz, at + interval '1 microsecond')
    where org_id = ${org}
    returning at`);
  return row.at;
}

/** The same, for an erasure: whoever has read people before, and stores what it read after, asks whether there was one. */
export async function stampErasure(tx: Tx, org: Id): Promise<string> {
  const row = await tx.one<{ at: string }>(sql`
    update org_clocks set at = greatest(${tx.clock.now()}::timestamptz, at + interval '1 microsecond'), erasures = erasures + 1
    where org_id = ${org}
    returning at`);
  return row.at;
}

/** Run again from the beginning, as after a deadlock (tx.ts). */
export class Again extends Error {
  readonly code = '40001';
}

/**
 * For work that makes copies of people without holding their event's clock: if somebody was erased between its reading and its
 * end, it is run again and reads what is left. An erasure that comes later waits for its commit, and finds the copies.
 */
export async function apartFromErasures<T>(tx: Tx, org: Id, work: () => Promise<T>): Promise<T> {
  const before = await erasuresSeen(tx, org, false);
  const result = await work();
  if ((await erasuresSeen(tx, org, true)) !== before) throw new Again('somebody was erased meanwhile');
  return result;
}

/** How many erasures the organization has seen. Held: no other one commits before this transaction does. */
export async function erasuresSeen(tx: Tx, org: Id, held: boolean): Promise<number> {
  const { erasures } = await tx.one<{ erasures: number }>(
    held
      ? sql`select erasures from org_clocks where org_id = ${org} for share`
      : sql`select erasures from org_clocks where org_id = ${org}`,
  );
  return erasures;
}
