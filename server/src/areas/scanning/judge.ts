import { type Decision, decide, ticketCode } from '@turnout/checkin';
import type { BatchScan, ScanResponse } from '@turnout/contract';
import { type Id, parseRef } from '../../common/ids.ts';
import { type Fault, Refusal } from '../../common/refusal.ts';
import { sha256 } from '../../common/sha256.ts';
import type { Work } from '../../road/operation.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { iso } from '../../store/stamps.ts';
import type { CheckInPointRow } from '../events/index.ts';
import type { Door, DoorTicket } from './door.ts';
import type { ScanWorld } from './world.ts';

/** A scan that passed its schema, with the call that brought it. */
export interface ScanCall {
  work: Work;
  scan: BatchScan;
}

/** A scan with the decision about it. */
export interface Judged {
  scanCall: ScanCall;
  /** SHA-256 in hex of what was scanned and where. */
  fingerprint: string;
  now: Date;
  at: Date;
  /** The same as it is recorded. */
  scanned_at: string;
  point: CheckInPointRow;
  ticket: DoorTicket | null;
  decision: Decision;
  /** What the door told the person, where it decided offline. */
  offline_result?: string | undefined;
  /** Null until its rows are made. */
  answer: ScanResponse | null;
}

/** The attendees who were admitted; true: at an entry, so they are checked in from now on. */
export type AdmittedAttendees = Map<Id, boolean>;

/** Decides one scan, and adds the people it admits to the door's history, with which the next scan of the batch is decided. */
export function judge(
  door: Door,
  { now, madeAt }: { now: Date; madeAt: string },
  scanCall: ScanCall,
  fingerprint: string,
  admittedAttendees: AdmittedAttendees,
): Judged | Refusal {
  const { world } = door;
  const { scan } = scanCall;
  const point = pointOf(world, scan.check_in_point);
  if (point === null) return fault('check_in_point', `no such check-in point: ${scan.check_in_point}`);
  const at = new Date(scan.scanned_at ?? madeAt);
  const scanned_at = scan.scanned_at === undefined ? madeAt : iso(at);
  const ticket = door.ticket(ticketKeyOf(scan));
  const present = scan.people?.map((ref) => parseRef(ref).id) ?? null;
  if (present !== null && ticket !== null) {
    const onTicket = new Set<string | null>(ticket.people.map((person) => person.id));
    const stranger = present.findIndex((id) => !onTicket.has(id));
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
    if (!door.test || world.event.test)
      admittedAttendees.set(person, (admittedAttendees.get(person) ?? false) || point.kind === 'entry');
  }
  const { offline_result } = scan;
  return { scanCall, fingerprint, now, at, scanned_at, point, ticket, decision, offline_result, answer: null };
}

const fault = (path: string, message: string): Refusal =>
  new Refusal('validation_failed', {
    message: `The request is not valid: ${path} ${message}.`,
    details: [{ path, message }],
  });

type Caller = Pick<Work, 'caller' | 'mode'>;
const isKey = ({ caller }: Caller): boolean => caller.actor.kind === 'key';

/** Whether a scan is a test. The mode of a key decides for its scans; members and devices say it with each scan. */
export const isTestScan = (call: Caller, scan: { test?: boolean }): boolean =>
  call.mode === 'test' || (scan.test === true && !isKey(call));

/** Fields that this caller may not send, or has to. */
export function scanFaults(call: Caller, scan: ValidPart<BatchScan>): Fault[] {
  const faults: Fault[] = [];
  const key = isKey(call);
  if (key) {
    for (const path of ['ticket_id', 'test'] as const)
      if (scan[path] !== undefined) faults.push({ path, message: 'can only be sent by members and paired devices' });
  }
  if (scan.code === undefined && (key || scan.ticket_id === undefined)) {
    faults.push({ path: 'code', message: 'is required' });
  } else if (scan.code !== undefined && scan.ticket_id !== undefined && !key) {
    faults.push({ path: 'ticket_id', message: 'cannot be combined with `code`: send one of them' });
  }
  return faults;
}

/** What a ticket is looked up by: its code, or its id, which looks different from any code. */
export const ticketKeyOf = ({ code, ticket_id }: BatchScan): string =>
  code === undefined ? (parseRef(ticket_id ?? '').id ?? '') : ticketCode(code);

/** A scan that names its ticket by the id asks for the same as one that names it by the code. */
export function fingerprintOf(door: Door, scan: BatchScan): string {
  const key = ticketKeyOf(scan);
  const point = pointOf(door.world, scan.check_in_point)?.id ?? scan.check_in_point;
  return sha256(`${door.ticket(key)?.code ?? key}\n${point}`);
}

export function pointOf(world: ScanWorld, ref: string): CheckInPointRow | null {
  const { id, code } = parseRef(ref);
  return world.pointByRef.get(id ?? code!.toLowerCase()) ?? null;
}

/** What has to be known of bookings: the tickets at points that ask for products, and those products. */
export function bookedOf(door: Door, scanCalls: readonly ScanCall[]): [DoorTicket[], Id[]] {
  const tickets = new Set<DoorTicket>();
  const products = new Set<Id>();
  for (const { scan } of scanCalls) {
    const wanted = pointOf(door.world, scan.check_in_point)?.product_ids ?? null;
    const ticket = wanted === null ? null : door.ticket(ticketKeyOf(scan));
    if (ticket === null) continue;
    tickets.add(ticket);
    for (const product of wanted!) products.add(product);
  }
  return [[...tickets], [...products]];
}

/** The zones with a capacity at which these scans were made. */
export function zonesOf(world: ScanWorld, scanCalls: readonly ScanCall[]): Id[] {
  const points = scanCalls.map((one) => pointOf(world, one.scan.check_in_point));
  return [
    ...new Set(points.filter((point) => point?.kind === 'zone' && point.capacity !== null).map((point) => point!.id)),
  ];
}
