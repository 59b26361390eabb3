import { fit } from './names.ts';
import { lineAt, type Packed } from './packed.ts';

export interface Hit {
  /** The number of the ticket in the packed roster. */
  readonly ticket: number;
  readonly line: string;
  readonly fit: 0 | 1 | 2;
}

/**
 * The best hits in a packed roster, at most `most`, and how many there are in all. The lines are read from the first to the last: 250,000 names are 4 MB, which takes
 * a few milliseconds, so there is no index that would have to be kept.
 */
export function searchPacked(
  packed: Packed,
  words: readonly string[],
  most: number,
  leaveOut: (ticket: number) => boolean,
): { hits: Hit[]; count: number } {
  const found: [Hit[], Hit[], Hit[]] = [[], [], []];
  let count = 0;
  if (words.length === 0) return { hits: [], count };
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a));
  const needle = new TextEncoder().encode(` ${longest}`);
  for (const { name, read } of linesWith(packed, needle)) {
    const ticket = packed.nameTickets[name]!;
    if (leaveOut(ticket)) continue;
    // Once the best are there, the rest is only counted; a line with the only word fits without being read.
    if (words.length === 1 && found[0].length >= most) {
      count += 1;
      continue;
    }
    const line = read();
    const how = fit(line, words);
    if (how === null) continue;
    count += 1;
    if (found[how].length < most) found[how].push({ ticket, line, fit: how });
  }
  return { hits: found.flat().slice(0, most), count };
}

function* linesWith(packed: Packed, needle: Uint8Array): Generator<{ name: number; read(): string }> {
  const { lineBytes, nameStarts, names } = packed;
  for (let at = indexOf(lineBytes, needle, 0); at !== -1; ) {
    const name = nameAt(nameStarts, names, at);
    const end = (name + 1 < names ? nameStarts[name + 1]! : lineBytes.length) - 1;
    yield { name, read: () => lineAt(packed, name) };
    at = indexOf(lineBytes, needle, end);
  }
}

function indexOf(bytes: Uint8Array, needle: Uint8Array, from: number): number {
  // The second byte is the first letter, which is rarer than the space before it.
  const [, letter] = needle;
  const last = bytes.length - needle.length;
  outer: for (let at = from; at <= last; at += 1) {
    if (bytes[at + 1] !== letter) continue;
    for (let i = 0; i < needle.length; i += 1) if (bytes[at + i] !== needle[i]) continue outer;
    return at;
  }
  return -1;
}

/** The name whose line holds this byte. */
function nameAt(starts: Uint32Array, count: number, at: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
