import { type BatchScan, MAX_SCAN_PEOPLE, MAX_SCAN_RESULTS } from '@turnout/contract';
import { Refusal } from '../../common/refusal.ts';
import { ticketKeyOf } from './judge.ts';
import type { Reads } from './scan.ts';
import { MAX_STORED_BYTES } from './scan-answers.ts';

/*
 * How much scans may be that are decided in one transaction. A scan of a shared ticket is one result, one check-in and one
 * webhook for each person, while everybody else who wants to scan in the event waits. 500 scans of tickets that 200 people share
 * wrote 100,000 check-ins and answered 79 MB, which took 8 s of the server's processor and 10 s of the database's (measured).
 */

/** What is counted of scans. */
export interface ScanSize {
  /** Results for people, which are recorded. */
  results: number;
  /** Bytes of stored answers, which are sent again. A scan that repeats one records nothing. */
  bytes: number;
  /** People on the tickets that are scanned, if they are too many to read. Nothing else is counted then. */
  unread: number;
}

/** A scan that repeats another one of the same transaction counts like that one, because it has the same answer. */
export function sizeOf(parts: readonly { reads: Reads; scans: readonly BatchScan[] }[]): ScanSize {
  const size = { results: 0, bytes: 0, unread: 0 };
  for (const { reads, scans } of parts) {
    size.unread += reads.tickets.unread;
    for (const scan of scans) {
      const stored = reads.storedBytes.get(scan.client_uuid.toLowerCase());
      if (stored !== undefined) size.bytes += stored;
      else size.results += resultsOf(reads, scan);
    }
  }
  return size;
}

function resultsOf({ tickets }: Reads, scan: BatchScan): number {
  const people = tickets.tickets.get(ticketKeyOf(scan))?.people.length ?? 0;
  return Math.min(people, scan.people?.length ?? people);
}

export const isTooMuch = ({ results, bytes, unread }: ScanSize): boolean =>
  unread > 0 || results > MAX_SCAN_RESULTS || bytes > MAX_STORED_BYTES;

/** The refusal of a batch of this size as a whole; null if it is not too large. */
export function sizeRefusal({ results, bytes, unread }: ScanSize): Refusal | null {
  const split = 'Nothing was recorded. Send fewer scans at once: halve the batch until it is accepted.';
  if (unread > 0) {
    return new Refusal('payload_too_large', {
      message: `The tickets in the batch have ${number(unread)} people on them, and one batch scans tickets of at most ${number(MAX_SCAN_PEOPLE)} people. ${split}`,
    });
  }
  if (results > MAX_SCAN_RESULTS) {
    return new Refusal('payload_too_large', {
      message: `The batch would record results for ${number(results)} people (scans times people on their tickets), and one batch records at most ${number(MAX_SCAN_RESULTS)}. ${split}`,
    });
  }
  if (bytes > MAX_STORED_BYTES) {
    return new Refusal('payload_too_large', {
      message: `The batch repeats scans whose stored answers have ${number(bytes)} bytes, and one batch is answered with at most ${number(MAX_STORED_BYTES)} of them. ${split}`,
    });
  }
  return null;
}

const number = (count: number): string => count.toLocaleString('en-US');
