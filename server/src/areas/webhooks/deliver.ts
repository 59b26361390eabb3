import { setTimeout as sleep } from 'node:timers/promises';
import { API_VERSION } from '@turnout/contract';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Attempt, Outbound } from '../../outside/https.ts';
import { envelopeName } from '../../road/record.ts';
import type { Secrets } from '../../secrets.ts';
import { type Id, newId } from '../../store/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import {
  atOnce,
  BEGINNING,
  CAPS,
  type Caps,
  type Claimed,
  dueOf,
  half,
  LEASE,
  lease,
  type Place,
  type Ready,
  readyEndpoints,
  release,
  shares,
  Tally,
  type Wanted,
  wantsMore,
} from './claim.ts';
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

/** An endpoint that is ours for now. */
interface Line {
  endpoint: Ready;
  leasedUntil: number;
  /** What it may hold. */
  share: number;
  waiting: Claimed[];
  /** Read from the queue and not yet on record: waiting for a place, running, or just ended. */
  held: Set<Id>;
  /** The last first attempt that was read. */
  after: Place;
}

/**
 * Sends what is due. Any number of processes run one of these and share the endpoints by leases; what a killed one was at, the
 * others take over. No transaction is open while it waits for a receiver. Each endpoint has its own places, so a slow one delays
 * nobody; outcomes are written many at once.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #caps: Caps;
  readonly #running = new Tally();
  /** Read from the queue and not yet sent: waiting for a place, or running. */
  readonly #unsent = new Tally();
  readonly #lines = new Map<Id, Line>();
  readonly #open = new Tally();
  readonly #name: Id;
  readonly #keys = new WeakMap<Ready, SigningKey[]>();
  #ended: Outcome[] = [];
  #recording: Promise<void> | null = null;
  /** Who waits for the end of it. */
  readonly #told: (() => void)[] = [];
  #loop: Promise<void> | null = null;
  #wake = () => {};
  #again = false;
  /** When all endpoints were looked at. */
  #surveyed = Number.NEGATIVE_INFINITY;
  #stopping = false;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#caps = parts.caps ?? CAPS;
    this.#name = newId(parts.clock.now());
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Something may be due. */
  wake(): void {
    this.#surveyed = Number.NEGATIVE_INFINITY;
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#again = true;
    this.#wake();
  }

  /** Finishes what runs, and leaves the rest to others. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#loop;
    await this.#settled();
    await this.#leave([...this.#lines.keys()]);
  }

  /** One look, and what came of it is on record: for tests that move the clock. */
  async step(): Promise<number> {
    this.wake();
    const found = await this.#look();
    await this.#settled();
    await this.#leave([...this.#lines.keys()]);
    return found;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      this.#again = false;
      try {
        await this.#look();
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

  /** Reads what is due; leaves the endpoints that have nothing. */
  async #look(): Promise<number> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    const refill = performance.now() - this.#surveyed < SURVEY_MS ? this.#refill(now) : null;
    if (refill?.length === 0) return 0;
    const due = await transaction(pool, clock, { role: 'system' }, async (tx): Promise<Claimed[]> => {
      neverWhole(tx);
      const wanted = refill ?? (await this.#survey(tx, now));
      return wanted.length === 0 ? [] : dueOf(tx, wanted, now);
    });
    for (const row of due) {
      const line = this.#lines.get(row.endpoint_id)!;
      line.waiting.push(row);
      line.held.add(row.delivery_id);
      if (row.attempts === 0) line.after = row;
      this.#unsent.add(row.org_id, row.endpoint_id, 1);
    }
    await this.#leave([...this.#lines].filter(([, line]) => line.held.size === 0).map(([id]) => id));
    this.#launch();
    return due.length;
  }

  /** Takes endpoints that have something due and keeps those at work. Their lines are read from the beginning. */
  async #survey(tx: Tx, now: Date): Promise<Wanted[]> {
    const ready = await readyEndpoints(tx, this.#name, now);
    this.#follow(ready);
    const chosen = shares(ready, this.#unsent, this.#caps);
    const ids = new Set([...chosen.map(({ endpoint }) => endpoint.id), ...this.#aging(now)]);
    const ours = ids.size === 0 ? new Set<Id>() : await lease(tx, this.#name, [...ids], now);
    for (const { endpoint, share } of chosen) if (ours.has(endpoint.id)) this.#keep(endpoint, share, now);
    for (const id of ours) this.#lines.get(id)!.leasedUntil = now.getTime() + LEASE;
    this.#surveyed = performance.now();
    return chosen
      .filter(({ endpoint }) => ours.has(endpoint.id))
      .map(({ endpoint, free }) => ({
        endpoint,
        free,
        held: this.#lines.get(endpoint.id)!.held,
        after: BEGINNING,
      }));
  }

  /**
   * Between two surveys lines are read on from where they were read last. What was sent meanwhile is not passed over again, row by
   * row, until it has been vacuumed away: at 14,000 a second that grew to a third of the database's work [m]. What commits late, and
   * stands before that place, is found by the next survey.
   */
  #refill(now: Date): Wanted[] {
    const lines = [...this.#lines.values()].filter((line) => line.leasedUntil > now.getTime());
    const endpoints = lines.map((line) => line.endpoint);
    return shares(endpoints, this.#unsent, this.#caps).map(({ endpoint, free }) => {
      const { held, after } = this.#lines.get(endpoint.id)!;
      return { endpoint, free, held, after };
    });
  }

  /** Endpoints at work whose lease should be renewed. */
  #aging(now: Date): Id[] {
    const soon = now.getTime() + (LEASE * 2) / 3;
    return [...this.#lines].filter(([, line]) => line.leasedUntil < soon && line.held.size > 0).map(([id]) => id);
  }

  #keep(endpoint: Ready, share: number, now: Date): void {
    const known = this.#lines.get(endpoint.id);
    if (known !== undefined) {
      known.share = share;
      return;
    }
    this.#lines.set(endpoint.id, {
      endpoint,
      share,
      leasedUntil: now.getTime(),
      waiting: [],
      held: new Set(),
      after: BEGINNING,
    });
    this.#open.add(endpoint.org_id, endpoint.id, 1);
  }

  /** What waits for a place goes to where its endpoint is now; not at all, where that was paused, deleted or taken over. */
  #follow(ready: readonly Ready[]): void {
    const now = new Map(ready.map((one) => [one.id, one]));
    for (const [id, line] of this.#lines) {
      line.endpoint = now.get(id) ?? line.endpoint;
      const goes = (row: Claimed) => now.get(id)?.paused === false || (now.has(id) && row.test_event);
      for (const row of line.waiting.filter((one) => !goes(one))) {
        this.#unsent.add(row.org_id, row.endpoint_id, -1);
        line.held.delete(row.delivery_id);
      }
      line.waiting = line.waiting.filter(goes);
    }
  }

  #wantsMore(endpoint: Id): boolean {
    const line = this.#lines.get(endpoint);
    return line === undefined || wantsMore(this.#unsent.of(endpoint), line.share);
  }

  async #leave(endpoints: readonly Id[]): Promise<void> {
    const { pool, clock, log } = this.#parts;
    if (endpoints.length === 0) return;
    for (const id of endpoints) {
      this.#open.add(this.#lines.get(id)!.endpoint.org_id, id, -1);
      this.#lines.delete(id);
    }
    await transaction(pool, clock, { role: 'system' }, (tx) => release(tx, this.#name, endpoints)).catch((error) =>
      log.warn({ err: error }, 'leases were not given back; they end by themselves'),
    );
  }

  /** One of each endpoint in turn, while there are places. */
  #launch(): void {
    for (let begun = true; begun; ) {
      begun = false;
      for (const endpoint of this.#lines.keys()) begun = this.#begin(endpoint) || begun;
    }
  }

  #begin(endpoint: Id): boolean {
    const line = this.#lines.get(endpoint);
    const next = line?.waiting[0];
    if (line === undefined || next === undefined || this.#stopping) return false;
    const late = line.leasedUntil <= this.#parts.clock.now().getTime();
    const ofOrg = this.#running.of(next.org_id);
    const full =
      this.#running.all >= this.#caps.all ||
      ofOrg >= this.#caps.organization ||
      this.#running.of(endpoint) >= atOnce(line.endpoint, this.#open.of(next.org_id), ofOrg, this.#caps);
    if (late || full) return false;
    line.waiting.shift();
    this.#attempt(next, line.endpoint);
    return true;
  }

  #attempt(row: Claimed, endpoint: Ready): void {
    const { clock, outbound, log } = this.#parts;
    const at = clock.now();
    let signed: string | null = null;
    let sending: Promise<Attempt>;
    try {
      const made = this.#sign(row, endpoint, at);
      signed = made.signed;
      sending = outbound.post(endpoint.url, made.headers, row.body);
    } catch (error) {
      // A damaged secret is the trouble of its own endpoint.
      log.error({ err: error, endpoint: endpoint.id }, 'a delivery could not be signed');
      sending = Promise.resolve(UNSIGNED);
    }
    this.#running.add(row.org_id, row.endpoint_id, 1);
    sending.then((result) => {
      this.#running.add(row.org_id, row.endpoint_id, -1);
      this.#unsent.add(row.org_id, row.endpoint_id, -1);
      this.#ended.push({ row, at, endedAt: clock.now(), signature: signed, result });
      this.#recording ??= this.#recordAll().finally(() => {
        this.#recording = null;
        for (const told of this.#told.splice(0)) told();
      });
      if (this.#unsent.of(row.endpoint_id) === half(this.#lines.get(row.endpoint_id)!.share)) this.#lookAgain();
      // The place goes to the next of this endpoint, else to whoever waits for one.
      if (!this.#begin(row.endpoint_id)) this.#launch();
    });
  }

  #sign(
    { envelope_id, occurrence_id, body }: Claimed,
    endpoint: Ready,
    at: Date,
  ): { signed: string; headers: Record<string, string> } {
    const keys = this.#keysOf(endpoint, at);
    const t = Math.floor(at.getTime() / 1000);
    const signed = signature(keys, t, body);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': `Turnout-Webhooks/${API_VERSION}`,
      'service-signature': signed,
      ...standardHeaders(envelopeName(occurrence_id ?? envelope_id), keys, t, body),
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
          neverWhole(tx);
          return record(tx, outcomes);
        });
      } catch (error) {
        // They stay in the queue and are sent again: a receiver may see an envelope twice.
        log.error({ err: error, deliveries: outcomes.length }, 'outcomes of deliveries were not written');
      }
      for (const { row } of outcomes) this.#lines.get(row.endpoint_id)?.held.delete(row.delivery_id);
      if (outcomes.some(({ row }) => this.#wantsMore(row.endpoint_id))) this.#lookAgain();
    }
  }

  /** Nothing runs, and what ran is on record. */
  async #settled(): Promise<void> {
    while (this.#running.all > 0 || this.#recording !== null) {
      await new Promise<void>((resolve) => this.#told.push(resolve));
    }
  }
}

const UNSIGNED: Attempt = { status: null, answer: null, cause: 'it could not be signed', durationMs: 0 };
const LOOK_MS = 250;
/** A little less: after a pause comes a survey. */
const SURVEY_MS = 200;
/** One transaction for two hundred outcomes costs a third of ten for twenty each; six hundred take the database a tenth less [m]. */
const GATHER_MS = 40;
const MANY = 600;

/**
 * Tables that are empty now hold a hundred thousand rows a minute later, and a plan that was kept from then took twelve seconds
 * for one look [m]. What is asked here is written so that it has one way to go, row by row, once reading whole tables is out of
 * the question. (Planning anew each time instead cost a tenth of the database's work [m].)
 */
const neverWhole = (tx: Tx): void =>
  tx.send(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
    set_config('enable_mergejoin', 'off', true)`);
