import { BatchScan, type ScanBatch, type ScanBatchResponse, type ScanResponse } from '@turnout/contract';
import { Refusal } from '../../common/refusal.ts';
import { Turns } from '../../common/turns.ts';
import type { Call } from '../../road/operation.ts';
import { badText, bodyCheck } from '../../road/request/validate.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { eventRefusal, type Reads, readForScans } from './scan.ts';
import { type AtEvent, byMode, type Part, type Placed, scanParts } from './single-scans.ts';
import { sizeOf, sizeRefusal } from './size.ts';

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
    good.push({ i, at, scanCall: { work: call, scan } });
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
