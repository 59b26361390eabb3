import { randomFillSync } from 'node:crypto';

/**
 * An id inside Turnout: a ULID in the spelling of a uuid, as PostgreSQL stores it. It becomes base32 only at the edge
 * (`toUlid`), so a join, an index or a log never converts.
 */
export type Id = string;

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const VALUE = new Uint8Array(128);
for (const [value, letter] of [...ALPHABET].entries()) {
  VALUE[letter.charCodeAt(0)] = value;
  VALUE[letter.toLowerCase().charCodeAt(0)] = value;
}
const ULID = /^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$/;

// An id is written into one of these buffers, letter by letter, and read out as one string. Adding up strings builds a chain
// that is flattened only later. Making an id took 880 ns with the `ulid` package and such a chain and takes 180 ns now;
// `toUlid` took 390 ns and takes 190 ns (measured).
const ulidLetters = Buffer.alloc(26);
const uuidLetters = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');

// Random bytes are fetched in bulk: one system call per id took 2 to 5 % of the server's time (measured).
const pool = Buffer.alloc(4096);
let used = pool.length;

const newest = new Uint8Array(16);
let newestAt = -1;
/** A clock that is set back by more than this was wrong before. Ids then begin anew, or they would stay dated in the future. */
const CORRECTION_MS = 60_000;

/**
 * Writes the next id into `newest`. Within one millisecond, and where the clock goes back a little, the ids count up from the
 * newest, so the ids of one process sort in the order in which they were made.
 */
function makeNext(at: number): void {
  if (at <= newestAt && at > newestAt - CORRECTION_MS) {
    for (let i = 15; i >= 6; i -= 1) {
      newest[i] = newest[i]! + 1;
      if (newest[i] !== 0) return;
    }
    throw new Error('all ids of this millisecond are used up');
  }
  newestAt = at;
  for (let i = 5, rest = at; i >= 0; i -= 1, rest = Math.floor(rest / 256)) newest[i] = rest % 256;
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  newest.set(pool.subarray(used, used + 10), 6);
  newest[6] = newest[6]! & 0x7f; // leaves room for counting up
  used += 10;
}

export function newId(at: Date): Id {
  makeNext(at.getTime());
  return uuidOf(newest);
}
export const newUlid = (at: Date): string => toUlid(newId(at));

const HEX = Buffer.from('0123456789abcdef', 'latin1');
const HYPHENS = new Set([8, 13, 18, 23]);
/** For each byte, the position of its first digit in a uuid. */
const PLACE = Uint8Array.from({ length: 36 }, (_, i) => i)
  .filter((i) => !HYPHENS.has(i))
  .filter((_, n) => n % 2 === 0);

function uuidOf(bytes: Uint8Array): Id {
  for (let i = 0; i < 16; i += 1) {
    uuidLetters[PLACE[i]!] = HEX[bytes[i]! >> 4]!;
    uuidLetters[PLACE[i]! + 1] = HEX[bytes[i]! & 15]!;
  }
  return uuidLetters.toString('latin1');
}

/** When the id was made. */
export const timeOf = (id: Id): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

let turn = 0;
/**
 * The first 16 hex digits of ids that SQL makes for many rows at once: the time and a number that grows with every statement, so
 * that the ids of two statements keep their order also within a millisecond. SQL appends the row's number and random digits.
 */
export function idsFrom(at: Date): string {
  turn = (turn + 1) % 0x10000;
  return at.getTime().toString(16).padStart(12, '0') + turn.toString(16).padStart(4, '0');
}

export const isUlid = (text: string): boolean => ULID.test(text);

const read = new Uint8Array(16);

/** 26 letters of base32 hold 130 bits. The first letter is at most 7, so the first two bits are zero and 128 remain. */
export function toUuid(ulid: string): Id {
  let held = 0;
  let bits = -2;
  let byte = 0;
  for (let i = 0; i < 26; i += 1) {
    held = (held << 5) | VALUE[ulid.charCodeAt(i)]!;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    read[byte++] = held >> bits;
    held &= (1 << bits) - 1;
  }
  return uuidOf(read);
}

const NIBBLE = new Uint8Array(128);
for (let value = 0; value < 16; value += 1) NIBBLE[value.toString(16).charCodeAt(0)] = value;

export function toUlid(id: Id): string {
  let held = 0;
  let bits = 2; // two leading zero bits fill 128 up to 130
  let letter = 0;
  for (let i = 0; i < 36; i += 1) {
    const digit = id.charCodeAt(i);
    if (digit === 45) continue; // a hyphen
    held = (held << 4) | NIBBLE[digit]!;
    bits += 4;
    if (bits >= 5) {
      bits -= 5;
      ulidLetters[letter++] = ALPHABET.charCodeAt((held >> bits) & 31);
      held &= (1 << bits) - 1;
    }
  }
  return ulidLetters.toString('latin1');
}

export const ulidOrNull = (id: Id | null): string | null => (id === null ? null : toUlid(id));

/** Whether a reference is an id or a code. A code never looks like a ULID, so it cannot be both. */
export const parseRef = (ref: string): { id: Id; code: null } | { id: null; code: string } =>
  isUlid(ref) ? { id: toUuid(ref), code: null } : { id: null, code: ref };
