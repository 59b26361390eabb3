import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { type Id, newId } from '../../common/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import {
  BEGINNING,
  type DueEndpoint,
  dueEndpoints,
  LEASE,
  lease,
  type Place,
  type Position,
  type QueuedDelivery,
  type ReadRequest,
  readDue,
  release,
} from './claim.ts';
import { forbidFullScans } from './full-scans.ts';
import type { Outcome } from './record.ts';
import { type Caps, refillLevel, sharesOf, Tally } from './slots.ts';

/** An endpoint that this process has leased, and its deliveries that this process has read from the queue. */
export interface Line {
  endpoint: DueEndpoint;
  leasedUntil: number;
  /** How many unsent deliveries it may have. */
  share: number;
  waiting: QueuedDelivery[];
  /** Deliveries that were read and are not yet recorded: they wait for a slot, are running, or have just ended. */
  held: Set<Id>;
  /** The first attempt that was read last. */
  readUpTo: Position;
}

/** A little less than the pause between two reads when nothing happens, so that every pause is followed by a survey. */
const SURVEY_MS = 200;

interface Parts {
  pool: Pool;
  clock: Clock;
  log: Logger;
}

/** The endpoints that this process sends to, one line each. Reads their due deliveries from the queue. */
export class Lines {
  readonly #parts: Parts;
  readonly #caps: Caps;
  /** The name under which this process takes leases. */
  readonly #worker: Id;
  readonly #lines = new Map<Id, Line>();
  /** How many lines there are, by organization. */
  readonly #open = new Tally();
  /** Deliveries that were read and not sent yet: they wait for a slot, or are running. */
  readonly #unsent = new Tally();
  #surveyedAt = Number.NEGATIVE_INFINITY;
  /** Where the next survey goes on, if the last one did not come to the end of the queue. */
  #next: Place | null = null;
  /** Organizations of which something was raised since the last survey. */
  readonly #raised = new Set<Id>();

  constructor(parts: Parts, caps: Caps) {
    this.#parts = parts;
    this.#caps = caps;
    this.#worker = newId(parts.clock.now());
  }

  get(endpoint: Id): Line | undefined {
    return this.#lines.get(endpoint);
  }

  endpoints(): Iterable<Id> {
    return this.#lines.keys();
  }

  /** How many endpoints of an organization have a line. */
  openOf(org: Id): number {
    return this.#open.of(org);
  }

  /** The next read surveys the queue, and looks at the endpoints of these organizations whatever else it looks at. */
  surveyNext(raised: readonly Id[]): void {
    this.#surveyedAt = Number.NEGATIVE_INFINITY;
    for (const org of raised) this.#raised.add(org);
  }

  /** Reads what is due and answers how much that was. Endpoints of which nothing is held are released. */
  async read(): Promise<number> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    const refill = performance.now() - this.#surveyedAt < SURVEY_MS ? this.#refill(now) : null;
    if (refill?.length === 0) return 0;
    const due = await jobTransaction(pool, clock, { role: 'system' }, async (tx): Promise<QueuedDelivery[]> => {
      forbidFullScans(tx);
      const requests = refill ?? (await this.#survey(tx, now));
      return requests.length === 0 ? [] : readDue(tx, requests, now);
    });
    for (const delivery of due) {
      const line = this.#lines.get(delivery.endpoint_id)!;
      line.waiting.push(delivery);
      line.held.add(delivery.delivery_id);
      if (delivery.attempts === 0) line.readUpTo = delivery;
      this.#unsent.add(delivery.org_id, delivery.endpoint_id, 1);
    }
    await this.#leave([...this.#lines].filter(([, line]) => line.held.size === 0).map(([id]) => id));
    return due.length;
  }

  /** Counts a delivery as sent. Answers whether its endpoint has just come down to the level at which more is read. */
  sent({ org_id, endpoint_id }: QueuedDelivery): boolean {
    this.#unsent.add(org_id, endpoint_id, -1);
    return this.#unsent.of(endpoint_id) === refillLevel(this.#lines.get(endpoint_id)!.share);
  }

  /** Lets go of deliveries that are on record. Answers whether more should be read for one of their endpoints. */
  recorded(outcomes: readonly Outcome[]): boolean {
    for (const { row } of outcomes) this.#lines.get(row.endpoint_id)?.held.delete(row.delivery_id);
    return outcomes.some(({ row }) => this.#wantsMore(row.endpoint_id));
  }

  leaveAll(): Promise<void> {
    return this.#leave([...this.#lines.keys()]);
  }

  #wantsMore(endpoint: Id): boolean {
    const line = this.#lines.get(endpoint);
    return line === undefined || this.#unsent.of(endpoint) <= refillLevel(line.share);
  }

  /** Looks at endpoints: leases those that have something due, renews leases, and reads lines from their beginning. */
  async #survey(tx: Tx, now: Date): Promise<ReadRequest[]> {
    const raised = [...this.#raised];
    const places = [...this.#lines].map(([id, line]) => ({ org_id: line.endpoint.org_id, endpoint_id: id }));
    const { due, next } = await dueEndpoints(tx, this.#worker, now, { after: this.#next, ours: places, raised });
    this.#next = next;
    for (const org of raised) this.#raised.delete(org);
    this.#update(due);
    const chosen = sharesOf(due, this.#unsent, this.#caps);
    const ids = new Set([...chosen.map(({ endpoint }) => endpoint.id), ...this.#toRenew(now)]);
    const ours = ids.size === 0 ? new Set<Id>() : await lease(tx, this.#worker, [...ids], now);
    for (const { endpoint, share } of chosen) if (ours.has(endpoint.id)) this.#keep(endpoint, share, now);
    for (const id of ours) this.#lines.get(id)!.leasedUntil = now.getTime() + LEASE;
    this.#surveyedAt = performance.now();
    return chosen
      .filter(({ endpoint }) => ours.has(endpoint.id))
      .map(({ endpoint, free }) => ({
        endpoint,
        free,
        held: this.#lines.get(endpoint.id)!.held,
        behind: BEGINNING,
      }));
  }

  /**
   * Between two surveys, lines are read on from where they were read last. The rows of deliveries that were sent stay in the index
   * until they are vacuumed away, and reading from the beginning passes over all of them each time: at 14,000 deliveries a second
   * that grew to a third of the database's work (measured). A delivery that commits late may stand before that position; the next
   * survey finds it.
   */
  #refill(now: Date): ReadRequest[] {
    const lines = [...this.#lines.values()].filter((line) => line.leasedUntil > now.getTime());
    const endpoints = lines.map((line) => line.endpoint);
    return sharesOf(endpoints, this.#unsent, this.#caps).map(({ endpoint, free }) => {
      const { held, readUpTo } = this.#lines.get(endpoint.id)!;
      return { endpoint, free, held, behind: readUpTo };
    });
  }

  /** Endpoints with deliveries at work whose lease has used up a third of its time. */
  #toRenew(now: Date): Id[] {
    const soon = now.getTime() + (LEASE * 2) / 3;
    return [...this.#lines].filter(([, line]) => line.leasedUntil < soon && line.held.size > 0).map(([id]) => id);
  }

  #keep(endpoint: DueEndpoint, share: number, now: Date): void {
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
      readUpTo: BEGINNING,
    });
    this.#open.add(endpoint.org_id, endpoint.id, 1);
  }

  /**
   * Brings the lines up to date with what was just read of their endpoints. What still waits for a slot goes to the URL that its
   * endpoint has now. It is not sent if the endpoint was paused or deleted, or if another process has taken it over.
   */
  #update(due: readonly DueEndpoint[]): void {
    const now = new Map(due.map((one) => [one.id, one]));
    for (const [id, line] of this.#lines) {
      line.endpoint = now.get(id) ?? line.endpoint;
      const goes = (row: QueuedDelivery) => now.get(id)?.paused === false || (now.has(id) && row.test_event);
      for (const row of line.waiting.filter((one) => !goes(one))) {
        this.#unsent.add(row.org_id, row.endpoint_id, -1);
        line.held.delete(row.delivery_id);
      }
      line.waiting = line.waiting.filter(goes);
    }
  }

  async #leave(endpoints: readonly Id[]): Promise<void> {
    const { pool, clock, log } = this.#parts;
    if (endpoints.length === 0) return;
    for (const id of endpoints) {
      this.#open.add(this.#lines.get(id)!.endpoint.org_id, id, -1);
      this.#lines.delete(id);
    }
    await jobTransaction(pool, clock, { role: 'system' }, (tx) => release(tx, this.#worker, endpoints)).catch((error) =>
      log.warn({ err: error }, 'leases on webhook endpoints were not given back; they run out by themselves'),
    );
  }
}
