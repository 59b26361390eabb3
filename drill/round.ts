import { setTimeout as sleep } from 'node:timers/promises';
import { check, type Faults } from './check.ts';
import { Callers } from './client.ts';
import { mixedCalls, newEvent, readTruth } from './event.ts';
import type { Fault } from './faults.ts';
import { startJobs } from './jobs.ts';
import { whenWritable } from './node.ts';
import type { Stage } from './stage.ts';

/** What happened in one round. Times are in seconds. */
export interface Outcome extends Faults {
  calls: number;
  failed: number;
  unanswered: number;
  /** From the first failed answer to the last one. */
  failingFor: number;
  /** From the fault to the first write that the new primary took; null where the primary stays. */
  newPrimaryAfter: number | null;
  /** From then on to the last failed answer. Negative: it was before. */
  lastAfter: number | null;
  /** What the failed answers said, and how many said so. */
  said: Record<string, number>;
  /** Refusals that no caller should get. */
  surprises: Record<string, number>;
}

const BEFORE_MS = 6_000;
const FAULT_MS = 9_000;
const AFTER_MS = 5_000;
const HEALED_MS = 6_000;
/** Another primary must be there within this time. */
const MOVES_WITHIN_MS = 60_000;

export async function playRound(stage: Stage, fault: Fault, rate: number, name: string): Promise<Outcome> {
  const primary = await stage.settled();
  const longest = BEFORE_MS + MOVES_WITHIN_MS + AFTER_MS + HEALED_MS;
  const callers = new Callers(stage.url, stage.key);
  const event = await newEvent(callers, {
    code: name,
    // It is full some seconds after the fault.
    capacity: Math.round(rate * 0.2 * (fault.movesPrimary ? 18 : 12)),
    tickets: Math.ceil((rate * 0.4 * longest) / 1000) + 10,
  });
  const ended = new AbortController();
  const load = callers.load(rate, mixedCalls(event), ended.signal);
  load.catch(() => {});
  let outcome: Outcome;
  try {
    await sleep(BEFORE_MS);
    const jobs = fault.jobs === true ? startJobs(stage, event.code) : null;
    const struckAt = performance.now();
    const others = stage.nodes.filter((node) => node !== primary);
    const writable = fault.movesPrimary ? whenWritable(others[0]!, struckAt + MOVES_WITHIN_MS) : null;
    await fault.strike(stage, primary);
    const writableAt = (await writable) ?? null;
    if (fault.movesPrimary && writableAt === null) throw new Error(`${name}: no other node became the primary`);
    await sleep(writableAt === null ? FAULT_MS : AFTER_MS);
    await fault.heal(stage, primary);
    await sleep(HEALED_MS);
    ended.abort();
    await load;
    await jobs?.done();
    const { calls, failures, unanswered } = callers.log;
    const last = Math.max(0, ...failures.map(({ at }) => at));
    outcome = {
      calls: calls.length,
      failed: failures.length,
      unanswered,
      failingFor: failures.length === 0 ? 0 : (last - Math.min(...failures.map(({ at }) => at))) / 1000,
      newPrimaryAfter: writableAt === null ? null : (writableAt - struckAt) / 1000,
      lastAfter: writableAt === null || failures.length === 0 ? null : (last - writableAt) / 1000,
      said: count(failures.map(({ status, said }) => `${status} ${said}`)),
      surprises: count(calls.flatMap(({ refused }) => (refused === null || refused === 'type_full' ? [] : [refused]))),
      ...check(calls, await readTruth((await stage.settled()).url, stage.org, event), { limited: event.capacity }),
    };
    const late = failures.filter(({ at }) => writableAt !== null && at > writableAt + 5_000);
    for (const { sentAt, at, status, said } of late.slice(-8))
      process.stderr.write(
        `drill:   sent ${seconds(sentAt - writableAt!)} after the new primary, failed ${seconds(at - writableAt!)} after it: ${status} ${said}\n`,
      );
  } finally {
    ended.abort();
    await load.catch(() => {});
    await callers.close();
  }
  return outcome;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function count(words: readonly string[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const word of words) found[word] = (found[word] ?? 0) + 1;
  return found;
}
