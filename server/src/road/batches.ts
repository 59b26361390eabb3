import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../clock.ts';
import { sha256 } from '../sha256.ts';
import type { Id } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { type Tx, transaction } from '../store/tx.ts';
import type { Caller } from './caller.ts';
import { refuse } from './refusal.ts';

/**
 * A paired device uploads one batch at a time, and the next no sooner than a second later. Shared by the processes like the
 * budgets of keys (rates.ts), and by the same three stores.
 *
 * free → in flight       a batch comes; it has a lease, because a process may be killed
 * in flight → resting    it is answered, whatever the answer
 * in flight → free       its lease is over
 * resting → free         after a second
 *
 * A retry of the batch in flight, with its Idempotency-Key, is let through: the road gives it the answer of the first.
 */
const REST = 1000;
export const BATCH_LEASE = 30_000;
/** So many retries of a batch in flight wait for its answer in one process; each holds its body in memory. */
const RETRIES = 3;

export interface Of {
  org: Id;
  device: Id;
}
/** What stands there after the asking: the own flight, if it could begin. */
export interface Standing {
  flight: string | null;
  claim: string;
  /** Until it is free by itself, in milliseconds. */
  wait: number;
}
export interface BatchStore {
  begin(of: Of, flight: string, claim: string): Promise<Standing>;
  /** Does nothing if its lease was over and another one has begun. */
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
        message: 'A device sends its next batch no sooner than a second after the last one.',
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

/** An end that is not recorded ends with the lease: no answer is lost by it. */
const once = (end: () => Promise<void>): Flight => {
  let ended: Promise<void> | undefined;
  return {
    end: () => {
      ended ??= end().catch(() => {});
      return ended;
    },
  };
};

/** Where one process serves. */
export class MemoryBatches implements BatchStore {
  readonly #devices = new Map<Id, { flight: string | null; claim: string; freeAt: number }>();
  readonly #clock: Clock;
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  async begin({ device }: Of, flight: string, claim: string): Promise<Standing> {
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

/** Where several processes share a database: with the device. */
export class PostgresBatches implements BatchStore {
  readonly #pool: Pool;
  readonly #clock: Clock;
  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  begin({ org, device }: Of, flight: string, claim: string): Promise<Standing> {
    return this.#inside(org, async (tx) => {
      const now = this.#clock.now();
      const leased = new Date(now.getTime() + BATCH_LEASE);
      tx.send(sql`
        update devices set batch_flight = ${flight}, batch_claim = ${claim}, batch_free_at = ${leased}
        where org_id = ${org} and id = ${device}
          and (batch_free_at is null or batch_free_at <= ${now} or batch_free_at > ${leased})`);
      // In a new statement: after the wait for whoever began at the same moment.
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

  /** A crash of the database may forget it, so nobody waits for the disk. */
  #inside<T>(org: Id, work: (tx: Tx) => Promise<T>): Promise<T> {
    return transaction(this.#pool, this.#clock, { role: 'app', org }, (tx) => {
      tx.send(sql`select set_config('synchronous_commit', 'off', true)`);
      return work(tx);
    });
  }
}

/** Where many machines serve. Redis keeps its own time. */
export class RedisBatches implements BatchStore {
  readonly #redis: Redis;
  constructor(redis: Redis) {
    this.#redis = redis;
  }

  async begin({ device }: Of, flight: string, claim: string): Promise<Standing> {
    const name = nameOf(device);
    for (;;) {
      if ((await this.#redis.set(name, `${flight} ${claim}`, 'PX', BATCH_LEASE, 'NX')) !== null) {
        return { flight, claim, wait: BATCH_LEASE };
      }
      const [stands, wait] = await Promise.all([this.#redis.get(name), this.#redis.pttl(name)]);
      if (stands === null) continue; // it was over between the two: once more
      const [met, its] = stands.split(' ') as [string, string];
      return { flight: met === RESTING ? null : met, claim: its, wait: Math.max(wait, 1) };
    }
  }

  async end({ device }: Of, flight: string, claim: string): Promise<void> {
    await this.#redis.eval(END, 1, nameOf(device), `${flight} ${claim}`, `${RESTING} ${claim}`, REST);
  }
}
const nameOf = (device: Id): string => `turnout:batch:${device}`;
const RESTING = '-';
/** In one step: between a look and a write another one could have begun. */
const END = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3]) end`;
