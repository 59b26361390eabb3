import type { Logger } from 'pino';
import type { Id } from '../../common/ids.ts';
import { inTime } from '../../common/in-time.ts';
import type { BatchState, BatchStore, Of } from './batches.ts';
import type { RateStore, RateWindow } from './rates.ts';

/** Nothing that Redis does for us takes longer than a few milliseconds. */
const PATIENCE_MS = 500;
/** How long nobody asks again after it did not answer, so that not every call waits for it. */
const AWAY_MS = 2_000;

/** Does it with Redis, or with PostgreSQL while Redis does not answer. */
export class Spare {
  #awayUntil = Number.NEGATIVE_INFINITY;
  #isAway = false;
  readonly #log: Pick<Logger, 'warn' | 'info'>;

  constructor(log: Pick<Logger, 'warn' | 'info'>) {
    this.#log = log;
  }

  async either<T>(redis: () => Promise<T>, postgres: () => Promise<T>): Promise<T> {
    if (performance.now() < this.#awayUntil) return postgres();
    let answer: T;
    try {
      answer = await inTime(PATIENCE_MS, redis());
    } catch (error) {
      this.#awayUntil = performance.now() + AWAY_MS;
      if (!this.#isAway) this.#log.warn({ err: error }, 'Redis does not answer; PostgreSQL counts meanwhile');
      this.#isAway = true;
      return postgres();
    }
    if (this.#isAway) this.#log.info('Redis answers again');
    this.#isAway = false;
    return answer;
  }
}

/** A budget that is counted anew in PostgreSQL has a window of its own: in that minute a key may have up to twice its calls. */
export class SpareRates implements RateStore {
  readonly #spare: Spare;
  readonly #redis: RateStore;
  readonly #postgres: RateStore;
  constructor(spare: Spare, redis: RateStore, postgres: RateStore) {
    this.#spare = spare;
    this.#redis = redis;
    this.#postgres = postgres;
  }
  take(key: Id, lasts?: number): Promise<RateWindow> {
    return this.#spare.either(
      () => this.#redis.take(key, lasts),
      () => this.#postgres.take(key, lasts),
    );
  }
}

/** A flight ends in the store in which it began. */
export class SpareBatches implements BatchStore {
  readonly #spare: Spare;
  readonly #redis: BatchStore;
  readonly #postgres: BatchStore;
  readonly #inPostgres = new Set<string>();
  constructor(spare: Spare, redis: BatchStore, postgres: BatchStore) {
    this.#spare = spare;
    this.#redis = redis;
    this.#postgres = postgres;
  }
  begin(of: Of, flight: string, claim: string): Promise<BatchState> {
    let asked: Promise<BatchState> | undefined;
    return this.#spare.either(
      () => {
        asked = this.#redis.begin(of, flight, claim);
        return asked;
      },
      async () => {
        // It may still begin in Redis after it was given up. There it would end with its lease only.
        asked
          ?.then(async (late) => {
            if (late.flight === flight) await this.#redis.end(of, flight, claim);
          })
          .catch(() => {});
        const state = await this.#postgres.begin(of, flight, claim);
        if (state.flight === flight) this.#inPostgres.add(flight);
        return state;
      },
    );
  }
  async end(of: Of, flight: string, claim: string): Promise<void> {
    if (this.#inPostgres.delete(flight)) await this.#postgres.end(of, flight, claim);
    // Away, the flight ends with its lease.
    else
      await this.#spare.either(
        () => this.#redis.end(of, flight, claim),
        async () => {},
      );
  }
}
