import type { BatchScan, ScanRequest, ScanResponse } from '@turnout/contract';
import type { Refusal } from '../../common/refusal.ts';
import type { Ahead, Item } from '../../road/operation.ts';
import type { Reference } from '../../road/request/reference.ts';
import { TooMuchTogether } from '../../road/write/too-much-together.ts';
import { type EventRow, eventIdOf } from '../events/index.ts';
import { isTestScan, type ScanCall } from './judge.ts';
import { type Reads, readForScans, scanAll } from './scan.ts';
import { isTooMuch, sizeOf } from './size.ts';

/** The event at which something is scanned. */
export type AtEvent = { event: Reference<EventRow> };

/** By `test`: live and test scans wait in the same lane, but they are read and decided apart. */
type ReadsByMode = ReadonlyMap<boolean, Reads>;

/** Reads what all the single scans need that wait in one event's lane. */
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
  const all = items.map((item, i) => ({ i, scanCall: { work: item, scan: item.body } }));
  const parts = byMode(all).map((part) => ({ ...part, reads: reads.get(part.test) ?? reads.get(!part.test)! }));
  if (items.length > 1 && isTooMuch(sizeOf(parts))) throw new TooMuchTogether();
  return scanParts(parts, new Array(items.length));
}

/** A scan that passed its schema, with its place in the request. */
export interface Placed {
  i: number;
  scanCall: ScanCall;
}

export interface Part {
  test: boolean;
  mine: readonly Placed[];
  scans: readonly BatchScan[];
}

/** Live scans and test scans, each in the order given. */
export function byMode(all: readonly Placed[]): Part[] {
  const parts = [false, true].map((test): Part => {
    const mine = all.filter(({ scanCall: { work, scan } }) => isTestScan(work, scan) === test);
    return { test, mine, scans: mine.map(({ scanCall }) => scanCall.scan) };
  });
  return parts.filter(({ mine }) => mine.length > 0);
}

/** Decides each part, and puts the outcomes in their places. */
export async function scanParts(
  parts: readonly (Part & { reads: Reads })[],
  outcomes: (ScanResponse | Refusal)[],
): Promise<(ScanResponse | Refusal)[]> {
  for (const { reads, test, mine } of parts) {
    const done = await scanAll(
      reads,
      test,
      mine.map(({ scanCall }) => scanCall),
    );
    for (const [n, { i }] of mine.entries()) outcomes[i] = done[n]!;
  }
  return outcomes;
}
