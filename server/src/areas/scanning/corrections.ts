import { dayForOverride, type PointKind, SUCCESS_OF } from '@turnout/checkin';
import type { CheckIn } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
import { stampEvent, unsettle } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, eventById, stampAnswers } from '../events/index.ts';
import { aCheckIn, worldFor } from './checkins.ts';
import { type CheckInRow, checkInShape, OVERRIDE_COLUMNS } from './record.ts';
import { deleteAnswers } from './scan-answers.ts';
import { atDevice, deciderOf, deviceObject } from './unlock.ts';

/** The same check-in, looked up with the reach of somebody else. */
const seenBy = (found: CheckInRow) => (reach: Work) => aCheckIn.find(reach, toUlid(found.id), {});

/** A member's decision to admit somebody who was refused: the refused row stays, and an admitted one is written beside it. */
export async function override(work: Work, found: CheckInRow, reason: string): Promise<CheckIn> {
  const { tx, org } = work;
  const { by, device } = await deciderOf(work, seenBy(found));
  const stamp = await stampEvent(tx, org, found.event_id);
  const event = (await eventById(tx, org, found.event_id)) ?? refuse('not_found');
  if (event.status === 'archived')
    refuse('invalid_state', { message: 'The event is archived, so nobody can be admitted. Close the event first.' });
  if (found.admitted)
    refuse('invalid_state', { message: 'This check-in was admitted, so there is no refusal to override.' });
  const done = await tx.maybe(sql`
    select 1 from checkins where org_id = ${org} and event_id = ${found.event_id} and override_of = ${found.id} and undone_at is null
      and attendee_id = ${found.attendee_id}`);
  if (done !== null) refuse('invalid_state', { message: 'This refusal has already been overridden.' });
  const world = await worldFor(work, event);
  const days = await tx.one<{ day_ids: Id[] }>(
    sql`select day_ids from attendees where org_id = ${org} and id = ${found.attendee_id}`,
  );
  const row: CheckInRow = {
    ...found,
    id: newId(tx.clock.now()),
    result: SUCCESS_OF[found.kind as PointKind],
    admitted: true,
    reason: null,
    // Without a day, somebody let in before opening would be admitted a second time after opening.
    day_id:
      found.day_id ??
      dayForOverride(world.prepared, found.check_in_point_id, Date.parse(found.scanned_at), days.day_ids),
    recorded_at: stamp,
    client_uuid: null,
    offline_result: null,
    actor_kind: by.kind,
    actor_id: by.id,
    actor_name: by.name,
    device_id: device?.id ?? null,
    device_name: device?.name ?? null,
    override_of: found.id,
    override_reason: reason,
    undone_at: null,
  };
  insertAll(tx, 'checkins', OVERRIDE_COLUMNS, [{ org_id: org, ...row }]);
  await touchAttendee(work, event, row, stamp);
  const shape = checkInShape(world, row);
  for (const type of ['checkin.recorded', 'checkin.overridden'] as const) {
    work.raise({ type, event: event.id, group: row.group_id ?? event.group_id, livemode: !row.test, data: shape });
  }
  work.changed({
    kind: 'checkin',
    id: row.id,
    event: event.id,
    group: row.group_id,
    by,
    details: { override_of: toUlid(found.id), reason, result: row.result, ...atDevice(device) },
    objects: [
      ...deviceObject(device),
      { kind: 'checkin', id: found.id },
      { kind: 'attendee', id: row.attendee_id },
      { kind: 'ticket', id: row.ticket_id },
    ],
  });
  return shape;
}

/** Takes an admission back. The row stays with `undone_at`, and no decision counts it any more. */
export async function undo(work: Work, found: CheckInRow, reason: string | undefined): Promise<CheckIn> {
  const { tx, org } = work;
  const { by, device } = await deciderOf(work, seenBy(found));
  const stamp = await stampEvent(tx, org, found.event_id);
  const event = (await eventById(tx, org, found.event_id)) ?? refuse('not_found');
  const undone = await tx.maybe<{ undone_at: string }>(sql`
    update checkins set undone_at = ${tx.clock.now()} where org_id = ${org} and id = ${found.id} and undone_at is null and admitted
    returning undone_at`);
  if (undone === null)
    refuse('invalid_state', {
      message: found.admitted
        ? 'This check-in has already been undone.'
        : 'This check-in was refused, so there is no admission to undo.',
    });
  unsettle(tx, org, found.event_id);
  const row = { ...found, undone_at: undone!.undone_at };
  await touchAttendee(work, event, row, stamp);
  const shape = checkInShape(await worldFor(work, event), row);
  work.raise({
    type: 'checkin.undone',
    event: event.id,
    group: row.group_id ?? event.group_id,
    livemode: !row.test,
    data: shape,
  });
  work.changed({
    kind: 'checkin',
    id: row.id,
    event: event.id,
    group: row.group_id,
    by,
    changes: { undone_at: [null, row.undone_at] },
    ...((device !== null || reason !== undefined) && {
      details: { ...(reason !== undefined && { reason }), ...atDevice(device) },
    }),
    objects: [
      ...deviceObject(device),
      { kind: 'attendee', id: row.attendee_id },
      { kind: 'ticket', id: row.ticket_id },
    ],
  });
  return shape;
}

/** An attendee is checked in from the first entry that was admitted and not undone. */
async function touchAttendee({ tx, org }: Work, event: EventRow, row: CheckInRow, stamp: string): Promise<void> {
  if (row.test && !event.test) return;
  await tx.run(sql`
    update attendees set updated_at = ${stamp}, checked_in_at = (
      select min(c.recorded_at) from checkins c where c.org_id = ${org} and c.attendee_id = ${row.attendee_id} and c.test = ${row.test}
        and c.admitted and c.undone_at is null and c.kind = 'entry')
    where org_id = ${org} and id = ${row.attendee_id}`);
  stampAnswers(tx, org, event.id, stamp);
}

/** Deletes an event's test check-ins and the stored answers of its test scans, so that the next test starts afresh. */
export async function clearTests(work: Work, event: EventRow): Promise<undefined> {
  const { tx, org } = work;
  const stamp = await stampEvent(tx, org, event.id);
  // The stamp brings these attendees to scanners in test mode with their next `since`.
  await tx.run(sql`
    update attendees set updated_at = ${stamp}${event.test ? sql`, checked_in_at = null` : sql``} where org_id = ${org} and id in (
      select attendee_id from checkins where org_id = ${org} and event_id = ${event.id} and test and admitted)`);
  stampAnswers(tx, org, event.id, stamp);
  const cleared = await deleteCheckIns(tx, org, event.id, 'tests');
  work.changed({ kind: 'event', id: event.id, event: event.id, group: event.group_id, details: { cleared } });
  return undefined;
}

/**
 * Deletes the check-ins of an event, its scans of unknown codes and the stored answers; gives the number of check-ins. The
 * caller holds the event's clock.
 */
export async function deleteCheckIns(tx: Tx, org: Id, event: Id, which: 'all' | 'tests' = 'all'): Promise<number> {
  const tests = which === 'tests' ? sql`test` : sql`true`;
  await deleteAnswers(tx, org, which === 'tests' ? sql`s.event_id = ${event} and s.test` : sql`s.event_id = ${event}`);
  await tx.run(sql`delete from unknown_scans where org_id = ${org} and event_id = ${event} and ${tests}`);
  unsettle(tx, org, event);
  return tx.run(sql`delete from checkins where org_id = ${org} and event_id = ${event} and ${tests}`);
}
