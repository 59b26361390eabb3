import type { BatchScan, ScanResponse } from '@turnout/contract';
import { type Id, toUuid } from '../../common/ids.ts';
import { invalidRequest, Refusal } from '../../common/refusal.ts';
import { Turns } from '../../common/turns.ts';
import type { Work } from '../../road/operation.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { TooMuchTogether } from '../../road/write/too-much-together.ts';
import { insertAll, onePlan } from '../../store/bulk.ts';
import { stampEvent } from '../../store/clocks.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import { type EventRow, eventById, stampAnswers } from '../events/index.ts';
import { answerScan, type ScanRows } from './answer.ts';
import { keepOfflineResults, keepUnknown, type UnknownScan, unknownScan } from './disagreements.ts';
import { Door, readTickets, type TicketsOnRecord } from './door.ts';
import {
  type AdmittedAttendees,
  bookedOf,
  fingerprintOf,
  type Judged,
  judge,
  pointOf,
  type ScanCall,
  scanFaults,
  ticketKeyOf,
  zonesOf,
} from './judge.ts';
import { CHECK_IN_COLUMNS, isSkewed } from './record.ts';
import { readAnswersByUuid, type StoredAnswer, type StoredAnswers, writeAnswers } from './scan-answers.ts';
import { type ScanWorld, scanWorldOf } from './world.ts';

/** A scan that was answered before, by a call that may now tell what the door had told the person. */
type Repeat = StoredAnswer & { offline_result?: string | undefined };

/** Everything that scans of one event and mode look at, read after the wait for the event's clock. */
export interface Reads extends StoredAnswers {
  /** The time of this process. */
  now: Date;
  stamp: string;
  event: EventRow | null;
  version: number;
  tickets: TicketsOnRecord;
}

/**
 * All statements leave in one packet. The first takes the event's clock: from then on nobody else, in any process, admits
 * anybody in this event until we commit. The reads behind it are statements of their own, so each of them sees what was
 * committed while we waited for the clock.
 */
export async function readForScans(
  { tx, org }: Pick<Work, 'tx' | 'org'>,
  id: Sql,
  test: boolean,
  scans: readonly BatchScan[],
): Promise<Reads> {
  onePlan(tx);
  // In a test event every scan is a test. A subquery finds that out, because asking first would cost one more round trip.
  const tests = test ? sql`true` : sql`(select of.test from events of where of.org_id = ${org} and of.id = ${id})`;
  const uuids = scans.map((scan) => scan.client_uuid);
  const now = tx.clock.now();
  const [stamp, event, { version }, stored, tickets] = await Promise.all([
    stampEvent(tx, org, id),
    eventById(tx, org, id),
    tx.one<{ version: number }>(sql`select groups_version as version from organizations where id = ${org}`),
    readAnswersByUuid(tx, org, id, tests, uuids),
    readTickets(tx, org, id, tests, {
      codes: [...new Set(scans.filter(({ code }) => code !== undefined).map(ticketKeyOf))],
      ids: [...new Set(scans.filter(({ code, ticket_id }) => code === undefined && ticket_id).map(ticketKeyOf))],
    }),
  ]);
  return { now, stamp, event, version, ...stored, tickets };
}

/** Why no ticket at all can be scanned in this event; null when scans are accepted. */
export function eventRefusal(event: EventRow | null): Refusal | null {
  if (event === null) return new Refusal('not_found');
  return event.status === 'archived'
    ? new Refusal('invalid_state', {
        message: 'The event is archived, so its tickets cannot be scanned. Close the event to make it scannable again.',
      })
    : null;
}

/**
 * Decides scans of one event and mode in the order given: look for repeats, decide, write, raise webhooks. The event's clock is
 * held already (`readForScans`). The single scan, the uploaded batch and many devices at once all run through this function.
 * There is one outcome per scan; a refused scan has written nothing.
 */
export async function scanAll(
  { now, stamp, event, version, repeats, tickets }: Reads,
  test: boolean,
  scanCalls: readonly ScanCall[],
): Promise<(ScanResponse | Refusal)[]> {
  const { tx, org } = scanCalls[0]!.work;
  const refusal = eventRefusal(event);
  if (event === null || refusal !== null) return scanCalls.map(() => refusal!);
  // Calls that shared the reading may have their answers already, so one call that is left can find that it was too much for all of them.
  if (repeats === null || tickets.unread > 0) throw new TooMuchTogether();
  const world = await scanWorldOf(tx, org, event, version);
  const door = new Door(tx, org, world, test, tickets);
  await Promise.all([door.readZones(zonesOf(world, scanCalls)), door.readBooked(...bookedOf(door, scanCalls))]);

  const admittedAttendees: AdmittedAttendees = new Map();
  const { outcomes, fresh } = await judgeAll(
    door,
    { now, madeAt: madeAt(now, stamp) },
    scanCalls,
    repeats,
    admittedAttendees,
  );
  // A quarter of the database's work: it is done while the rows and answers are made here.
  writeAttendees(scanCalls[0]!.work, stamp, admittedAttendees);
  if (world.filtered && admittedAttendees.size > 0) stampAnswers(tx, org, event.id, stamp);
  await tx.flush();
  const rows: ScanRows = { checkIns: [], unknown: [] };
  const turns = new Turns();
  for (const one of fresh) {
    await turns.pause();
    one.answer = answerScan(world, one, test, stamp, rows);
  }
  insertAll(
    tx,
    'checkins',
    CHECK_IN_COLUMNS,
    rows.checkIns.map((row) => ({ org_id: org, ...row })),
  );
  keepUnknown(tx, org, rows.unknown);
  keepLateOfflineResults(scanCalls, outcomes, world, test, stamp);
  await tx.flush();
  const answers = fresh.map(({ scanCall, fingerprint, answer }) => ({
    client_uuid: scanCall.scan.client_uuid,
    fingerprint,
    answer: answer!,
  }));
  writeAnswers(tx, org, event.id, test, answers);
  return outcomes.map((one) => (one instanceof Refusal ? one : one.answer!));
}

/**
 * A scan that does not say when it was made was made in the instant in which it is recorded, unless another process with a wrong clock has
 * moved the event's clock far ahead: then people would be sent away because of a day or an hour that has not come.
 */
const madeAt = (now: Date, stamp: string): string => (isSkewed(new Date(stamp), now) ? iso(now) : stamp);

/** `fresh` are the scans that were decided now; repeats, also those within the batch, get the first answer. */
async function judgeAll(
  door: Door,
  times: { now: Date; madeAt: string },
  scanCalls: readonly ScanCall[],
  repeats: ReadonlyMap<string, Repeat>,
  admittedAttendees: AdmittedAttendees,
): Promise<{ outcomes: (Judged | Repeat | Refusal)[]; fresh: Judged[] }> {
  const fresh = new Map<string, Judged>();
  const judgeOne = (one: ScanCall): Judged | Repeat | Refusal => {
    const faults = scanFaults(one.work, one.scan);
    if (faults.length > 0) return invalidRequest(faults);
    const fingerprint = fingerprintOf(door, one.scan);
    const uuid = one.scan.client_uuid.toLowerCase();
    const before = repeats.get(uuid) ?? fresh.get(uuid);
    if (before !== undefined) {
      one.work.changed(NOTHING);
      if (before.fingerprint !== fingerprint) return new Refusal('client_uuid_reused');
      before.offline_result ??= one.scan.offline_result;
      return before;
    }
    const outcome = judge(door, times, one, fingerprint, admittedAttendees);
    if (!(outcome instanceof Refusal)) fresh.set(uuid, outcome);
    return outcome;
  };
  const outcomes: (Judged | Repeat | Refusal)[] = [];
  const turns = new Turns();
  for (const one of scanCalls) {
    await turns.pause();
    outcomes.push(judgeOne(one));
  }
  return { outcomes, fresh: [...fresh.values()] };
}

/**
 * A device that got no answer in time decides by itself. When it sends the scan again, it also tells what it had decided, and
 * that is added to the scan's rows here.
 */
function keepLateOfflineResults(
  scanCalls: readonly ScanCall[],
  outcomes: readonly (Judged | Repeat | Refusal)[],
  world: ScanWorld,
  test: boolean,
  stamp: string,
): void {
  const { tx, org } = scanCalls[0]!.work;
  const rows: { id: Id; offline_result: string }[] = [];
  const unknown: UnknownScan[] = [];
  for (const [i, one] of outcomes.entries()) {
    if (one instanceof Refusal || 'decision' in one || one.offline_result === undefined) continue;
    const { work, scan } = scanCalls[i]!;
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

/** Stamps the attendees who were admitted, and notes the first entry of each. */
function writeAttendees({ tx, org }: Work, stamp: string, admitted: AdmittedAttendees): void {
  if (admitted.size === 0) return;
  tx.send(sql`
    update attendees a set updated_at = ${stamp}, checked_in_at = case when s.entry then coalesce(a.checked_in_at, ${stamp}::timestamptz) else a.checked_in_at end
    from unnest(${[...admitted.keys()]}::uuid[], ${[...admitted.values()]}::boolean[]) as s(id, entry)
    where a.org_id = ${org} and a.id = s.id`);
}
