import {
  BatchScan,
  type ScanBatch,
  type ScanBatchResponse,
  type ScanRequest,
  type ScanResponse,
} from '@turnout/contract';
import { NOTHING } from '../../road/audited.ts';
import type { Ahead, Call, Item } from '../../road/operation.ts';
import type { Reference } from '../../road/reference.ts';
import { Refusal } from '../../road/refusal.ts';
import { badText, bodyCheck } from '../../road/validate.ts';
import { sql } from '../../store/sql.ts';
import { type EventRow, eventIdOf } from '../events/index.ts';
import { type Asked, isTestScan } from './judge.ts';
import { eventRefusal, type Reads, readForScans, scanAll } from './scan.ts';

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
  const outcomes: (ScanResponse | Refusal)[] = new Array(items.length);
  for (const test of [false, true]) {
    const mine = items.flatMap((item, i) =>
      isTestScan(item, item.body) === test ? [{ i, asked: { work: item, scan: item.body } }] : [],
    );
    if (mine.length === 0) continue;
    const asked = mine.map((one) => one.asked);
    const done = await scanAll(reads.get(test) ?? reads.get(!test)!, test, asked);
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
  const good: { i: number; at: number; asked: Asked }[] = [];
  for (const [i, raw] of call.body.scans.entries()) {
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
  for (const test of [false, true]) {
    const mine = good.filter((one) => isTestScan(call, one.asked.scan) === test);
    if (mine.length === 0) continue;
    const asked = mine.map((one) => one.asked);
    const scans = asked.map((one) => one.scan);
    const reads = await readForScans(call, sql`${call.at.event.id}`, test, scans);
    requireOpen(reads.event);
    const done = await scanAll(reads, test, asked);
    for (const [n, { i }] of mine.entries()) results[i] = done[n]!;
  }
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

const errorOf = ({ code, message, options }: Refusal) => ({
  code,
  message,
  ...(options.details !== undefined && { details: options.details }),
});
