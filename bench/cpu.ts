import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time in milliseconds, from /proc; null on systems without it. On a machine that others use as well it is steadier than
 * speed. The kernel counts in ticks of 10 ms, which do not matter in a round of a second or more.
 */
const TICK_MS = 10;

interface Stat {
  pid: number;
  parent: number;
  /** CPU time of the process itself, and of its children that have ended. */
  own: number;
  ended: number;
}

function stat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) * TICK_MS;
    return { pid, parent: Number(fields[1]), own: ticks(11), ended: ticks(13) };
  } catch {
    return null;
  }
}

export const parentOf = (pid: number): number | null => stat(pid)?.parent ?? null;

export const cpuOf = (pid: number): number | null => stat(pid)?.own ?? null;

/** CPU time of a process and its children: of PostgreSQL and its backends. */
export function cpuOfFamily(pid: number): number | null {
  const head = stat(pid);
  if (head === null) return null;
  let total = head.own + head.ended;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const one = stat(Number(name));
    if (one !== null && one.parent === pid) total += one.own;
  }
  return total;
}
