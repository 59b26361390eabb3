import type { BatchScan, ScanBatchResponse, ScanResponse } from '@turnout/client';
import type { DifferenceRow, KeptRow, QueueRow } from '../store/rows.ts';

/** What goes up to the server, and what its answer means for the queue. Nothing here knows a network or a disk. */

/** The server takes 500 scans and 2 MB in one batch. */
export const MAX_SCANS = 500;
export const MAX_BYTES = 1_500_000;

export function batchScanOf(row: QueueRow): BatchScan {
  return {
    ...(row.code !== undefined ? { code: row.code } : { ticket_id: row.ticket_id! }),
    check_in_point: row.point,
    client_uuid: row.client_uuid,
    scanned_at: new Date(row.scanned_at).toISOString(),
    ...(row.people !== undefined && { people: [...row.people] }),
    ...(row.test && { test: true }),
    ...(row.offline_result !== undefined && { offline_result: row.offline_result }),
  };
}

export interface Batch {
  readonly rows: readonly QueueRow[];
  readonly body: string;
}

const encoder = new TextEncoder();

/** The oldest scans that fit into one batch, at least one. `rows` are in order. */
export function makeBatch(rows: Iterable<QueueRow>, most = MAX_SCANS): Batch {
  const fitting: QueueRow[] = [];
  const texts: string[] = [];
  let bytes = 20;
  for (const row of rows) {
    const text = JSON.stringify(batchScanOf(row));
    bytes += encoder.encode(text).length + 1;
    if (fitting.length >= most || (bytes > MAX_BYTES && fitting.length > 0)) break;
    fitting.push(row);
    texts.push(text);
  }
  return { rows: fitting, body: `{"scans":[${texts.join(',')}]}` };
}

type Item = ScanBatchResponse['results'][number];

export interface Settled {
  readonly answered: readonly { readonly row: QueueRow; readonly answer: ScanResponse }[];
  readonly notRecorded: readonly KeptRow[];
  readonly differences: readonly DifferenceRow[];
}

/** Every scan has an answer or an error. An answer that differs from what the door showed is a disagreement. */
export function settle(rows: readonly QueueRow[], items: readonly Item[]): Settled {
  const answered: { row: QueueRow; answer: ScanResponse }[] = [];
  const notRecorded: KeptRow[] = [];
  const differences: DifferenceRow[] = [];
  for (const [i, row] of rows.entries()) {
    const item = items[i]!;
    if ('error' in item) {
      notRecorded.push({ ...row, error: { code: item.error.code, message: item.error.message } });
      continue;
    }
    answered.push({ row, answer: item });
    if (row.offline_result !== undefined && row.offline_result !== item.result) differences.push(difference(row, item));
  }
  return { answered, notRecorded, differences };
}

function difference(row: QueueRow, answer: ScanResponse): DifferenceRow {
  const names = answer.people.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
  return {
    device: row.device,
    client_uuid: row.client_uuid,
    told: row.offline_result!,
    recorded: answer.result,
    scanned_at: row.scanned_at,
    names: names.length > 0 ? names : row.names,
  };
}
