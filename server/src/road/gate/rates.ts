import type { Redis } from 'ioredis';
import { type Clock, MINUTE } from '../../clock.ts';
import { Coalescer } from '../../common/coalesce.ts';
import type { Id } from '../../common/ids.ts';
import { lookup } from '../../store/lookup.ts';
import type { Pool } from '../../store/pool.ts';

/**
 * Each key has one budget of calls. Its window is one minute long and begins with a call; when the budget is used up, further
 * calls in that minute are refused. What else is counted may have windows of another length. There are three stores with one interface. We do not use a library for this, because the
 * window must follow the injected clock and because PostgreSQL counts many requests with one statement
 * (docs/decisions/0003-rates.md).
 */
export interface RateStore {
  /** Counts one call. Returns how many calls this window has had, and when it ends. The windows of one key all last equally long. */
  take(key: Id, lasts?: number): Promise<RateWindow>;
}
export interface RateWindow {
  calls: number;
  resetsAt: number;
}

/** For an installation with one process. */
export class MemoryRates implements RateStore {
  readonly #windows = new Map<Id, { startedAt: number; lasts: number; calls: number }>();
  readonly #clock: Clock;
  /** How many windows there may be before those that are over are removed. */
  #most = 100_000;
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  async take(key: Id, lasts = MINUTE): Promise<RateWindow> {
    const now = this.#clock.now().getTime();
    let window = this.#windows.get(key);
    if (window === undefined || window.startedAt <= now - lasts || window.startedAt > now) {
      if (this.#windows.size >= this.#most) this.#sweep(now);
      window = { startedAt: now, lasts, calls: 0 };
      this.#windows.set(key, window);
    }
    window.calls += 1;
    return { calls: window.calls, resetsAt: window.startedAt + lasts };
  }
  #sweep(now: number): void {
    for (const [key, { startedAt, lasts }] of this.#windows) if (startedAt <= now - lasts) this.#windows.delete(key);
    // If few of them were over, the next sweep waits until there are twice as many. Otherwise every new key would look at all others.
    this.#most = Math.max(100_000, 2 * this.#windows.size);
  }
}

/** For several processes that share a database. Requests that arrive together are counted by one statement. */
export class PostgresRates implements RateStore {
  readonly #calls: Coalescer<Id, RateWindow>;
  readonly #longer = new Map<number, Coalescer<Id, RateWindow>>();
  readonly #pool: Pool;
  readonly #clock: Clock;
  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
    this.#calls = this.#counting(
      MINUTE,
      'rates_consume',
      'select key_id, started_at, calls from directory.consume($1, $2, $3)',
    );
  }
  take(key: Id, lasts = MINUTE): Promise<RateWindow> {
    if (lasts === MINUTE) return this.#calls.ask(key);
    let counting = this.#longer.get(lasts);
    if (counting === undefined) {
      counting = this.#counting(
        lasts,
        `rates_consume_${lasts}`,
        `select key_id, started_at, calls from directory.consume_within($1, $2, $3, interval '${lasts} milliseconds')`,
      );
      this.#longer.set(lasts, counting);
    }
    return counting.ask(key);
  }
  #counting(lasts: number, name: string, text: string): Coalescer<Id, RateWindow> {
    return new Coalescer(async (keys) => {
      const counted = new Map<Id, number>();
      for (const key of keys) counted.set(key, (counted.get(key) ?? 0) + 1);
      const { rows } = await lookup(this.#pool, {
        name,
        text,
        values: [[...counted.keys()], [...counted.values()], this.#clock.now()],
      });
      const windows = new Map<Id, { startedAt: number; next: number }>();
      for (const row of rows) {
        // `calls` is the total after the whole batch. The numbers are handed out in the order of arrival.
        windows.set(row.key_id, {
          startedAt: Date.parse(row.started_at),
          next: row.calls - counted.get(row.key_id)! + 1,
        });
      }
      return keys.map((key) => {
        const window = windows.get(key)!;
        return { calls: window.next++, resetsAt: window.startedAt + lasts };
      });
    });
  }
}

/** For many machines. Redis measures the time by its own clock, and its key lives as long as the window. */
export class RedisRates implements RateStore {
  readonly #redis: Redis;
  readonly #clock: Clock;
  constructor(redis: Redis, clock: Clock) {
    this.#redis = redis;
    this.#clock = clock;
  }
  async take(key: Id, lasts = MINUTE): Promise<RateWindow> {
    const name = `turnout:rate:${key}`;
    const answers = await this.#redis.multi().incr(name).pexpire(name, lasts, 'NX').pttl(name).exec();
    const [calls, , left] = (answers ?? []).map(([error, value]) => {
      if (error !== null) throw error;
      return value as number;
    });
    if (calls === undefined || left === undefined) throw new Error('Redis gave no answer to the rate limit');
    return { calls, resetsAt: this.#clock.now().getTime() + left };
  }
}
