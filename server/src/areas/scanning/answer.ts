import { messageFor, type PersonDecision } from '@turnout/checkin';
import { type CheckIn, pickFields, type ScanResponse } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import { iso } from '../../store/stamps.ts';
import { type UnknownScan, unknownScan } from './disagreements.ts';
import { DOOR_TEXTS, type DoorPerson, type DoorTicket } from './door.ts';
import type { Judged } from './judge.ts';
import { type CheckInRow, checkInShape, isSkewed } from './record.ts';
import type { ScanWorld } from './world.ts';

/** The rows that scans leave behind, collected so that a whole batch is written at once. */
export interface ScanRows {
  checkIns: CheckInRow[];
  unknown: UnknownScan[];
}

/** Adds the rows of one scan to `rows`, raises its webhooks, writes its audit entry, and makes its answer. */
export function answerScan(
  world: ScanWorld,
  judged: Judged,
  test: boolean,
  stamp: string,
  rows: ScanRows,
): ScanResponse {
  const { at, scanned_at, point, ticket, decision, offline_result } = judged;
  const { work, scan } = judged.scanCall;
  const own = checkInRows(world, judged, test, stamp);
  rows.checkIns.push(...own);
  if (ticket === null) {
    rows.unknown.push(
      ...unknownScan(work, { event: world.event.id, point: point.id, scan, scanned_at, offline_result, test, stamp }),
    );
  }
  const checkins = own.map((row) => checkInShape(world, row));
  announce(work, world, own, checkins);
  const people = decision.people.map((one) => personShape(world, personOf(ticket!, one), one));
  return {
    result: decision.result,
    admitted: decision.admitted,
    reason: decision.reason,
    message: messageFor(decision, { world: world.prepared, at: at.getTime() }),
    person: people.length === 1 ? people[0]! : null,
    people,
    ticket: ticket && ticketShape(world, ticket),
    checkins,
    test,
    scanned_at,
  };
}

function checkInRows(world: ScanWorld, judged: Judged, test: boolean, stamp: string): CheckInRow[] {
  const { now, at, scanned_at, point, ticket, decision, offline_result } = judged;
  const { work, scan } = judged.scanCall;
  const { actor } = work.caller;
  return decision.people.map((one) => ({
    id: newId(now),
    event_id: world.event.id,
    attendee_id: one.person,
    ticket_id: ticket!.id,
    check_in_point_id: point.id,
    kind: point.kind,
    day_id: one.day,
    group_id: personOf(ticket!, one).group_id,
    result: one.result,
    admitted: one.admitted,
    reason: one.reason,
    scanned_at,
    recorded_at: stamp,
    client_uuid: scan.client_uuid,
    test,
    skewed: isSkewed(at, now),
    offline_result: offline_result ?? null,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    override_of: null,
    override_reason: null,
    undone_at: null,
  }));
}

/** Raises `checkin.recorded` for every row, also for refusals, and writes one audit entry for the scan. */
function announce(work: Work, world: ScanWorld, rows: readonly CheckInRow[], checkins: readonly CheckIn[]): void {
  const event = world.event.id;
  for (const [i, row] of rows.entries()) {
    work.raise({
      type: 'checkin.recorded',
      event,
      group: row.group_id ?? world.event.group_id,
      livemode: !row.test,
      data: checkins[i],
    });
  }
  const [first] = rows;
  // The entry about a ticket that people of several groups share belongs to no group: none of them may read how the others fared.
  const several = rows.some((row) => row.group_id !== first!.group_id);
  work.changed({
    kind: 'checkin',
    id: first?.id ?? null,
    event,
    group: several ? null : (first?.group_id ?? world.event.group_id),
    ...(rows.length > 1
      ? {
          details: { result: rows.map((row) => row.result).join(', ') },
          objects: rows.flatMap(({ id, attendee_id }) => [
            { kind: 'checkin', id },
            { kind: 'attendee', id: attendee_id },
          ]),
        }
      : { changes: changesTo(first?.result ?? 'unknown') }),
  });
}

/** One object per result, so that a batch sends each of them to the database only once (`apart` in store/bulk.ts). */
const changesByResult = new Map<string, { result: string }>();
function changesTo(result: string): { result: string } {
  const changes = changesByResult.get(result) ?? { result };
  changesByResult.set(result, changes);
  return changes;
}

const personOf = (ticket: DoorTicket, one: PersonDecision): DoorPerson =>
  ticket.people.find((person) => person.id === one.person)!;

const personShape = (world: ScanWorld, person: DoorPerson, one: PersonDecision) => ({
  id: toUlid(person.id),
  ...pickFields(DOOR_TEXTS, person),
  attendee_type: world.types.get(person.attendee_type_id)!.code,
  group: person.group_id === null ? null : (world.groups.get(person.group_id)?.code ?? null),
  result: one.result,
  reason: one.reason,
  admitted: one.admitted,
  first_admission: one.first_admission && {
    at: iso(new Date(one.first_admission.at)),
    check_in_point: world.points.get(one.first_admission.check_in_point as Id)?.code ?? '',
    day: one.first_admission.day === null ? null : (world.days.get(one.first_admission.day as Id)?.code ?? null),
  },
});

function ticketShape(world: ScanWorld, ticket: DoorTicket) {
  const ids = ticket.day_ids ?? [...new Set(ticket.people.flatMap((person) => person.day_ids))];
  const rows = ids.map((id) => world.days.get(id)!).filter(Boolean);
  return {
    id: toUlid(ticket.id),
    status: ticket.status,
    registration_id: toUlid(ticket.registration_id),
    days: rows.sort((a, b) => (a.date + a.code < b.date + b.code ? -1 : 1)).map((day) => day.code),
  };
}
