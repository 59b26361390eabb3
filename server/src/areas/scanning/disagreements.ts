import type { BatchScan, Disagreement } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { newestRecorded, type Paging } from '../../road/read/page.ts';
import { insertAll } from '../../store/bulk.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import { eventGroup, inSubtree, limitOf } from '../groups/index.ts';
import { CHECK_IN_SELECTED, visible, worldFor } from './checkins.ts';
import { type CheckInRow, checkInShape, isSkewed } from './record.ts';

/**
 * Offline scans whose result at the door differs from the server's. The check-in of a ticket holds both results. A code that
 * the server does not know has no check-in, but somebody may have been let in with it all the same, so that scan is kept here
 * as a row of `unknown_scans`, without its code.
 */
export interface UnknownScan {
  id: Id;
  event_id: Id;
  check_in_point_id: Id;
  scanned_at: string;
  recorded_at: string;
  client_uuid: string;
  test: boolean;
  skewed: boolean;
  offline_result: string;
  actor_kind: string;
  actor_id: Id | null;
  actor_name: string;
}

const COLUMNS = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  check_in_point_id: 'uuid',
  scanned_at: 'timestamptz',
  recorded_at: 'timestamptz',
  client_uuid: 'uuid',
  test: 'boolean',
  skewed: 'boolean',
  offline_result: 'text',
  actor_kind: 'text',
  actor_id: 'uuid',
  actor_name: 'text',
} as const;

/** The row to keep about a scan of an unknown code: none, unless the door told the person another result than `unknown`. */
export function unknownScan(
  { caller, tx }: Work,
  about: {
    event: Id;
    point: Id;
    scan: BatchScan;
    scanned_at: string;
    offline_result: string | undefined;
    test: boolean;
    stamp: string;
  },
): UnknownScan[] {
  const { offline_result, scanned_at } = about;
  if (offline_result === undefined || offline_result === 'unknown') return [];
  const now = tx.clock.now();
  const row = {
    id: newId(now),
    event_id: about.event,
    check_in_point_id: about.point,
    scanned_at,
    recorded_at: about.stamp,
    client_uuid: about.scan.client_uuid,
    test: about.test,
    skewed: isSkewed(new Date(scanned_at), now),
    offline_result,
    actor_kind: caller.actor.kind,
    actor_id: caller.actor.id,
    actor_name: caller.actor.name,
  };
  return [row];
}

/** A scan that is sent again does not add a second row. */
export const keepUnknown = (tx: Tx, org: Id, rows: readonly UnknownScan[]): void =>
  insertAll(
    tx,
    'unknown_scans',
    COLUMNS,
    rows.map((row) => ({ org_id: org, ...row })),
    sql`on conflict (org_id, event_id, client_uuid, test) do nothing`,
  );

/** Adds what the door told the person to check-ins that were recorded without it. A value that is there already stays. */
export function keepOfflineResults(tx: Tx, org: Id, rows: readonly { id: Id; offline_result: string }[]): void {
  if (rows.length === 0) return;
  tx.send(sql`
    update checkins c set offline_result = t.said
    from unnest(${rows.map((one) => one.id)}::uuid[], ${rows.map((one) => one.offline_result)}::text[]) as t(id, said)
    where c.org_id = ${org} and c.id = t.id and c.offline_result is null`);
}

/** The columns of a check-in, made from a row of `unknown_scans`: it names no attendee and no ticket. */
const AS_CHECK_IN = sql`c.id, c.event_id, null::uuid as attendee_id, null::uuid as ticket_id, c.check_in_point_id, '' as kind,
  null::uuid as day_id, null::uuid as group_id, 'unknown' as result, false as admitted, 'code_unknown' as reason, c.scanned_at,
  c.recorded_at, c.client_uuid, c.test, c.skewed, c.offline_result, c.actor_kind, c.actor_id, c.actor_name,
  null::uuid as device_id, null as device_name, null::uuid as override_of, null as override_reason, null::timestamptz as undone_at`;

type Row = Omit<CheckInRow, 'attendee_id' | 'ticket_id'> & { attendee_id: Id | null; ticket_id: Id | null };

export async function listDisagreements(work: Work, event: EventRow, query: Paging) {
  const list = newestRecorded(['disagreements', event.id, work.mode], query, 'c');
  const page = (columns: Sql, table: Sql, which: Sql): Sql => sql`
    (select ${columns} from ${table} c
      where c.org_id = ${work.org} and c.event_id = ${event.id} and ${every([which, list.where])} ${list.order})`;
  const rows = await work.tx.all<Row>(sql`
    select * from (
      ${page(CHECK_IN_SELECTED, sql`checkins`, every([visible(work, event), DIFFER]))}
      union all
      ${page(AS_CHECK_IN, sql`unknown_scans`, every([sql`c.test = ${work.mode === 'test'}`, eventInReach(work, event)]))}) c
    ${list.order}`);
  const world = await worldFor(work, event);
  return list.page(rows, (row): Disagreement => checkInShape(world, row));
}

const DIFFER = sql`c.offline_result is not null and c.offline_result is distinct from c.result`;

/** A scan of an unknown code belongs to no attendee, so the event's group decides who sees it. */
const eventInReach = ({ caller }: Work, event: EventRow): Sql | false =>
  caller.group !== null && inSubtree(limitOf(caller), eventGroup(event));
