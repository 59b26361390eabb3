import { API_VERSION } from '@turnout/contract';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Attempt, Outbound } from '../../outside/https.ts';
import type { Secrets } from '../../secrets.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { CAPS, type Caps, type Claimed, claim, LEASE, places, type Ready, Running, readyEndpoints } from './claim.ts';
import { envelopeName } from './queries.ts';
import { type Outcome, record } from './record.ts';
import { signature, standardHeaders } from './signature.ts';

export interface DelivererParts {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  outbound: Pick<Outbound, 'post'>;
  log: Logger;
  caps?: Caps;
}

/**
 * Sends what is due. Claims under a lease, never has a transaction open while it waits for a receiver, and writes down many
 * outcomes at once. Any number of processes run one of these; each endpoint has its own places, so a slow one delays nobody.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #caps: Caps;
  readonly #running = new Running();
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

  /** Finishes what runs. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    await this.#loop;
    await this.#settled();
  }

  /** One claim, and what came of it is on record: for tests that move the clock. */
  async step(): Promise<number> {
    const begun = await this.#begin();
    await this.#settled();
    return begun;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      let begun = 0;
      this.#again = false;
      try {
        begun = await this.#begin();
        failures = 0;
      } catch (error) {
        failures += 1;
        this.#parts.log.warn({ loop: 'deliveries', err: error }, 'will try again');
      }
      if (begun === 0 && !this.#again && !this.#stopping) {
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

  async #begin(): Promise<number> {
    const { pool, clock } = this.#parts;
    if (this.#running.all >= this.#caps.all) return 0;
    const now = clock.now();
    const claimed = await transaction(pool, clock, { role: 'system' }, async (tx) => {
      byIndex(tx);
      const wanted = places(await readyEndpoints(tx, now), this.#running, this.#caps);
      if (wanted.length === 0) return [];
      const endpoints = new Map(wanted.map(({ endpoint }) => [endpoint.id, endpoint]));
      const lease = new Date(now.getTime() + LEASE);
      const rows = await claim(tx, wanted, now, lease);
      return rows.map((row) => ({ row, endpoint: endpoints.get(row.endpoint_id)!, lease }));
    });
    for (const one of claimed) {
      const attempt = this.#attempt(one).finally(() => this.#attempts.delete(attempt));
      this.#attempts.add(attempt);
    }
    return claimed.length;
  }

  async #attempt({ row, endpoint, lease }: { row: Claimed; endpoint: Ready; lease: Date }): Promise<void> {
    const { clock, outbound } = this.#parts;
    this.#running.add(row.org_id, row.endpoint_id, 1);
    const at = clock.now();
    const { signed, headers } = this.#sign(row, endpoint, at);
    const result: Attempt = await outbound.post(endpoint.url, headers, row.body);
    this.#running.add(row.org_id, row.endpoint_id, -1);
    this.#ended.push({ row, lease, at, endedAt: clock.now(), signature: signed, result });
    this.#recording ??= this.#recordAll().finally(() => {
      this.#recording = null;
      this.wake();
    });
  }

  #sign(row: Claimed, endpoint: Ready, at: Date): { signed: string; headers: Record<string, string> } {
    const { secrets } = this.#parts;
    const open = (sealed: Buffer) => secrets.decrypt(sealed).toString();
    const { old_secret, old_secret_until } = endpoint;
    const overlap = old_secret !== null && old_secret_until !== null && new Date(old_secret_until) > at;
    const keys = overlap ? [open(endpoint.secret), open(old_secret)] : [open(endpoint.secret)];
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

  /** What ended while the last ones were being written is written next, in the order in which it ended. */
  async #recordAll(): Promise<void> {
    const { pool, clock, log } = this.#parts;
    await new Promise(setImmediate);
    while (this.#ended.length > 0) {
      const outcomes = this.#ended;
      this.#ended = [];
      try {
        await transaction(pool, clock, { role: 'system' }, (tx) => {
          byIndex(tx);
          return record(tx, outcomes);
        });
      } catch (error) {
        // Their leases end and they are sent again: a receiver may see an envelope twice.
        log.error({ err: error, deliveries: outcomes.length }, 'outcomes of deliveries were not written');
      }
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

/** A plan that was made while this month's partitions were empty would read them whole once they are full. */
const byIndex = (tx: Tx): void => tx.send(sql`set local enable_seqscan = off`);
