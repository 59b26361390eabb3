import type { Id } from '../common/ids.ts';
import { type Sql, sql } from './sql.ts';
import type { Tx } from './tx.ts';

/**
 * Moves the clock of an event and returns the new stamp. A transaction that changes rows of a list does this first, and writes
 * the stamp to `updated_at` of every row that it changes. (Groups, events, contacts and webhook endpoints are stamped by the clock
 * of their organization.) The clock row stays locked until the commit, so stamps become visible in their own order: a client that
 * has seen stamp T has seen every change before T. Stamping with `now()` loses changes; test/changes.test.ts shows it.
 * See "Changes that cannot be lost" in docs/internals/architecture.md.
 *
 * Locks are taken in this order everywhere: idempotency claims → event clocks (sorted) → places → contacts → registrations →
 * attendees → zones; the clock of the organization after those of events.
 */
export async function stampEvent(tx: Tx, org: Id, event: Id | Sql): Promise<string> {
  return (await stampCounted(tx, org, event)).at;
}

/**
 * As `stampEvent`, for work that also updates the event's counts (areas/registrations/counts.ts). `counted` says whether the
 * counts were complete until now. A process of an older build, which knows no counts, moves `at` without `counted_at`; from then
 * on the counts are incomplete until the event is counted again.
 */
export async function stampCounted(tx: Tx, org: Id, event: Id | Sql): Promise<{ at: string; counted: boolean }> {
  const now = tx.clock.now();
  const row = await tx.maybe<{ at: string; counted: boolean }>(sql`
    update event_clocks set at = greatest(${now}::timestamptz, at + interval '1 microsecond'),
      counted_at = case when counted_at = at then greatest(${now}::timestamptz, at + interval '1 microsecond') end
    where org_id = ${org} and event_id = ${event}
    returning at, counted_at is not null as counted`);
  if (row === null) throw new Vanished('the event was deleted in the meantime');
  return row;
}

/**
 * Notes that check-ins from before this stamp count differently from now on, so that whoever counts them starts over
 * (areas/registrations/checked-in.ts). The caller holds the event's clock.
 */
export const unsettle = (tx: Tx, org: Id, event: Id): void =>
  tx.send(sql`update event_clocks set unsettled_at = at where org_id = ${org} and event_id = ${event}`);

/** Something that was found a moment ago has been deleted. The road answers 404. */
export class Vanished extends Error {}

export async function stampOrganization(tx: Tx, org: Id): Promise<string> {
  const row = await tx.one<{ at: string }>(sql`
    update org_clocks set at = greatest(${tx.clock.now()}::timestamptz, at + interval '1 microsecond')
    where org_id = ${org}
    returning at`);
  return row.at;
}

/** As `stampOrganization`, and counts an erasure for `apartFromErasures`. */
export async function stampErasure(tx: Tx, org: Id): Promise<string> {
  const row = await tx.one<{ at: string }>(sql`
    update org_clocks set at = greatest(${tx.clock.now()}::timestamptz, at + interval '1 microsecond'), erasures = erasures + 1
    where org_id = ${org}
    returning at`);
  return row.at;
}

/** Thrown by work that has to be run again from the beginning. `transaction` retries it like a deadlock. */
export class Again extends Error {
  readonly code = '40001';
}

/**
 * For work that stores copies of people (mails, recipients) without holding their event's clock. If somebody is erased between the
 * start of the work and its end, the work is run again and no longer reads that person. An erasure that comes later waits for
 * the commit of this transaction, and then finds the copies and erases them, too.
 */
export async function apartFromErasures<T>(tx: Tx, org: Id, work: () => Promise<T>): Promise<T> {
  const before = await erasuresSeen(tx, org, false);
  const result = await work();
  if ((await erasuresSeen(tx, org, true)) !== before) throw new Again('somebody was erased in the meantime');
  return result;
}

/** How many people of the organization were erased so far. With `held`, no other erasure commits before this transaction does. */
export async function erasuresSeen(tx: Tx, org: Id, held: boolean): Promise<number> {
  const { erasures } = await tx.one<{ erasures: number }>(
    held
      ? sql`select erasures from org_clocks where org_id = ${org} for share`
      : sql`select erasures from org_clocks where org_id = ${org}`,
  );
  return erasures;
}
