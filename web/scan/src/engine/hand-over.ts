import type { BatchScan } from '@turnout/client';
import { batchScanOf } from './batch.ts';
import type { Queue } from './queue.ts';
import type { PairedEvent } from './types.ts';

/** The file that an organizer uploads on the Door page. */
export interface HandOver {
  readonly turnout: 'scans';
  readonly version: 1;
  readonly event: { readonly id: string; readonly name: string };
  readonly device: { readonly id: string; readonly name: string };
  readonly made_at: string;
  readonly scans: readonly (BatchScan & { not_recorded: { code: string; message: string } | null })[];
}

export function handOverOf(paired: PairedEvent, queue: Queue, now: number): HandOver {
  return {
    turnout: 'scans',
    version: 1,
    event: { id: paired.event.id, name: paired.event.name },
    device: { id: paired.id, name: paired.name },
    made_at: new Date(now).toISOString(),
    scans: [
      ...queue.notRecorded().map((row) => ({ ...batchScanOf(row), not_recorded: row.error })),
      ...queue.all().map((row) => ({ ...batchScanOf(row), not_recorded: null })),
    ],
  };
}
