import { setTimeout as sleep } from 'node:timers/promises';
import { API_VERSION } from '@turnout/contract';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Attempt, Outbound } from '../../outside/https.ts';
import type { Secrets } from '../../secrets.ts';
import type { Id } from '../../store/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import {
  atOnce,
  CAPS,
  type Caps,
  type Claimed,
  claim,
  type Held,
  LEASE,
  type Ready,
  readyEndpoints,
  release,
  shares,
  Tally,
  wantsMore,
} from './claim.ts';
import { envelopeName } from './queries.ts';
import { type Outcome, record } from './record.ts';
import { type SigningKey, signature, signingKey, standardHeaders } from './signature.ts';

export interface DelivererParts {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  outbound: Pick<Outbound, 'post'>;
  log: Logger;
  caps?: Caps;
}

/** An attempt takes 15 s at most: what has less than this of its lease left is not begun. */
const ENOUGH = 20_000;

/**
 * Sends what is due. Claims under a lease, never has a transaction open while it waits for a receiver, and writes down many
 * outcomes at once. Any number of processes run one of these; each endpoint has its own places, so a slow one delays nobody.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #caps: Caps;
  readonly #running = new Tally();
  /** Claimed: running, or waiting for a place. */
  readonly #held = new Tally();
  readonly #waiting = new Map<Id, Held[]>();
  readonly #keys = new WeakMap<Ready, SigningKey[]>();
  readonly #attempts = new Set<Promise<void>>();
  #ended: Outcome[] = [];
  #recording: Promise<void> | null = null;
  #loop: Promise<void> | null = null;
  #wake = () => {};
  #again = false;
  #stopping = false;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#caps = parts.caps ?? CAPS;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Something may be due. */
  wake(): void {
    this.#again = true;
    this.#wake();
  }

  /** Finishes what runs, and gives back what waits. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#loop;
    await this.#giveBack([...this.#waiting.values()].flat());
    this.#waiting.clear();
    await this.#settled();
  }

  /** One claim, and what came of it is on record: for tests that move the clock. */
  async step(): Promise<number> {
    const claimed = await this.#claim();
    await this.#settled();
    return claimed;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      this.#again = false;
      try {
        await this.#claim();
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#parts.log.warn({ loop: 'deliveries', err: error }, 'will try again');
      }
      if (!this.#again && !this.#stopping) {
        await this.#pause(failures === 0 ? LOOK_MS : Math.min(10_000, LOOK_MS * 2 ** failures));
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
    });
  }

  async #claim(): Promise<number> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    const lease = new Date(now.getTime() + LEASE);
    const claimed = await transaction(pool, clock, { role: 'system' }, async (tx): Promise<Held[]> => {
      neverWhole(tx);
      const wanted = shares(await readyEndpoints(tx, now), this.#held, this.#caps);
      if (wanted.length === 0) return [];
      const endpoints = new Map(wanted.map(({ endpoint }) => [endpoint.id, endpoint]));
      const rows = await claim(tx, wanted, now, lease);
      return rows.map((row) => ({ row, endpoint: endpoints.get(row.endpoint_id)!, lease }));
    });
    for (const one of claimed) {
      this.#held.add(one.row.org_id, one.row.endpoint_id, 1);
      const line = this.#waiting.get(one.row.endpoint_id);
      if (line === undefined) this.#waiting.set(one.row.endpoint_id, [one]);
      else line.push(one);
    }
    this.#launch();
    return claimed.length;
  }

  /** One of each endpoint in turn, while there are places. */
  #launch(): void {
    for (let begun = true; begun; ) {
      begun = false;
      for (const endpoint of this.#waiting.keys()) begun = this.#begin(endpoint) || begun;
    }
  }

  #begin(endpoint: Id): boolean {
    const line = this.#waiting.get(endpoint);
    const next = line?.[0];
    if (line === undefined || next === undefined || this.#stopping) return false;
    const { org_id } = next.row;
    const full =
      this.#running.all >= this.#caps.all ||
      this.#running.of(org_id) >= this.#caps.organization ||
      this.#running.of(endpoint) >= atOnce(next.endpoint, this.#caps);
    if (full) return false;
    line.shift();
    if (line.length === 0) this.#waiting.delete(endpoint);
    if (next.lease.getTime() - this.#parts.clock.now().getTime() < ENOUGH) {
      void this.#giveBack([next]);
      return true;
    }
    const attempt = this.#attempt(next).finally(() => this.#attempts.delete(attempt));
    this.#attempts.add(attempt);
    return true;
  }

  async #giveBack(held: readonly Held[]): Promise<void> {
    const { pool, clock, log } = this.#parts;
    for (const { row } of held) this.#held.add(row.org_id, row.endpoint_id, -1);
    if (held.length === 0) return;
    await transaction(pool, clock, { role: 'system' }, (tx) => release(tx, held)).catch((error) =>
      log.warn({ err: error }, 'leases were not given back; they end by themselves'),
    );
  }

  async #attempt({ row, endpoint, lease }: Held): Promise<void> {
    const { clock, outbound } = this.#parts;
    this.#running.add(row.org_id, row.endpoint_id, 1);
    const at = clock.now();
    const { signed, headers } = this.#sign(row, endpoint, at);
    const result: Attempt = await outbound.post(endpoint.url, headers, row.body);
    this.#running.add(row.org_id, row.endpoint_id, -1);
    this.#ended.push({ row, lease, at, endedAt: clock.now(), signature: signed, result });
    this.#recording ??= this.#recordAll().finally(() => {
      this.#recording = null;
    });
    // The place goes to the next of this endpoint, else to whoever waits for one.
    if (!this.#begin(row.endpoint_id)) this.#launch();
  }

  #sign(row: Claimed, endpoint: Ready, at: Date): { signed: string; headers: Record<string, string> } {
    const keys = this.#keysOf(endpoint, at);
    const t = Math.floor(at.getTime() / 1000);
    const signed = signature(keys, t, row.body);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `Turnout-Webhooks/${API_VERSION}`,
      'service-signature': signed,
      ...standardHeaders(envelopeName(row.envelope_id), keys, t, row.body),
    };
    return { signed, headers };
  }

  /** Opened once for what was claimed together; the old one only while both sign. */
  #keysOf(endpoint: Ready, at: Date): SigningKey[] {
    let keys = this.#keys.get(endpoint);
    if (keys === undefined) {
      const sealed = [endpoint.secret, ...(endpoint.old_secret === null ? [] : [endpoint.old_secret])];
      keys = sealed.map((one) => signingKey(this.#parts.secrets.decrypt(one).toString()));
      this.#keys.set(endpoint, keys);
    }
    const overlap = endpoint.old_secret_until !== null && new Date(endpoint.old_secret_until) > at;
    return overlap ? keys : keys.slice(0, 1);
  }

  /**
   * What ended while the last ones were being written is written next, in the order in which it ended; a few of them wait a
   * moment for more, while there are more to come.
   */
  async #recordAll(): Promise<void> {
    const { pool, clock, log } = this.#parts;
    await new Promise(setImmediate);
    while (this.#ended.length > 0) {
      if (this.#running.all > 0 && this.#ended.length < MANY) await sleep(GATHER_MS);
      const outcomes = this.#ended;
      this.#ended = [];
      try {
        await transaction(pool, clock, { role: 'system' }, (tx) => {
          plannedAnew(tx);
          return record(tx, outcomes);
        });
      } catch (error) {
        // Their leases end and they are sent again: a receiver may see an envelope twice.
        log.error({ err: error, deliveries: outcomes.length }, 'outcomes of deliveries were not written');
      }
      for (const { row } of outcomes) this.#held.add(row.org_id, row.endpoint_id, -1);
      if (outcomes.some(({ row }) => wantsMore(row.endpoint_id, this.#held, this.#caps))) this.wake();
    }
  }

  async #settled(): Promise<void> {
    while (this.#attempts.size > 0 || this.#recording !== null) {
      await Promise.all(this.#attempts);
      await this.#recording;
    }
  }
}

const LOOK_MS = 250;
/** One transaction for two hundred outcomes costs a third of ten for twenty each. */
const GATHER_MS = 15;
const MANY = 200;

/**
 * Tables that are empty now hold a hundred thousand rows a minute later, and a plan that was kept from then took twelve seconds
 * for a claim [m]. A claim is written so that it has one way to go, once reading whole partitions is out of the question; what
 * records outcomes is planned anew each time, which costs a millisecond or two for up to hundreds of them.
 */
const neverWhole = (tx: Tx): void => tx.send(sql`set local enable_seqscan = off`);
const plannedAnew = (tx: Tx): void => tx.send(sql`set local plan_cache_mode = force_custom_plan`);
