import { type BatchScan, type CheckIn, Problem, type ScanBatchResponse } from '@turnout/client';
import { compareInstants } from '@turnout/contract/instants';

/**
 * The file in which a scanner hands over what it could not send: an unpaired device, an event that was archived meanwhile. It is read in
 * the browser, and its scans are sent as those of the member who uploads it.
 */
const MAX_BYTES = 100_000_000;
/** What the server takes at once, with room to spare for the rest of the request. */
const PART_SCANS = 500;
const PART_BYTES = 1_500_000;

export type NoScans = 'tooLarge' | 'notJson' | 'notScans' | 'newer' | 'otherEvent' | 'empty';
export interface HandOver {
  device: string;
  /** Oldest first. */
  scans: BatchScan[];
}

type UnknownFields = Partial<Record<string, unknown>>;
const objectOf = (value: unknown): UnknownFields =>
  typeof value === 'object' && value !== null ? (value as UnknownFields) : {};

/** Whether its scans are right is for the server to say; here only whether it is such a file, and of this event. */
export async function readHandOver(
  file: Pick<File, 'size' | 'text'>,
  event: string,
): Promise<HandOver | { fault: NoScans; event?: string }> {
  if (file.size > MAX_BYTES) return { fault: 'tooLarge' };
  let content: UnknownFields;
  try {
    content = objectOf(JSON.parse(await file.text()));
  } catch {
    return { fault: 'notJson' };
  }
  if (content.turnout !== 'scans' || !Array.isArray(content.scans)) return { fault: 'notScans' };
  if (content.version !== 1) return { fault: 'newer' };
  const of = objectOf(content.event);
  if (of.id !== event) return { fault: 'otherEvent', event: String(of.name ?? '') };
  if (content.scans.length === 0) return { fault: 'empty' };
  const scans = content.scans.map(scanOf).sort((a, b) => compareInstants(madeAt(a), madeAt(b)));
  return { device: String(objectOf(content.device).name ?? ''), scans };
}

const FIELDS = [
  ...['code', 'ticket_id', 'check_in_point', 'client_uuid', 'scanned_at', 'people', 'test', 'offline_result'],
] as const;
/** The file may hold anything. */
const madeAt = ({ scanned_at }: BatchScan): string => String(scanned_at ?? '');
/** What the scanner says beside it, such as why it was not recorded, is for people. */
const scanOf = (raw: unknown): BatchScan =>
  Object.fromEntries(
    FIELDS.flatMap((name) => (objectOf(raw)[name] == null ? [] : [[name, objectOf(raw)[name]]])),
  ) as BatchScan;

/** The scans in parts that the server takes, in the order in which they were made. */
export function partsOf(scans: readonly BatchScan[]): BatchScan[][] {
  const parts: BatchScan[][] = [];
  let bytes = 0;
  for (const scan of scans) {
    const size = new TextEncoder().encode(JSON.stringify(scan)).length + 1;
    const last = parts.at(-1);
    if (last === undefined || last.length === PART_SCANS || bytes + size > PART_BYTES) {
      parts.push([scan]);
      bytes = size;
    } else {
      last.push(scan);
      bytes += size;
    }
  }
  return parts;
}

/**
 * Sends the parts in order and removes each one that was answered, so that whoever calls it again goes on behind them. A part that the
 * server refuses as too much at once is halved: it recorded nothing of it.
 */
export async function sendParts(
  parts: BatchScan[][],
  send: (part: BatchScan[]) => Promise<ScanBatchResponse>,
  answered: (part: BatchScan[], answer: ScanBatchResponse) => void,
): Promise<void> {
  for (let part = parts[0]; part !== undefined; part = parts[0]) {
    try {
      const answer = await send(part);
      parts.shift();
      answered(part, answer);
    } catch (error) {
      if (!(error instanceof Problem && error.status === 413 && part.length > 1)) throw error;
      const half = Math.ceil(part.length / 2);
      parts.splice(0, 1, part.slice(0, half), part.slice(half));
    }
  }
}

/** Why a scan was not recorded. */
export type ScanError = Extract<ScanBatchResponse['results'][number], { error: unknown }>['error'];
/** What came of the scans. */
export interface Tally {
  recorded: number;
  /** Sent before, by the device or with the same file. */
  known: number;
  /** Recorded with another result than the device had told. */
  otherwise: number;
  refused: { scan: BatchScan; error: ScanError }[];
}
export const EMPTY_TALLY: Tally = { recorded: 0, known: 0, otherwise: 0, refused: [] };

/** When the newest check-in was recorded before the upload, live and test; what is recorded later came with it. */
export interface NewestCheckIns {
  live: string;
  test: string;
}
export const newestOf = ([newest]: readonly Pick<CheckIn, 'recorded_at'>[]): string => newest?.recorded_at ?? '';

/** A scan that was recorded before gets its first answer again, with the check-ins of then. */
export function addToTally(
  tally: Tally,
  part: readonly BatchScan[],
  { results }: ScanBatchResponse,
  before: NewestCheckIns,
): Tally {
  const next = { ...tally, refused: [...tally.refused] };
  for (const [i, answer] of results.entries()) {
    const scan = part[i]!;
    if ('error' in answer) {
      next.refused.push({ scan, error: answer.error });
      continue;
    }
    const since = Date.parse(answer.test ? before.test : before.live);
    const old = answer.checkins.some(({ recorded_at }) => Date.parse(recorded_at) <= since);
    if (old) next.known += 1;
    else next.recorded += 1;
    if (!old && scan.offline_result !== undefined && scan.offline_result !== answer.result) next.otherwise += 1;
  }
  return next;
}
