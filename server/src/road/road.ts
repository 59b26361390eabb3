import { type Fault, invalidRequest, MAX_FAULTS, Refusal } from '../common/refusal.ts';
import { tracing } from '../common/tracing.ts';
import { callLimits, Deadline, inCallLimit } from '../store/deadline.ts';
import { transaction } from '../store/tx.ts';
import type { Answer } from './answer.ts';
import { runRead } from './read/read.ts';
import { allFaults, canHaveMoreFaults } from './request/all-faults.ts';
import { findAll } from './request/reference.ts';
import { UnderWay } from './request/under-way.ts';
import { askBefore } from './write/ask.ts';
import { runBatch } from './write/commit.ts';
import { Lanes } from './write/lane.ts';
import { type CheckedCall, type PendingCall, pendingCall } from './write/pending.ts';
import { runTraced } from './write/traced-batch.ts';
import { Twins } from './write/twins.ts';
import { type RoadParts, workOf } from './write/work.ts';

/** The last part of the road: the work of a call, in one transaction with its audit, idempotency and outbox rows. */
export class Road {
  readonly #parts: RoadParts;
  readonly #twins = new Twins();
  readonly #lanes: Lanes<PendingCall>;
  readonly #underWay = new UnderWay();

  constructor(parts: RoadParts) {
    this.#parts = parts;
    const run = (batch: readonly PendingCall[]) => runBatch(parts, batch, false);
    this.#lanes = new Lanes((_kind, batch) => (tracing === null ? run(batch) : runTraced(tracing, batch, run)), {
      waited: (ms) => parts.measures?.laneWait(ms),
    });
  }

  /** How many calls wait for their turn in a lane. */
  get waiting(): number {
    return this.#lanes.depth;
  }

  /**
   * Waits until no call is under way, but at most so many milliseconds. Answers how many are left. A write whose caller has hung up
   * after it began counts like any other.
   */
  settled(ms: number): Promise<number> {
    return this.#underWay.settled(ms);
  }

  /** Whoever has no answer in time is told so (store/deadline.ts). What was committed by then is answered to their retry. */
  async perform(sent: CheckedCall): Promise<Answer> {
    const ms = sent.operation.file === undefined ? callLimits.usual : callLimits.withFile;
    const left = new AbortController();
    const leave = () => left.abort();
    if (sent.signal?.aborted === true) leave();
    sent.signal?.addEventListener('abort', leave, { once: true });
    const call = { ...this.#claimed(sent), signal: left.signal, deadline: new Deadline(ms) };
    return inCallLimit(ms, this.#perform(call), leave);
  }

  async #perform(call: CheckedCall & { deadline: Deadline }): Promise<Answer> {
    const end = this.#underWay.begin();
    try {
      if (call.operation.method === 'GET') return await runRead(this.#parts, call);
      const write = (signal: AbortSignal | undefined) => this.#write({ ...call, signal });
      return await (call.claim === null
        ? write(call.signal)
        : this.#twins.share(call.claim, call.signal, call.deadline, write));
    } catch (error) {
      const faults = error instanceof Refusal && error.code === 'validation_failed' ? error.options.details : undefined;
      if (faults === undefined) throw error;
      const complete = await this.refusal(call, faults);
      throw complete.options.details!.length > faults.length ? complete : error;
    } finally {
      end();
    }
  }

  /** The claim of a call whose body has a secret tells nothing about it. */
  #claimed(call: CheckedCall): CheckedCall {
    const { operation, claim } = call;
    if (operation.secretBody !== true || claim === null) return call;
    const fingerprint = this.#parts.secrets.sign(`fingerprint ${claim.fingerprint}`).toString('hex');
    return { ...call, claim: { ...claim, fingerprint } };
  }

  /** The refusal of a call that has these faults. It also names everything else that is wrong with the call (all-faults.ts). */
  async refusal(call: Omit<CheckedCall, 'claim' | 'ifNoneMatch'>, faults: readonly Fault[]): Promise<Refusal> {
    const { operation, params, caller } = call;
    const { pool, clock, references = {} } = this.#parts;
    if (faults.length > MAX_FAULTS || !canHaveMoreFaults(operation)) return invalidRequest(faults);
    const all = await transaction(
      pool,
      clock,
      { role: 'app', org: caller.org.id },
      async (tx) => {
        const work = workOf(this.#parts, tx, call);
        try {
          const at = await findAll(work, operation, params);
          return await allFaults(work, operation, at, call, faults, references);
        } catch (error) {
          // The path names something that does not exist for this caller. That is 404 once the faults are mended.
          if (error instanceof Refusal) return faults;
          throw error;
        }
      },
      { readOnly: true },
    );
    return invalidRequest(all);
  }

  async #write(call: CheckedCall): Promise<Answer> {
    const { together, inTurn, before } = call.operation;
    const waiting = pendingCall(call);
    if (before !== undefined) {
      const stored = await askBefore(this.#parts, waiting);
      if (stored !== null) return stored;
    }
    const laneOf = together?.by ?? inTurn;
    if (laneOf === undefined) await runBatch(this.#parts, [waiting], true);
    else {
      // Calls of one `together` may share a batch. A call that runs `inTurn` is a kind of its own and runs alone.
      const kind = together ?? waiting;
      const weight = together?.weight?.(call.body);
      await this.#lanes.take(`${call.caller.org.id} ${laneOf(call.params)}`, kind, waiting, weight);
    }
    if (waiting.later !== null) await waiting.later;
    if (waiting.answer !== null) return waiting.answer;
    throw waiting.error;
  }
}
