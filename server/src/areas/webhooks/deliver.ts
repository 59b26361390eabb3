import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';
import { type Span, type Tracing, tracing } from '../../common/tracing.ts';
import type { Attempt, Outbound } from '../../outside/https.ts';
import type { Measures } from '../../road/measures.ts';
import { envelopeName } from '../../road/write/record.ts';
import type { Pool } from '../../store/pool.ts';
import type { DueEndpoint, QueuedDelivery } from './claim.ts';
import { Lines } from './lines.ts';
import { OutcomeWriter } from './outcomes.ts';
import { Signer } from './signer.ts';
import { CAPS, type Caps, hasFreeSlot, slotsOf, Tally } from './slots.ts';

/**
 * The deliverer sends what is due. Any number of processes run one each; they share the endpoints among them by leases. No
 * transaction is open while a receiver is waited for.
 *
 * An endpoint, as one process sees it:
 *
 * | state | moved by | next |
 * |---|---|---|
 * | not ours | a survey finds something due for it, and nobody else has its lease | leased |
 * | leased | a survey, while deliveries of it are held and a third of the lease is over | leased for another 30 s |
 * | leased | nothing of it is held any more, or the deliverer stops | not ours, the lease is given back |
 * | leased | the process dies or stalls for 30 s | not ours; a stalled process begins no more attempts |
 *
 * A delivery of a leased endpoint (what becomes of it in the database stands above `nextState` in record.ts):
 *
 * | state | moved by | next |
 * |---|---|---|
 * | queued | it is due, and its endpoint may hold more: `Lines` reads it | waiting |
 * | waiting | a slot is free and the lease is valid | running |
 * | waiting | a survey finds its endpoint paused, deleted or taken over | queued |
 * | running | the receiver answers, the connection fails, or the time limit passes | ended |
 * | ended | its outcome is committed | recorded: out of the queue, or queued for its next attempt |
 * | ended | its outcome could not be written | queued, and sent again |
 *
 * If the process dies, what was waiting, running or ended is still in the queue. Another process sends it when the lease is over.
 */
export interface DelivererParts {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  outbound: Pick<Outbound, 'post'>;
  log: Logger;
  measures?: Measures;
  caps?: Caps;
}

const LOOK_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
const UNSIGNED: Attempt = { status: null, answer: null, cause: 'it could not be signed', durationMs: 0 };

export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #caps: Caps;
  readonly #signer: Signer;
  readonly #lines: Lines;
  readonly #outcomes: OutcomeWriter;
  readonly #running = new Tally();
  #loop: Promise<void> | null = null;
  #endPause = () => {};
  #again = false;
  #stopping = false;

  constructor(parts: DelivererParts) {
    const { pool, clock, log } = parts;
    this.#parts = parts;
    this.#caps = parts.caps ?? CAPS;
    this.#signer = new Signer(parts.secrets);
    this.#lines = new Lines({ pool, clock, log }, this.#caps);
    this.#outcomes = new OutcomeWriter({
      ...{ pool, clock, log },
      measures: parts.measures,
      moreToCome: () => this.#running.all > 0,
      onWritten: (outcomes) => {
        if (this.#lines.recorded(outcomes)) this.#lookAgain();
      },
    });
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Tells the deliverer that something may be due, and of which organizations. */
  wake(raised: readonly Id[] = []): void {
    this.#lines.surveyNext(raised);
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#again = true;
    this.#endPause();
  }

  /** Waits for the attempts that run, and leaves everything else to other processes. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#endPause();
    await this.#loop;
    await this.#settled();
    await this.#lines.leaveAll();
  }

  /** Looks once and waits until the outcomes are on record. For tests, which move the clock. */
  async step(): Promise<number> {
    this.wake();
    const found = await this.#look();
    await this.#settled();
    await this.#lines.leaveAll();
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
        this.#parts.measures?.workerFailure('deliveries');
        this.#parts.log.warn({ loop: 'deliveries', err: error }, 'due deliveries could not be read; will try again');
      }
      if (!this.#again && !this.#stopping) {
        await this.#pause(failures === 0 ? LOOK_MS : Math.min(LONGEST_PAUSE_MS, LOOK_MS * 2 ** failures));
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#endPause(), ms);
      this.#endPause = () => {
        clearTimeout(timer);
        this.#endPause = () => {};
        resolve();
      };
    });
  }

  async #look(): Promise<number> {
    const found = await this.#lines.read();
    this.#beginAll();
    return found;
  }

  /** Begins one attempt of each endpoint in turn, for as long as there are free slots. */
  #beginAll(): void {
    for (let begun = true; begun; ) {
      begun = false;
      for (const endpoint of this.#lines.endpoints()) begun = this.#beginNext(endpoint) || begun;
    }
  }

  /** Begins the endpoint's next attempt, unless nothing waits, the lease is over or no slot is free. */
  #beginNext(endpoint: Id): boolean {
    const line = this.#lines.get(endpoint);
    const next = line?.waiting[0];
    if (line === undefined || next === undefined || this.#stopping) return false;
    const leaseIsOver = line.leasedUntil <= this.#parts.clock.now().getTime();
    const ofOrg = this.#running.of(next.org_id);
    const slots = slotsOf(line.endpoint, this.#lines.openOf(next.org_id), ofOrg, this.#caps);
    if (leaseIsOver || !hasFreeSlot(line.endpoint, slots, this.#running, this.#caps)) return false;
    line.waiting.shift();
    this.#attempt(next, line.endpoint);
    return true;
  }

  #attempt(row: QueuedDelivery, endpoint: DueEndpoint): void {
    const { clock, outbound, log } = this.#parts;
    const at = clock.now();
    let signature: string | null = null;
    let sending: Promise<Attempt>;
    try {
      const signed = this.#signer.sign(row, endpoint, at);
      signature = signed.signature;
      const span = tracing === null ? null : spanOf(tracing, row);
      sending =
        span === null
          ? outbound.post(endpoint.url, signed.headers, row.body)
          : traced(span, outbound.post(endpoint.url, { ...signed.headers, traceparent: span.traceparent }, row.body));
    } catch (error) {
      // The secret cannot be decrypted. Only this endpoint fails; the others go on.
      log.error({ err: error, endpoint: endpoint.id }, 'a delivery could not be signed');
      sending = Promise.resolve(UNSIGNED);
    }
    this.#running.add(row.org_id, row.endpoint_id, 1);
    sending.then((result) => {
      this.#running.add(row.org_id, row.endpoint_id, -1);
      const readMore = this.#lines.sent(row);
      this.#outcomes.add({ row, at, endedAt: clock.now(), signature, result });
      if (readMore) this.#lookAgain();
      // The free slot goes to the next delivery of this endpoint, or else to any other that waits for one.
      if (!this.#beginNext(row.endpoint_id)) this.#beginAll();
    });
  }

  /** Waits until nothing runs and everything that ran is on record. */
  async #settled(): Promise<void> {
    while (this.#running.all > 0 || this.#outcomes.busy) await this.#outcomes.nextIdle();
  }
}

/**
 * An attempt belongs to the trace of the request or job that raised the occurrence, if that ran in this process and not long ago; otherwise
 * it is a trace of its own. Not recorded: null.
 */
function spanOf(tracing: Tracing, row: QueuedDelivery): Span | null {
  const occurrence = row.occurrence_id ?? row.envelope_id;
  const told = {
    'http.request.method': 'POST',
    'turnout.envelope': envelopeName(occurrence),
    'turnout.delivery': toUlid(row.delivery_id),
    'turnout.attempt': row.attempts + 1,
  };
  const span = tracing.begin('webhook', { parent: tracing.whoRaised(occurrence), kind: 'client', told });
  return span.isRecorded ? span : null;
}

async function traced(span: Span, sending: Promise<Attempt>): Promise<Attempt> {
  const attempt = await sending;
  if (attempt.status !== null) span.tell({ 'http.response.status_code': attempt.status });
  if (attempt.cause !== null) span.fail(attempt.status === null ? 'no_answer' : String(attempt.status));
  span.end();
  return attempt;
}
