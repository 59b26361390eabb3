import {
  BatchScan,
  type ScanBatch,
  type ScanBatchResponse,
  type ScanRequest,
  type ScanResponse,
} from '@turnout/contract';
import type { Call, Item } from '../../road/operation.ts';
import type { Reference } from '../../road/reference.ts';
import { Refusal } from '../../road/refusal.ts';
import { badText, bodyCheck } from '../../road/validate.ts';
import type { EventRow } from '../events/index.ts';
import { type Asked, scanAll } from './scan.ts';

type AtEvent = { event: Reference<EventRow> };

/** Many devices at once: those of one event that wait together are decided together, live and test apart. */
export async function scanMany(items: readonly Item<AtEvent, ScanRequest>[]): Promise<(ScanResponse | Refusal)[]> {
  const outcomes: (ScanResponse | Refusal)[] = new Array(items.length);
  for (const test of [false, true]) {
    const mine = items.flatMap((item, i) =>
      (item.mode === 'test') === test ? [{ i, asked: { work: item, scan: item.body } }] : [],
    );
    if (mine.length === 0) continue;
    const done = await scanAll(
      mine[0]!.asked.work.at.event,
      test,
      mine.map((one) => one.asked),
    );
    for (const [n, { i }] of mine.entries()) outcomes[i] = done[n]!;
  }
  return outcomes;
}

const checkScan = bodyCheck(BatchScan);

/** Scans made offline, applied in the order they were made; each has its own fate, a broken one too. */
export async function scanBatch(call: Call<AtEvent, unknown, ScanBatch>): Promise<ScanBatchResponse> {
  const results: (ScanResponse | Refusal)[] = new Array(call.body.scans.length);
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
  good.sort((a, b) => a.at - b.at || a.i - b.i);
  if (good.length > 0) {
    const done = await scanAll(
      call.at.event,
      call.mode === 'test',
      good.map((one) => one.asked),
    );
    for (const [n, { i }] of good.entries()) results[i] = done[n]!;
  }
  return {
    results: results.map((one) => (one instanceof Refusal ? { error: errorOf(one) } : one)),
  };
}

const errorOf = ({ code, message, options }: Refusal) => ({
  code,
  message,
  ...(options.details !== undefined && { details: options.details }),
});
