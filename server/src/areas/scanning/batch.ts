import {
  BatchScan,
  type ScanBatch,
  type ScanBatchResponse,
  type ScanRequest,
  type ScanResponse,
} from '@turnout/contract';
import { Refusal } from '../../common/refusal.ts';
import { Turns } from '../../common/turns.ts';
import type { Ahead, Call, Item } from '../../road/operation.ts';
import type { Reference } from '../../road/request/reference.ts';
import { badText, bodyCheck } from '../../road/request/validate.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { TooMuchTogether } from '../../road/write/too-much-together.ts';
import { sql } from '../../store/sql.ts';
import { type EventRow, eventIdOf } from '../events/index.ts';
import { type Asked, isTestScan } from './judge.ts';
import { eventRefusal, type Reads, readForScans, scanAll } from './scan.ts';
import { isTooMuch, sizeOf, sizeRefusal } from './size.ts';

type AtEvent = { event: Reference<EventRow> };

/** By `test`: live and test scans wait in the same lane, but they are read and decided apart. */
type ReadsByMode = ReadonlyMap<boolean, Reads>;

export async function readForMany(calls: readonly Ahead<ScanRequest>[]): Promise<ReadsByMode> {
  const [first] = calls as [Ahead<ScanRequest>];
  const id = eventIdOf(first.org, first.params.event!);
  const modes = [false, true].filter((test) => calls.some((call) => isTestScan(call, call.body) === test));
  const reads = modes.map(async (test): Promise<[boolean, Reads]> => {
    // The reads for test scans cover the live scans, too: should this be a test event, all of them are tests.
    const scans = calls.filter((call) => test || !isTestScan(call, call.body)).map((call) => call.body);
    return [test, await readForScans(first, id, test, scans)];
  });
  return new Map(await Promise.all(reads));
}

/** Decides the scans that wait in one event's lane together, in one transaction. Live and test scans are decided apart. */
export async function scanMany(
  items: readonly Item<AtEvent, ScanRequest>[],
  reads: ReadsByMode,
): Promise<(ScanResponse | Refusal)[]> {
  const all = items.map((item, i) => ({ i, asked: { work: item, scan: item.body } }));
  const parts = byMode(all).map((part) => ({ ...part, reads: reads.get(part.test) ?? reads.get(!part.test)! }));
  if (items.length > 1 && isTooMuch(sizeOf(parts))) throw new TooMuchTogether();
  return scanParts(parts, new Array(items.length));
}

/** A scan that passed its schema, with its place in the request. */
interface Placed {
  i: number;
  asked: Asked;
}

interface Part {
  test: boolean;
  mine: readonly Placed[];
  scans: readonly BatchScan[];
}

/** Live scans and test scans, each in the order given. */
function byMode(all: readonly Placed[]): Part[] {
  const parts = [false, true].map((test): Part => {
    const mine = all.filter(({ asked: { work, scan } }) => isTestScan(work, scan) === test);
    return { test, mine, scans: mine.map(({ asked }) => asked.scan) };
  });
  return parts.filter(({ mine }) => mine.length > 0);
}

/** Decides each part, and puts the outcomes in their places. */
async function scanParts(
  parts: readonly (Part & { reads: Reads })[],
  outcomes: (ScanResponse | Refusal)[],
): Promise<(ScanResponse | Refusal)[]> {
  for (const { reads, test, mine } of parts) {
    const done = await scanAll(
      reads,
      test,
      mine.map(({ asked }) => asked),
    );
    for (const [n, { i }] of mine.entries()) outcomes[i] = done[n]!;
  }
  return outcomes;
}

const checkScan = bodyCheck(BatchScan);

/**
 * Applies scans made offline in the order in which they were made. Each has an outcome of its own; an invalid one is an error.
 */
export async function scanBatch(call: Call<AtEvent, unknown, ScanBatch>): Promise<ScanBatchResponse> {
  const results: (ScanResponse | Refusal)[] = new Array(call.body.scans.length);
  // Each scan that is recorded writes its own audit entry. The batch as such writes none.
  call.changed(NOTHING);
  const good: (Placed & { at: number })[] = [];
  const turns = new Turns();
  for (const [i, raw] of call.body.scans.entries()) {
    await turns.pause();
    const shape = checkScan(raw);
    const faults = shape.length > 0 ? shape : badText(JSON.stringify(raw), raw);
    if (faults.length > 0) {
      results[i] = new Refusal('validation_failed', { details: faults });
      continue;
    }
    const scan = raw as BatchScan;
    const at = scan.scanned_at === undefined ? call.tx.clock.now().getTime() : Date.parse(scan.scanned_at);
    good.push({ i, at, asked: { work: call, scan } });
  }
  if (good.length === 0) requireOpen(call.at.event);
  good.sort((a, b) => a.at - b.at || a.i - b.i);
  const parts: (Part & { reads: Reads })[] = [];
  for (const part of byMode(good)) {
    const reads = await readForScans(call, sql`${call.at.event.id}`, part.test, part.scans);
    requireOpen(reads.event);
    parts.push({ ...part, reads });
  }
  if (good.length > 1) requireSize(parts);
  await scanParts(parts, results);
  return {
    results: results.map((one) => (one instanceof Refusal ? { error: errorOf(one) } : one)),
  };
}

/**
 * Refuses the batch as a whole. An error per scan would lose the scans, because a device removes from its queue whatever was
 * answered, errors included.
 */
function requireOpen(event: EventRow | null): void {
  const refusal = eventRefusal(event);
  if (refusal !== null) throw refusal;
}

/** Refuses the batch as a whole, for the same reason. A single scan is never too large, so that halving always ends. */
function requireSize(parts: readonly (Part & { reads: Reads })[]): void {
  const refusal = sizeRefusal(sizeOf(parts));
  if (refusal !== null) throw refusal;
}

const errorOf = ({ code, message, options }: Refusal) => ({
  code,
  message,
  ...(options.details !== undefined && { details: options.details }),
});
