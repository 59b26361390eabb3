import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../store/pool.ts';

/**
 * Work that nobody waits for gives way to callers. Between two pieces of work it rests: six times as long as the last piece took, times
 * the part of that time in which a caller was being served. So while a door scans without a pause, a job has a seventh of its speed, and it
 * always gets on; on an idle machine it never rests. Nothing may be locked or held during a rest that others need.
 *
 * What scans lose is what the job uses of the machine, so the factor decides. With two, scans beside an export kept 0.7 of their speed, with
 * four 0.85 (docs/decisions/0054-jobs-give-way.md).
 */
const REST = 6;
/** A piece of work that took long was about something large; callers do not need a rest of minutes after it. */
const LONGEST_REST_MS = 2_000;
/** Pieces are counted together until they took so long. A timer is not more exact than a millisecond. */
const PIECE_MS = 5;

/** The part of the time in which a caller was being served, from 0 to 1, since it was asked last. */
export type Served = () => number | Promise<number>;

export interface Time {
  /** In milliseconds. */
  now(): number;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<unknown>;
}

const machineTime: Time = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => {}),
};

/** What one job, or one run of a schedule, owes to callers. */
export class GiveWay {
  readonly #served: Served;
  readonly #signal: AbortSignal | undefined;
  readonly #time: Time;
  #began: number;
  /** Not before this time the next piece begins. */
  #next = 0;
  /** The last piece that was given to `inTurn`, with all before it. */
  #last: Promise<unknown> = Promise.resolve();

  /** With `signal`, a rest ends when it is aborted. */
  constructor(served: Served, signal?: AbortSignal, time: Time = machineTime) {
    this.#served = served;
    this.#signal = signal;
    this.#time = time;
    this.#began = time.now();
  }

  /** Waits until a piece of work may begin. Other waits since the last one count as rest. */
  async begin(): Promise<void> {
    const rest = this.#next - this.#time.now();
    if (rest >= 1) await this.#time.sleep(rest, this.#signal);
    if (this.#next > 0) await this.#served();
    this.#next = 0;
    this.#began = this.#time.now();
  }

  /** A piece of work is over. */
  async end(): Promise<void> {
    const took = this.#time.now() - this.#began;
    if (took < PIECE_MS) return;
    const rest = Math.min(LONGEST_REST_MS, took * REST * (await this.#served()));
    this.#began = this.#time.now();
    this.#next = this.#began + rest;
  }

  /** Between two pieces of work. */
  async pause(): Promise<void> {
    await this.end();
    if (this.#next > 0) await this.begin();
  }

  /** Does pieces of work that come at the same time one after the other, and rests between them. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      await this.begin();
      try {
        return await work();
      } finally {
        await this.end();
      }
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

/**
 * A process that answers calls knows from its pool whether it does. A worker of its own asks PostgreSQL, which knows what the others
 * do at this moment; the answers of several moments count together.
 */
export const servedBy = (pool: Pool, time: Pick<Time, 'now'> = machineTime): Served =>
  pool.asksForCallers ? asked(pool) : measured(pool, time);

function measured({ places }: Pool, time: Pick<Time, 'now'>): Served {
  let at = time.now();
  let before = places.servedMs;
  return () => {
    const [now, served] = [time.now(), places.servedMs];
    const share = now > at ? Math.min(1, (served - before) / (now - at)) : 0;
    [at, before] = [now, served];
    return share;
  };
}

/** How much the answer of this moment counts, beside those before. */
const WEIGHT = 0.3;
const CALLERS = {
  name: 'callers',
  text: `select exists (select from pg_stat_activity where datname = current_database() and application_name = 'turnout'
    and state <> 'idle') as served`,
};

function asked(pool: Pool): Served {
  let share = 0;
  return async () => {
    const { rows } = await pool.query<{ served: boolean }>(CALLERS);
    share += WEIGHT * (Number(rows[0]!.served) - share);
    return share;
  };
}
