import { type Decision, decide, messageFor, type PersonDecision, ticketCode } from '@turnout/checkin';
import type { BatchScan, CheckIn, ScanResponse } from '@turnout/contract';
import { textOf } from '../../road/answer.ts';
import { NOTHING } from '../../road/audited.ts';
import type { Work } from '../../road/operation.ts';
import { Refusal } from '../../road/refusal.ts';
import { sha256 } from '../../sha256.ts';
import { insertAll, onePlan, texts } from '../../store/bulk.ts';
import { stampEvent } from '../../store/clocks.ts';
import { type Id, newId, parseRef, toUlid, toUuid } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { type CheckInPointRow, type EventRow, eventById } from '../events/index.ts';
import { keepOfflineResults, keepUnknown, type UnknownScan, unknownScan } from './disagreements.ts';
import { Door, type DoorPerson, type DoorTicket, readTickets, type Seen } from './door.ts';
import { CHECK_IN_COLUMNS, type CheckInRow, checkInShape, isSkewed } from './record.ts';
import { type ScanWorld, scanWorldOf } from './world.ts';

/** A scan that passed its schema, with whoever made it. */
export interface Asked {
  work: Work;
  scan: BatchScan;
}

/** What scans of one event and mode look at, from after the wait for the event's clock. */
export interface Reads {
  stamp: string;
  event: EventRow | null;
  version: number;
  repeats: Map<string, Repeat>;
  seen: Seen;
}

/**
 * One packet. First the event's clock: nobody else admits in this event until we commit, on any process. What is sent behind
 * it are statements of their own, so they read from after the wait for it.
 */
export async function readForScans(
  { tx, org }: Pick<Work, 'tx' | 'org'>,
  id: Sql,
  test: boolean,
  scans: readonly BatchScan[],
): Promise<Reads> {
  onePlan(tx);
  // A statement of its own would be one more wait: whether it is a test event is asked where it matters.
  const tests = test ? sql`true` : sql`(select of.test from events of where of.org_id = ${org} and of.id = ${id})`;
  const [stamp, event, { version }, repeats, seen] = await Promise.all([
    stampEvent(tx, org, id),
    eventById(tx, org, id),
    tx.one<{ version: number }>(sql`select groups_version as version from organizations where id = ${org}`),
    stored(
      tx,
      org,
      id,
      tests,
      scans.map((scan) => scan.client_uuid),
    ),
    readTickets(tx, org, id, tests, [...new Set(scans.map(codeOf))]),
  ]);
  return { stamp, event, version, repeats, seen };
}

/** Why nobody is scanned in this event at all; null: scans are taken. */
export function shutRefusal(event: EventRow | null): Refusal | null {
  if (event === null) return new Refusal('not_found');
  return event.status === 'archived'
    ? new Refusal('invalid_state', { message: 'The event is archived; nobody is scanned any more.' })
    : null;
}

/**
 * Scans of one event and mode, in the order given: lock, look for repeats, decide, write, raise. The single scan, the batch
 * and many devices at once are this function. One outcome each; a refused one has written nothing.
 */
export async function scanAll(
  { stamp, event, version, repeats, seen }: Reads,
  test: boolean,
  asked: readonly Asked[],
): Promise<(ScanResponse | Refusal)[]> {
  const { tx, org } = asked[0]!.work;
  const shut = shutRefusal(event);
  if (event === null || shut !== null) return asked.map(() => shut!);
  const world = await scanWorldOf(tx, org, event, version);
  const door = new Door(tx, org, world, test, seen);
  await door.readZones(zonesOf(world, asked));

  const fresh = new Map<string, Judged>();
  const entered: Entered = new Map();
  const judged = asked.map((one): Judged | Repeat | Refusal => {
    const print = fingerprintOf(world, one.scan);
    const uuid = one.scan.client_uuid.toLowerCase();
    const before = repeats.get(uuid) ?? fresh.get(uuid);
    if (before !== undefined) {
      one.work.changed(NOTHING);
      if (before.fingerprint !== print) return new Refusal('client_uuid_reused');
      before.offline_result ??= one.scan.offline_result;
      return before;
    }
    const outcome = judge(door, one, print, entered);
    if (!(outcome instanceof Refusal)) fresh.set(uuid, outcome);
    return outcome;
  });
  // A quarter of the database's work: it is at it while the rest is written here.
  writePeople(asked[0]!.work, stamp, entered);
  await tx.flush();
  const rows: CheckInRow[] = [];
  const unknown: UnknownScan[] = [];
  for (const one of fresh.values()) one.answer = write(world, one, test, stamp, rows, unknown);
  insertAll(
    tx,
    'checkins',
    CHECK_IN_COLUMNS,
    rows.map((row) => ({ org_id: org, ...row })),
  );
  keepUnknown(tx, org, unknown);
  hearLater(asked, judged, world, test, stamp);
  await tx.flush();
  writeAnswers(asked[0]!.work, event.id, test, [...fresh.values()]);
  return judged.map((one) => (one instanceof Refusal ? one : one.answer!));
}

interface Repeat {
  /** In hex. */
  fingerprint: string;
  answer: ScanResponse;
  /** What the door told the person, as a repeat tells it. */
  offline_result?: string | undefined;
}

/** Of the same mode: a live scan that repeats the `client_uuid` of a test scan is a scan of its own. */
async function stored(tx: Tx, org: Id, event: Sql, test: Sql, uuids: readonly string[]): Promise<Map<string, Repeat>> {
  const rows = await tx.all<{ client_uuid: string; fingerprint: string; answer: string }>(sql`
    select client_uuid, encode(fingerprint, 'hex') as fingerprint, answer from scans
    where org_id = ${org} and event_id = ${event} and client_uuid = any(${uuids}::uuid[]) and test = ${test}`);
  return new Map(
    rows.map(({ client_uuid, fingerprint, answer }) => [client_uuid, { fingerprint, answer: JSON.parse(answer) }]),
  );
}

const codeOf = (scan: BatchScan): string => ticketCode(scan.code);
const fingerprintOf = (world: ScanWorld, scan: BatchScan): string =>
  sha256(`${codeOf(scan)}\n${pointOf(world, scan.check_in_point)?.id ?? scan.check_in_point}`);

function zonesOf(world: ScanWorld, asked: readonly Asked[]): Id[] {
  const points = asked.map((one) => pointOf(world, one.scan.check_in_point));
  return [
    ...new Set(points.filter((point) => point?.kind === 'zone' && point.capacity !== null).map((point) => point!.id)),
  ];
}

const pointOf = (world: ScanWorld, ref: string): CheckInPointRow | null => {
  const { id, code } = parseRef(ref);
  return world.pointByRef.get(id ?? code!.toLowerCase()) ?? null;
};

/** Attendees who were admitted: touched, and checked in from now on if at an entry. */
type Entered = Map<Id, boolean>;

/** What was decided of a scan. */
interface Judged {
  asked: Asked;
  /** In hex. */
  fingerprint: string;
  now: Date;
  at: Date;
  point: CheckInPointRow;
  ticket: DoorTicket | null;
  decision: Decision;
  offline_result?: string | undefined;
  /** Once it is written. */
  answer: ScanResponse | null;
}

function judge(door: Door, asked: Asked, fingerprint: string, entered: Entered): Judged | Refusal {
  const { world } = door;
  const { work, scan } = asked;
  const point = pointOf(world, scan.check_in_point);
  const fault = (path: string, message: string) =>
    new Refusal('validation_failed', {
      message: `The request is not valid: ${path} ${message}.`,
      details: [{ path, message }],
    });
  if (point === null) return fault('check_in_point', `no such check in point: ${scan.check_in_point}`);
  const now = work.tx.clock.now();
  const at = scan.scanned_at === undefined ? now : new Date(scan.scanned_at);
  const ticket = door.ticket(codeOf(scan));
  const present = scan.people?.map((ref) => parseRef(ref).id) ?? null;
  if (present !== null && ticket !== null) {
    const known = new Set<string | null>(ticket.people.map((person) => person.id));
    const stranger = present.findIndex((id) => !known.has(id));
    if (stranger >= 0) return fault(`people/${stranger}`, 'is not a person of this ticket');
  }
  const decision = decide(world.prepared, {
    check_in_point: point.id,
    at: at.getTime(),
    mode: door.test ? 'test' : 'live',
    ticket: ticket && {
      status: ticket.status,
      test: ticket.test,
      people: ticket.people.map((person) => door.person(ticket, person)),
    },
    people_present: present as string[] | null,
    ...(point.kind === 'zone' &&
      point.capacity !== null && { others_inside: door.othersInside(point.id, at.getTime(), ticket) }),
  });
  for (const { person, admitted, day } of decision.people) {
    if (!admitted) continue;
    door.admit(person, { check_in_point: point.id, kind: point.kind, day, at: at.getTime() });
    if (!door.test || world.event.test) entered.set(person, (entered.get(person) ?? false) || point.kind === 'entry');
  }
  const { offline_result } = scan;
  return { asked, fingerprint, now, at, point, ticket, decision, offline_result, answer: null };
}

/** Its check-ins, what is told of them, and its answer. */
function write(
  world: ScanWorld,
  judged: Judged,
  test: boolean,
  stamp: string,
  written: CheckInRow[],
  unknown: UnknownScan[],
): ScanResponse {
  const { now, at, point, ticket, decision, offline_result } = judged;
  const { work, scan } = judged.asked;
  const scanned_at = iso(at);
  const { actor } = work.caller;
  const rows = decision.people.map(
    (one): CheckInRow => ({
      id: newId(now),
      event_id: world.event.id,
      attendee_id: one.person,
      ticket_id: ticket!.id,
      check_in_point_id: point.id,
      kind: point.kind,
      day_id: one.day,
      group_id: ticket!.people.find((person) => person.id === one.person)!.group_id,
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
    }),
  );
  written.push(...rows);
  if (ticket === null) {
    unknown.push(
      ...unknownScan(work, { event: world.event.id, point: point.id, scan, scanned_at, offline_result, test, stamp }),
    );
  }
  const checkins = rows.map((row) => checkInShape(world, row));
  tell(work, world, rows, checkins);
  const people = decision.people.map((one) =>
    personShape(world, ticket!.people.find((person) => person.id === one.person)!, one),
  );
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

/** A device that had no answer in time decided by itself, and tells so when it sends the scan again. */
function hearLater(
  asked: readonly Asked[],
  judged: readonly (Judged | Repeat | Refusal)[],
  world: ScanWorld,
  test: boolean,
  stamp: string,
): void {
  const { tx, org } = asked[0]!.work;
  const rows: { id: Id; offline_result: string }[] = [];
  const unknown: UnknownScan[] = [];
  for (const [i, one] of judged.entries()) {
    if (one instanceof Refusal || 'decision' in one || one.offline_result === undefined) continue;
    const { work, scan } = asked[i]!;
    const { checkins, result, scanned_at } = one.answer;
    for (const row of checkins) rows.push({ id: toUuid(row.id), offline_result: one.offline_result });
    if (result !== 'unknown') continue;
    const point = pointOf(world, scan.check_in_point)!.id;
    const { offline_result } = one;
    const about = { event: world.event.id, point, scan, scanned_at, offline_result, test, stamp };
    unknown.push(...unknownScan(work, about));
  }
  keepOfflineResults(tx, org, rows);
  keepUnknown(tx, org, unknown);
}

/** `checkin.recorded` for every row, refusals too; one audit row a scan. */
function tell(work: Work, world: ScanWorld, rows: readonly CheckInRow[], checkins: readonly CheckIn[]): void {
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
  // Of a ticket that people of several groups share, no one group reads how the others fared.
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

/** The same object for the same result, so that a batch of them travels once (`apart` in store/bulk.ts). */
const told = new Map<string, { result: string }>();
function changesTo(result: string): { result: string } {
  const changes = told.get(result) ?? { result };
  told.set(result, changes);
  return changes;
}

const personShape = (world: ScanWorld, person: DoorPerson, one: PersonDecision) => ({
  id: toUlid(person.id),
  first_name: person.first_name,
  last_name: person.last_name,
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

/** The people whose representation changed. */
function writePeople({ tx, org }: Work, stamp: string, entered: Entered): void {
  if (entered.size === 0) return;
  tx.send(sql`
    update attendees a set updated_at = ${stamp}, checked_in_at = case when s.entry then coalesce(a.checked_in_at, ${stamp}::timestamptz) else a.checked_in_at end
    from unnest(${[...entered.keys()]}::uuid[], ${[...entered.values()]}::boolean[]) as s(id, entry)
    where a.org_id = ${org} and a.id = s.id`);
}

function writeAnswers({ tx, org }: Work, event: Id, test: boolean, scans: readonly Judged[]): void {
  if (scans.length === 0) return;
  tx.send(sql`
    insert into scans (org_id, event_id, client_uuid, fingerprint, answer, test, created_at)
    select ${org}, ${event}, s.client_uuid::uuid, decode(s.fingerprint, 'hex'), s.answer, ${test}, ${tx.clock.now()}::timestamptz
    from unnest(${texts(scans.map((one) => one.asked.scan.client_uuid))}, ${texts(scans.map((one) => one.fingerprint))},
      ${texts(scans.map((one) => textOf(one.answer!)))}) as s(client_uuid, fingerprint, answer)`);
}
