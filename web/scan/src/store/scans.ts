import type { ScanAnswer } from '../engine/types.ts';
import type { OwnAdmission } from '../roster/own.ts';
import { below, type Db, result, type StoreName } from './db.ts';
import { type DifferenceRow, isKnownFormat, type KeptRow, type LastRow, type Mode, type QueueRow } from './rows.ts';

/** How many of the last scans are kept for the screen. */
export const LAST_KEPT = 50;

/*
 * A row of another shape, as another version or a broken disk may leave it, is passed over. One that cannot be sent would keep all others
 * from being sent.
 */

export const readQueue = (db: Db, device: string): Promise<QueueRow[]> =>
  db.run('queue', 'readonly', async (store) =>
    (await result<unknown[]>(store('queue').getAll(below(device)))).filter(isScan).sort(byTime),
  );

const isText = (one: unknown): one is string => typeof one === 'string';
const areTexts = (all: unknown): all is string[] => Array.isArray(all) && all.every(isText);
const isTime = (one: unknown): one is number => typeof one === 'number' && Number.isFinite(new Date(one).getTime());

export function isScan(row: unknown): row is QueueRow {
  const one = (row ?? {}) as Partial<Record<keyof QueueRow, unknown>>;
  return (
    isKnownFormat(row) &&
    [one.device, one.client_uuid, one.point, one.code ?? one.ticket_id].every(isText) &&
    Number.isFinite(one.n) &&
    isTime(one.scanned_at) &&
    typeof one.test === 'boolean' &&
    areTexts(one.names) &&
    areTexts(one.people ?? []) &&
    [one.ticket ?? '', one.offline_result ?? ''].every(isText)
  );
}

export function isKept(row: unknown): row is KeptRow {
  const { code, message } = ((row as Partial<KeptRow> | null)?.error ?? {}) as Partial<Record<string, unknown>>;
  return isScan(row) && isText(code) && isText(message);
}

function isDifference(row: unknown): row is DifferenceRow {
  const { told, recorded, scanned_at, names } = row as Partial<Record<keyof DifferenceRow, unknown>>;
  return isKnownFormat(row) && isText(told) && isText(recorded) && isTime(scanned_at) && areTexts(names);
}

function isLast(row: unknown): row is LastRow {
  const { n, told: answer } = row as Partial<Record<keyof LastRow, unknown>>;
  return (
    isKnownFormat(row) && Number.isFinite(n) && isText((answer as Partial<ScanAnswer> | null | undefined)?.client_uuid)
  );
}

export const byTime = (a: QueueRow, b: QueueRow): number => a.scanned_at - b.scanned_at || a.n - b.n;

export const readNotRecorded = (db: Db, device: string): Promise<KeptRow[]> =>
  db.run('kept', 'readonly', async (store) =>
    (await result<unknown[]>(store('kept').getAll(below(device)))).filter(isKept).sort(byTime),
  );

export const readDifferences = (db: Db, device: string): Promise<DifferenceRow[]> =>
  db.run('differences', 'readonly', async (store) =>
    (await result<unknown[]>(store('differences').getAll(below(device))))
      .filter(isDifference)
      .sort((a, b) => a.scanned_at - b.scanned_at),
  );

export const deleteDifference = (db: Db, device: string, client_uuid: string): Promise<unknown> =>
  db.run('differences', 'readwrite', (store) => result(store('differences').delete([device, client_uuid])));

/** Newest first. */
export const readLast = (db: Db, device: string): Promise<LastRow[]> =>
  db.run('last', 'readonly', async (store) =>
    (await result<unknown[]>(store('last').getAll(below(device)))).filter(isLast).reverse(),
  );

/** What changes on disk because of scans: all of it, or nothing. */
export interface ScanChanges {
  readonly queue?: readonly QueueRow[];
  /** Scans that leave the queue. */
  readonly answered?: readonly string[];
  readonly kept?: readonly KeptRow[];
  readonly differences?: readonly DifferenceRow[];
  /** For these scans, what this device believed about admissions is replaced. */
  readonly own?: readonly {
    readonly client_uuid: string;
    readonly mode: Mode;
    readonly admissions: readonly OwnAdmission[];
  }[];
  readonly told?: readonly { readonly n: number; readonly told: ScanAnswer }[];
  /** What the server wrote for scans that were told before. */
  readonly recorded?: readonly { readonly n: number; readonly checkins: ScanAnswer['checkins'] }[];
}

export const writeScans = (db: Db, device: string, changes: ScanChanges): Promise<void> => {
  const {
    queue = [],
    answered = [],
    kept = [],
    differences = [],
    own = [],
    told: answers = [],
    recorded = [],
  } = changes;
  const stores: StoreName[] = ['queue'];
  if (kept.length > 0) stores.push('kept');
  if (differences.length > 0) stores.push('differences');
  if (own.length > 0) stores.push('own');
  if (answers.length > 0 || recorded.length > 0) stores.push('last');
  return db.run(stores, 'readwrite', async (store) => {
    for (const row of queue) store('queue').put(row);
    for (const uuid of answered) store('queue').delete([device, uuid]);
    for (const row of kept) store('kept').put(row);
    for (const row of differences) store('differences').put(row);
    for (const { client_uuid, mode, admissions } of own) {
      store('own').delete(below(device, mode, client_uuid));
      for (const one of admissions) store('own').put({ device, mode, ...one });
    }
    for (const { n, told: one } of answers) {
      store('last').put({ device, n, told: one });
      store('last').delete(IDBKeyRange.bound([device], [device, n - LAST_KEPT]));
    }
    if (recorded.length > 0) {
      const made = new Map(recorded.map(({ n, checkins }) => [n, checkins]));
      const change = (one: ScanAnswer, n: number) => (made.has(n) ? { ...one, checkins: made.get(n)! } : one);
      await changeRows(store('last'), device, change);
    }
  });
};

/** Changes what is kept of the last scans; whatever `change` gives back as it was stays as it is. */
export const changeLast = (
  db: Db,
  device: string,
  change: (answer: ScanAnswer, n: number) => ScanAnswer,
): Promise<void> => db.run('last', 'readwrite', (store) => changeRows(store('last'), device, change));

async function changeRows(
  last: IDBObjectStore,
  device: string,
  change: (answer: ScanAnswer, n: number) => ScanAnswer,
): Promise<void> {
  for (const row of (await result<unknown[]>(last.getAll(below(device)))).filter(isLast)) {
    const answer = change(row.told, row.n);
    if (answer !== row.told) last.put({ ...row, told: answer });
  }
}
