import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { Measures } from '../../road/measures.ts';
import type { Pool } from '../../store/pool.ts';
import { jobTransaction } from '../../store/tx.ts';
import { forbidFullScans } from './full-scans.ts';
import { nextState, type Outcome, record } from './record.ts';

/**
 * While more attempts run, a few outcomes wait this long (in milliseconds) for more to join them. One transaction for two hundred
 * outcomes costs a third of ten transactions for twenty each (measured).
 */
const GATHER_MS = 40;
/** This many outcomes are written at once. Six hundred in one transaction cost the database a tenth less than two hundred (measured). */
const MANY = 600;

const FATES = { delivered: 'delivered', failed: 'retried', dead: 'given_up' } as const;

interface Parts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  measures: Measures | undefined;
  /** Whether attempts are running whose outcomes will follow. */
  moreToCome: () => boolean;
  onWritten: (outcomes: readonly Outcome[]) => void;
}

/** Writes the outcomes of attempts, in the order in which these ended and many in one transaction. */
export class OutcomeWriter {
  readonly #parts: Parts;
  #ended: Outcome[] = [];
  #writing: Promise<void> | null = null;
  /** Called when the writing that is under way has ended. */
  readonly #onIdle: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#writing !== null;
  }

  /** Waits until the writing under way, or else the next one, has ended. */
  nextIdle(): Promise<void> {
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  add(outcome: Outcome): void {
    this.#ended.push(outcome);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      for (const resolve of this.#onIdle.splice(0)) resolve();
    });
  }

  /** Whatever ends while a transaction is being written goes into the next one. */
  async #writeAll(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#ended.length > 0) {
      if (this.#parts.moreToCome() && this.#ended.length < MANY) await sleep(GATHER_MS);
      const outcomes = this.#ended;
      this.#ended = [];
      await this.#write(outcomes);
      this.#parts.onWritten(outcomes);
    }
  }

  async #write(outcomes: readonly Outcome[]): Promise<void> {
    const { pool, clock, log, measures } = this.#parts;
    try {
      const counted = await jobTransaction(pool, clock, { role: 'system' }, (tx) => {
        forbidFullScans(tx);
        return record(tx, outcomes);
      });
      for (const outcome of counted) {
        // Test events are sent once, to try an endpoint out.
        if (!outcome.row.test_event) measures?.delivery(FATES[nextState(outcome).status]);
      }
    } catch (error) {
      // These deliveries stay in the queue and are sent again, so a receiver may see an envelope twice.
      log.error({ err: error, deliveries: outcomes.length }, 'outcomes of deliveries were not written');
    }
  }
}
