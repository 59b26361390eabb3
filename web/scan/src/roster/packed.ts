import { Reader } from './bytes.ts';
import { FORMAT, isFormat, type KeptEntry, PASSES, readEntry, skimEntry } from './entry.ts';
import { KEY_BYTES, readKey, writeKey } from './ids.ts';

/**
 * A whole roster in one piece of memory, which is also what is kept on disk:
 *
 *   4 bytes     length of the head
 *   head        JSON: how many tickets and names, the table of texts, how many were admitted
 *   starts      Uint32 for each ticket: where its record begins
 *   names       Uint32 for each name: where its line begins; then Uint32 for each name: its ticket
 *   keys        16 bytes for each ticket, in ascending order
 *   records     see entry.ts, in any order
 *   lines       the names and registration codes as they are searched (names.ts), each followed by a line feed, in alphabetical order
 *
 * Nothing is read before it is needed, so a roster of any size is open as soon as its bytes are in memory.
 */
export interface Head {
  /** Of the records and lines; 1 if it is missing. */
  readonly format?: number;
  readonly tickets: number;
  readonly names: number;
  readonly records: number;
  readonly lines: number;
  readonly texts: readonly string[];
  /** By check-in point and local date: how often somebody was admitted there. Entries at all points are counted under `ENTRIES`. */
  readonly counts: Counts;
}
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** No code of a point has a space. */
export const ENTRIES = ' entries';

export interface Packed extends Head {
  readonly format: number;
  readonly buffer: ArrayBuffer;
  readonly starts: Uint32Array;
  readonly nameStarts: Uint32Array;
  readonly nameTickets: Uint32Array;
  readonly keys: Uint8Array;
  readonly recordBytes: Uint8Array;
  readonly lineBytes: Uint8Array;
}

const aligned = (at: number): number => Math.ceil(at / 4) * 4;

/** Throws if it is of a format that this version does not know; its records would be read as other people. */
export function openPacked(buffer: ArrayBuffer): Packed {
  const length = new DataView(buffer).getUint32(0);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Head;
  const { format = 1 } = head;
  if (!isFormat(format)) throw new Error(`A packed roster of format ${format}; this version knows ${FORMAT}.`);
  let at = aligned(4 + length);
  const numbers = (count: number): Uint32Array => {
    const view = new Uint32Array(buffer, at, count);
    at += count * 4;
    return view;
  };
  const bytes = (count: number): Uint8Array => {
    const view = new Uint8Array(buffer, at, count);
    at += count;
    return view;
  };
  const starts = numbers(head.tickets);
  const nameStarts = numbers(head.names);
  const nameTickets = numbers(head.names);
  const keys = bytes(head.tickets * KEY_BYTES);
  const recordBytes = bytes(head.records);
  const lineBytes = bytes(head.lines);
  return { ...head, format, buffer, starts, nameStarts, nameTickets, keys, recordBytes, lineBytes };
}

/** Puts the parts together. */
export function joinPacked(head: Head, numbers: readonly Uint32Array[], bytes: readonly Uint8Array[]): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const sizes = [...numbers, ...bytes].reduce((sum, part) => sum + part.byteLength, 0);
  const buffer = new ArrayBuffer(aligned(4 + text.length) + sizes);
  new DataView(buffer).setUint32(0, text.length);
  const all = new Uint8Array(buffer);
  all.set(text, 4);
  let at = aligned(4 + text.length);
  for (const part of [...numbers, ...bytes]) {
    all.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return buffer;
}

const wanted = new Uint8Array(KEY_BYTES);

/** The number of the ticket with this key, or -1. */
export function findTicket({ keys, tickets }: Packed, key: string): number {
  writeKey(wanted, 0, key);
  let low = 0;
  let high = tickets - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = compareKeys(keys, middle * KEY_BYTES, wanted, 0);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

export function compareKeys(a: Uint8Array, atA: number, b: Uint8Array, atB: number): number {
  for (let i = 0; i < KEY_BYTES; i += 1) {
    const order = a[atA + i]! - b[atB + i]!;
    if (order !== 0) return order;
  }
  return 0;
}

export const entryAt = ({ recordBytes, starts, texts, format }: Packed, ticket: number): KeptEntry =>
  readEntry(new Reader(recordBytes, starts[ticket]!), texts, format);

export const skimAt = ({ recordBytes, starts, texts, format }: Packed, ticket: number) =>
  skimEntry(new Reader(recordBytes, starts[ticket]!), texts, format);

export const keyAt = ({ keys }: Packed, ticket: number): string => readKey(keys, ticket * KEY_BYTES);

export function lookUp(packed: Packed, key: string): KeptEntry | null {
  const ticket = findTicket(packed, key);
  return ticket === -1 ? null : entryAt(packed, ticket);
}

/** The tickets whose people went through a zone or an exit. */
export function* ticketsWithPasses(packed: Packed): Generator<number> {
  const { recordBytes, starts, tickets } = packed;
  for (let ticket = 0; ticket < tickets; ticket += 1) {
    if ((recordBytes[starts[ticket]!]! & PASSES) !== 0) yield ticket;
  }
}

const decoder = new TextDecoder();

/** A name as it is searched (names.ts). */
export function lineAt({ lineBytes, nameStarts, names }: Packed, name: number): string {
  const end = (name + 1 < names ? nameStarts[name + 1]! : lineBytes.length) - 1;
  return decoder.decode(lineBytes.subarray(nameStarts[name]!, end));
}
