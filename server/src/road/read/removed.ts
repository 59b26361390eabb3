import type { Id } from '../../common/ids.ts';
import { insertAll } from '../../store/bulk.ts';
import { type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Work } from '../operation.ts';
import type { byChange } from './page.ts';
import type { RemovedRow } from './removed-row.ts';

/** The lists that are read by last change. */
export type ChangedList =
  | 'attendee_types'
  | 'attendees'
  | 'check_in_points'
  | 'contacts'
  | 'days'
  | 'discounts'
  | 'events'
  | 'groups'
  | 'hand_outs'
  | 'payments'
  | 'products'
  | 'questions'
  | 'quotas'
  | 'registrations'
  | 'tickets'
  | 'webhooks';

export interface Removal {
  list: ChangedList;
  id: Id;
  /** A group: callers limited to it saw the object and see it no longer. The organization's id: so did callers without a limit. */
  audience: Id;
  /** The event that the list belongs to. */
  event?: Id;
  /** Only callers who see tests saw it. */
  test?: boolean;
}

const COLUMNS = {
  org_id: 'uuid',
  list: 'text',
  object_id: 'uuid',
  audience: 'uuid',
  event_id: 'uuid',
  test: 'boolean',
  at: 'timestamptz',
};

/**
 * Notes that objects left lists, under the stamp of the change that removed them. If an object leaves the same list once more, only the
 * last time counts: whoever has seen the object since then sees that removal, too.
 */
export function noteRemoved(tx: Tx, org: Id, stamp: string, removals: readonly Removal[]): void {
  const rows = new Map(
    removals.map(({ list, id, audience, event, test }) => [
      `${list} ${id} ${audience}`,
      { org_id: org, list, object_id: id, audience, event_id: event ?? null, test: test ?? false, at: stamp },
    ]),
  );
  insertAll(
    tx,
    'removals',
    COLUMNS,
    [...rows.values()],
    sql`on conflict (org_id, list, object_id, audience) do update set at = excluded.at`,
  );
}

/** Removals are kept for a year. Whoever asks less often has to compare the ids. */
const KEPT_MS = 365 * 24 * 3600_000;
/** Forgets the oldest removals that are over, and says how many. */
export const forgetRemoved = (tx: Tx, most: number): Promise<number> =>
  tx.run(sql`
    delete from removals where (org_id, list, object_id, audience) in (
      select org_id, list, object_id, audience from removals
      where at <= ${new Date(tx.clock.now().getTime() - KEPT_MS)} order by at limit ${most})`);

/** Those who saw an object of a group: callers without a limit, and those limited to the group or one above it. */
export const audiencesOf = (org: Id, path: readonly Id[]): Id[] => [org, ...path];

interface ListOf {
  list: ChangedList;
  event?: Id;
  /** Whoever sees the event sees all of the list. */
  whole?: boolean;
  /**
   * Whether a caller limited to a group sees the object that `x.object_id` names, whatever the caller chooses from the list. Left out
   * where what was removed never comes back.
   */
  shown?: Sql;
}

/**
 * The rows of a page together with what was removed in the same stretch of time, if the caller asks for it with `include=removed`. Rows of
 * removed objects pass for rows of the list; only cut-page.ts, which makes the page, tells them apart.
 *
 * What has come back is not removed any more. Not everything that comes back has a new stamp: a group that is moved brings its events
 * along as they are, so their removal would come last, and a copy would lose them.
 */
export async function withRemoved<Row extends { id: string; updated_at: string }>(
  { tx, org, caller, mode }: Pick<Work, 'tx' | 'org' | 'caller' | 'mode'>,
  changes: Pick<ReturnType<typeof byChange>, 'removed' | 'from' | 'newest' | 'read'>,
  { list, event, whole = false, shown }: ListOf,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (!changes.removed) return rows;
  const { where, order } = changes.from('r');
  // Not prepared: the parameters of a list would make too many statements of it.
  const removed = await tx.all<Row & RemovedRow>(
    unprepared(sql`
    select r.id, r.updated_at, true as removed from (
      select x.object_id as id, x.at as updated_at from removals x
      where x.org_id = ${org} and x.list = ${list} and x.audience = ${whole ? org : (caller.group?.id ?? org)}
        and ${event === undefined ? sql`x.event_id is null` : sql`x.event_id = ${event}`}
        and ${mode === 'live' ? sql`not x.test` : sql`true`}
        and ${shown === undefined || caller.group === null ? sql`true` : sql`(${shown}) is not true`}) r
    where ${where} ${order}`),
  );
  const sign = changes.newest ? -1 : 1;
  return [...rows, ...removed].sort((a, b) => sign * inOrder(a, b)).slice(0, changes.read);
}

/** By time, then by id, as PostgreSQL orders them. Times have up to six decimals, without zeros at the end. */
function inOrder(a: { id: string; updated_at: string }, b: { id: string; updated_at: string }): number {
  const [x, y] = [`${a.updated_at.slice(0, -1)} ${a.id}`, `${b.updated_at.slice(0, -1)} ${b.id}`];
  return x < y ? -1 : Number(x > y);
}
