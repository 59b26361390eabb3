import type { Reader, Writer } from './bytes.ts';

/** Ids are ULIDs: 26 letters and digits that stand for 16 bytes. Anything else is kept as a text. */

const ULID_BYTES = 16;
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const VALUE = new Int8Array(128).fill(-1);
for (let i = 0; i < DIGITS.length; i += 1) VALUE[DIGITS.charCodeAt(i)] = i;

/** 26 digits of five bits are 130 bits; the first digit is at most 7, so the two highest bits are always zero. */
function writeUlid(out: Writer, id: string): void {
  let held = VALUE[id.charCodeAt(0)]!;
  let bits = 3;
  for (let i = 1; i < 26; i += 1) {
    held = ((held << 5) | VALUE[id.charCodeAt(i)]!) & 0xffff;
    bits += 5;
    while (bits >= 8) {
      bits -= 8;
      out.byte((held >> bits) & 0xff);
    }
  }
}

function readUlid(from: Reader): string {
  let held = 0;
  let bits = 2; // the two zero bits before the first byte
  let id = '';
  for (let i = 0; i < ULID_BYTES; i += 1) {
    held = ((held << 8) | from.byte()) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += DIGITS[(held >> bits) & 31];
    }
  }
  return id;
}

/** The first number is 0 for a ULID, else one more than the number of bytes of the text. */
export function writeId(out: Writer, id: string): void {
  if (ULID.test(id)) {
    out.byte(0);
    writeUlid(out, id);
    return;
  }
  const bytes = new TextEncoder().encode(id);
  out.number(bytes.length + 1);
  out.raw(bytes);
}

export function readId(from: Reader): string {
  const length = from.number();
  return length === 0 ? readUlid(from) : new TextDecoder().decode(from.raw(length - 1));
}

export function skipId(from: Reader): void {
  const length = from.number();
  from.at += length === 0 ? ULID_BYTES : length - 1;
}

/** How many bytes of a ticket's hash are kept. 16 of them make it impossible in practice that two tickets share a key. */
export const KEY_BYTES = 16;
const HASH = /^[0-9a-f]{64}$/;

/** The key of a ticket: the first 16 bytes of the hash of its code, in hexadecimal. */
export const keyOfHash = (hash: string): string => hash.slice(0, KEY_BYTES * 2);
export const isHash = (hash: unknown): hash is string => typeof hash === 'string' && HASH.test(hash);

export function writeKey(into: Uint8Array, at: number, key: string): void {
  for (let i = 0; i < KEY_BYTES; i += 1) into[at + i] = Number.parseInt(key.slice(i * 2, i * 2 + 2), 16);
}

export function readKey(from: Uint8Array, at: number): string {
  let key = '';
  for (let i = 0; i < KEY_BYTES; i += 1) key += from[at + i]!.toString(16).padStart(2, '0');
  return key;
}
