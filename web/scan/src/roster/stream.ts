import type { RosterEntry } from './entry.ts';
import { isHash } from './ids.ts';

/**
 * Reads a roster while it arrives: `{ "as_of": …, "data": [ … ] }`, which may be a hundred megabytes. It is cut where an entry begins.
 * Inside a text the quotes of this mark would be written as \", so it is found nowhere else.
 */
const MARK = '{"code_sha256":"';
/** Parsing some entries at once is faster than one by one, and keeps little in memory. */
const BLOCK = 1 << 17;

/** Not a roster: cut off, or an answer of somebody else. */
export class NotARoster extends Error {
  override readonly name = 'NotARoster';
}

/** Feeds each entry to `add` and returns the roster's `as_of`. */
export async function readRoster(
  chunks: AsyncIterable<string>,
  add: (entry: RosterEntry) => void,
): Promise<{ as_of: string }> {
  let head: string | null = null;
  let held = '';
  for await (const chunk of chunks) {
    held += chunk;
    if (head === null) {
      const first = held.indexOf(MARK);
      if (first === -1) continue;
      head = held.slice(0, first);
      held = held.slice(first);
    }
    if (held.length < BLOCK) continue;
    const last = held.lastIndexOf(MARK);
    if (last === 0) continue;
    for (const entry of parseLine(`[${withoutComma(held.slice(0, last))}]`) as unknown[]) add(checkedEntry(entry));
    held = held.slice(last);
  }
  const rest = parseLine((head ?? '') + held) as { as_of?: unknown; data?: unknown } | null;
  if (typeof rest?.as_of !== 'string' || Number.isNaN(Date.parse(rest.as_of)) || !Array.isArray(rest.data)) {
    throw new NotARoster('The answer is not a roster.');
  }
  for (const entry of rest.data) add(checkedEntry(entry));
  return { as_of: rest.as_of };
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotARoster('The roster is cut off or is not JSON.');
  }
}

const withoutComma = (text: string): string => text.slice(0, text.lastIndexOf(','));

export function checkedEntry(entry: unknown): RosterEntry {
  const one = entry as RosterEntry | null;
  if (!isHash(one?.code_sha256) || typeof one.ticket_id !== 'string' || !Array.isArray(one.people)) {
    throw new NotARoster('An entry of the roster is not as it should be.');
  }
  return one;
}
