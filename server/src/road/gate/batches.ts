import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { sha256 } from '../../common/sha256.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import type { Caller } from '../caller.ts';

/**
 * A paired device uploads one batch of scans at a time, and the next one no sooner than a second after the answer. All processes
 * share this state, in one of the same three stores as the budgets of keys (rates.ts).
 *
 *   free        The device may send a batch.
 *   in flight   A batch is being worked on. It has a lease, because the process that works on it may be killed.
 *   resting     The batch was answered less than a second ago.
 *
 *   free → in flight      A batch arrives.
 *   in flight → resting   The batch is answered, whatever the answer is.
 *   in flight → free      The lease has run out.
 *   resting → free        A second has passed.
 *
 * A retry of the batch in flight, with the same Idempotency-Key, is let through: the road gives it the answer of the first one.
 */
const REST = 1000;
export const BATCH_LEASE = 30_000;
/** How many retries of one batch may wait for its answer in one process. Each of them holds its body in memory. */
const RETRIES = 3;

export interface Of {
  org: Id;
  device: Id;
}

/** The state of a device after `begin`. */
export interface BatchState {
  /** The flight in progress: our own if it could begin. Null while the device is resting. */
  flight: string | null;
  /** The hash of the Idempotency-Key of that flight, or of the last one. */
  claim: string;
  /** Milliseconds until the device is free if nothing else happens. */
  wait: number;
}

export interface BatchStore {
  begin(of: Of, flight: string, claim: string): Promise<BatchState>;
  /** Does nothing if the lease had run out and another flight has begun. */
  end(of: Of, flight: string, claim: string): Promise<void>;
}

export interface Flight {
  end(): Promise<void>;
}

export class Batches {
  readonly #store: BatchStore;
  readonly #retries = new Map<Id, number>();
  constructor(store: BatchStore) {
    this.#store = store;
  }

  async begin({ actor, org }: Caller, idempotencyKey: string | string[] | undefined): Promise<Flight> {
    const of = { org: org.id, device: actor.id! };
    const flight = randomUUID();
    const claim = sha256(String(idempotencyKey));
    const met = await this.#store.begin(of, flight, claim);
    if (met.flight === flight) return once(() => this.#store.end(of, flight, claim));
    if (met.flight === null) {
      refuse('rate_limited', {
        message: 'A device may send its next batch a second after the answer to the last one. Wait a second.',
        headers: { 'Retry-After': String(Math.max(1, Math.ceil(met.wait / 1000))) },
      });
    }
    const retries = this.#retries.get(of.device) ?? 0;
    if (met.claim !== claim || retries >= RETRIES) refuse('batch_in_progress', { headers: { 'Retry-After': '1' } });
    this.#retries.set(of.device, retries + 1);
    return once(async () => {
      const left = this.#retries.get(of.device)! - 1;
      if (left > 0) this.#retries.set(of.device, left);
      else this.#retries.delete(of.device);
    });
  }
}

/** Ends a flight once. If that cannot be recorded, the flight ends with its lease; no answer is lost. */
const once = (end: () => Promise<void>): Flight => {
  let ended: Promise<void> | undefined;
  return {
    end: () => {
      ended ??= end().catch(() => {});
      return ended;
    },
  };
};

/** For an installation with one process. */
export class MemoryBatches implements BatchStore {
  readonly #devices = new Map<Id, { flight: string | null; claim: string; freeAt: number }>();
  readonly #clock: Clock;
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  async begin({ device }: Of, flight: string, claim: string): Promise<BatchState> {
    const now = this.#clock.now().getTime();
    let met = this.#devices.get(device);
    if (met === undefined || met.freeAt <= now || met.freeAt > now + BATCH_LEASE) {
      if (this.#devices.size > 10_000) this.#sweep(now);
      met = { flight, claim, freeAt: now + BATCH_LEASE };
      this.#devices.set(device, met);
    }
    return { flight: met.flight, claim: met.claim, wait: met.freeAt - now };
  }
  async end({ device }: Of, flight: string, claim: string): Promise<void> {
    if (this.#devices.get(device)?.flight !== flight) return;
    this.#devices.set(device, { flight: null, claim, freeAt: this.#clock.now().getTime() + REST });
  }
  #sweep(now: number): void {
    for (const [device, { freeAt }] of this.#devices) if (freeAt <= now) this.#devices.delete(device);
  }
}

/** For several processes that share a database. The state is in the device's row. */
export class PostgresBatches implements BatchStore {
  readonly #pool: Pool;
  readonly #clock: Clock;
  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  begin({ org, device }: Of, flight: string, claim: string): Promise<BatchState> {
    return this.#inside(org, async (tx) => {
      const now = this.#clock.now();
      const leased = new Date(now.getTime() + BATCH_LEASE);
      tx.send(sql`
        update devices set batch_flight = ${flight}, batch_claim = ${claim}, batch_free_at = ${leased}
        where org_id = ${org} and id = ${device}
          and (batch_free_at is null or batch_free_at <= ${now} or batch_free_at > ${leased})`);
      // The update may have waited for another process that began at the same moment. Only a new statement sees what that one
      // wrote.
      const met = await tx.maybe<{ batch_flight: string | null; batch_claim: string; batch_free_at: string }>(sql`
        select batch_flight, batch_claim, batch_free_at from devices where org_id = ${org} and id = ${device}`);
      if (met === null) return refuse('api_key_unknown', { message: 'This scanner is not paired. Pair it again.' });
      const wait = Date.parse(met.batch_free_at) - now.getTime();
      return { flight: met.batch_flight, claim: met.batch_claim, wait };
    });
  }

  async end({ org, device }: Of, flight: string): Promise<void> {
    const free = new Date(this.#clock.now().getTime() + REST);
    await this.#inside(org, (tx) =>
      tx.run(sql`
        update devices set batch_flight = null, batch_free_at = ${free}
        where org_id = ${org} and id = ${device} and batch_flight = ${flight}`),
    );
  }

  /** Nobody waits for the disk here: if the database crashes, this state may be lost. */
  #inside<T>(org: Id, work: (tx: Tx) => Promise<T>): Promise<T> {
    return transaction(this.#pool, this.#clock, { role: 'app', org }, (tx) => {
      tx.send(sql`select set_config('synchronous_commit', 'off', true)`);
      return work(tx);
    });
  }
}

/** For many machines. Redis measures the time by its own clock. */
export class RedisBatches implements BatchStore {
  readonly #redis: Redis;
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async begin({ device }: Of, flight: string, claim: string): Promise<BatchState> {
    const name = nameOf(device);
    for (;;) {
      if ((await this.#redis.set(name, `${flight} ${claim}`, 'PX', BATCH_LEASE, 'NX')) !== null) {
        return { flight, claim, wait: BATCH_LEASE };
      }
      const [value, wait] = await Promise.all([this.#redis.get(name), this.#redis.pttl(name)]);
      if (value === null) continue; // it expired between the two commands, so the device is free now
      const [current, itsClaim] = value.split(' ') as [string, string];
      return { flight: current === RESTING ? null : current, claim: itsClaim, wait: Math.max(wait, 1) };
    }
  }

  async end({ device }: Of, flight: string, claim: string): Promise<void> {
    await this.#redis.eval(END, 1, nameOf(device), `${flight} ${claim}`, `${RESTING} ${claim}`, REST);
  }
}
const nameOf = (device: Id): string => `turnout:batch:${device}`;
const RESTING = '-';
/** Compares and writes in one step. Between two commands, another flight could begin. */
const END = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3]) end`;
