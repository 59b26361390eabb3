import { Refusal } from '../../common/refusal.ts';

/**
 * The calls that write to one event take turns in its lane (docs/internals/architecture.md, "The lane"). Each process has one lane
 * per busy event, and a lane runs at most one batch at a time. So one busy event holds one connection of the pool, not all of them.
 *
 * A lane is in one of these states:
 *
 *   absent      Nobody waits for the event.
 *   gathering   The first call has made the lane. Calls of the same turn of the event loop are still added to it.
 *   running     A batch is being committed. Calls that arrive now wait.
 *
 *   absent → gathering    A call arrives.
 *   gathering → running   The turn of the event loop is over: a batch is taken.
 *   running → running     The batch is over, committed or not, and calls wait: the next batch is taken. There is no timer.
 *   running → absent      The batch is over and nobody waits: the lane is removed.
 *
 * A batch holds calls of one kind. Kinds take turns, each in the order in which it came: a door scans and registers at the same time, and
 * batches that ended at the first call of the other kind would have one call each. Calls of one kind keep their order.
 */
interface Turn<Item> {
  item: Item;
  /** How much work the item is, compared with others of its kind. */
  weight: number;
  /** When it began to wait. */
  since: number;
  resolve: () => void;
}

class Lane<Item> {
  /** Those who wait, by kind. Items of the same kind may share a batch; an item whose kind nobody else has runs alone. */
  readonly kinds = new Map<unknown, Turn<Item>[]>();
  waiting = 0;
  /** How long a batch took lately, in milliseconds. Null until one is over. */
  pace: number | null = null;
  /** When the batch began that is running. */
  began = 0;

  add(kind: unknown, turn: Turn<Item>): void {
    const queue = this.kinds.get(kind);
    if (queue === undefined) this.kinds.set(kind, [turn]);
    else queue.push(turn);
    this.waiting += 1;
  }

  /** The next batch, of the kind whose turn it is. What is left of that kind waits behind the others. */
  next(max: number, previous: number): { kind: unknown; batch: Turn<Item>[] } {
    const [kind, queue] = this.kinds.entries().next().value!;
    const isAlone = this.kinds.size === 1;
    const batch = takeBatch(queue, Math.min(max, isAlone ? evenSize(queue.length + previous) : queue.length));
    this.waiting -= batch.length;
    if (!isAlone || queue.length === 0) this.kinds.delete(kind);
    if (!isAlone && queue.length > 0) this.kinds.set(kind, queue);
    return { kind, batch };
  }

  /**
   * How long a call that arrives now would wait for its turn, as far as can be told, in milliseconds. It is told by batches, because
   * what one call takes says nothing about a hundred that share a batch.
   */
  expectedWait(now: number, max: number): number {
    const batches = this.kinds.size + Math.floor(this.waiting / max);
    return now - this.began + batches * (this.pace ?? 0);
  }
}

/** Whoever would wait longer than this is told to come back: callers hang up after a while, and what they left would go on waiting. */
const LONGEST_WAIT_MS = 10_000;

interface LaneOptions {
  max?: number;
  longestWait?: number;
  /** Is told how long each item has waited for its batch to begin. */
  waited?: (ms: number) => void;
}

export class Lanes<Item> {
  readonly #run: (kind: unknown, items: Item[]) => Promise<void>;
  readonly #max: number;
  readonly #longestWait: number;
  readonly #waited: (ms: number) => void;
  readonly #lanes = new Map<string, Lane<Item>>();

  constructor(
    run: (kind: unknown, items: Item[]) => Promise<void>,
    { max = 256, longestWait = LONGEST_WAIT_MS, waited = () => {} }: LaneOptions = {},
  ) {
    this.#run = run;
    this.#max = max;
    this.#longestWait = longestWait;
    this.#waited = waited;
  }

  /** How many items wait, in all lanes. */
  get depth(): number {
    let waiting = 0;
    for (const lane of this.#lanes.values()) waiting += lane.waiting;
    return waiting;
  }

  /** Resolves when the batch of the item is over. The runner leaves the outcome on the item. Refuses if the wait would be too long. */
  take(name: string, kind: unknown, item: Item, weight = 1): Promise<void> {
    const lane = this.#lanes.get(name);
    const since = performance.now();
    if (lane !== undefined) {
      const wait = lane.expectedWait(since, this.#max);
      if (wait > this.#longestWait) return Promise.reject(tooLong(wait));
    }
    return new Promise((resolve) => {
      const turn = { item, weight, since, resolve };
      if (lane !== undefined) return lane.add(kind, turn);
      const fresh = new Lane<Item>();
      fresh.began = since;
      fresh.add(kind, turn);
      this.#lanes.set(name, fresh);
      void this.#drive(name, fresh);
    });
  }

  async #drive(name: string, lane: Lane<Item>): Promise<void> {
    await Promise.resolve(); // gathering
    let previous = 0;
    while (lane.waiting > 0) {
      const { kind, batch } = lane.next(this.#max, previous);
      lane.began = performance.now();
      const running = this.#run(
        kind,
        batch.map((turn) => turn.item),
      ).catch(() => {}); // outcomes are left on the items, those of failures too
      for (const turn of batch) this.#waited(lane.began - turn.since);
      await running;
      const took = performance.now() - lane.began;
      // One slow batch is not the rule: the estimate rises by half of the difference, and falls at once.
      lane.pace = lane.pace === null ? took : Math.min(took, (lane.pace + took) / 2);
      release(batch);
      previous = batch.length;
    }
    this.#lanes.delete(name);
  }
}

/** After a database has come back, nobody should stay away much longer than it takes to work off the queue. */
const LONGEST_RETRY_S = 5;

const tooLong = (wait: number): Refusal =>
  new Refusal('unavailable', {
    message: 'Too many calls wait for this event. Try again in a moment.',
    headers: { 'Retry-After': String(Math.min(LONGEST_RETRY_S, Math.ceil(wait / 1000))) },
  });

/** The maximum weight of one batch. A call that weighs more runs alone. */
const MAX_WEIGHT = 20_000;

/** Removes turns from the front of the queue, at most so many and so heavy. */
function takeBatch<Item>(queue: Turn<Item>[], most: number): Turn<Item>[] {
  let weight = 0;
  const end = queue.findIndex((turn, i) => {
    weight += turn.weight;
    return i >= most || (i > 0 && weight > MAX_WEIGHT);
  });
  return queue.splice(0, end < 0 ? queue.length : end);
}

/**
 * The size of the next batch: half of the calls that wait plus those of the previous batch, whose callers are likely to come back
 * at once. Batches that follow each other then have the same size. If a batch took everybody who waits, a large and a small batch
 * would alternate, and the callers in the large one would wait longest: with 128 callers the p99 was 56.8 ms instead of 54.7 ms,
 * and throughput was 3 % lower (measured). A batch of up to 16 calls is not divided.
 */
const evenSize = (calls: number): number => Math.max(NOT_DIVIDED, Math.ceil(calls / 2));
const NOT_DIVIDED = 16;

const RELEASED_AT_ONCE = 16;

/**
 * Lets the callers of a batch go on, a few in each turn of the event loop and not before the next one. So the next batch begins
 * first, and answers of the database do not have to wait until all callers of this batch are answered.
 */
function release(batch: readonly Turn<unknown>[]): void {
  setImmediate(() => {
    for (const turn of batch.slice(0, RELEASED_AT_ONCE)) turn.resolve();
    if (batch.length > RELEASED_AT_ONCE) release(batch.slice(RELEASED_AT_ONCE));
  });
}
