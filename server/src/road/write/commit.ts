import { Refusal } from '../../common/refusal.ts';
import { tracing } from '../../common/tracing.ts';
import { CallTookTooLong } from '../../store/deadline.ts';
import { Busy, CallerGone, type Kind, TookTooLong } from '../../store/kinds.ts';
import { CommitUnknown, type Tx, transaction } from '../../store/tx.ts';
import type { Answer } from '../answer.ts';
import type { Operation } from '../operation.ts';
import { claimStates } from './claims.ts';
import {
  type Claim,
  type ClaimState,
  claimOrBlind,
  inProgress,
  isStoredStatus,
  keepAnswers,
  resolveClaims,
  type StoredAnswer,
} from './idempotency.ts';
import type { PendingCall } from './pending.ts';
import { writeAudit, writeOutbox } from './record.ts';
import { prepareTogether, runAlone, runTogether, Unchanged } from './run.ts';
import { inSandboxRoom, mayBeSandbox } from './sandbox-room.ts';
import { TooMuchTogether } from './too-much-together.ts';
import { type Outcome, type RoadParts, refusedOutcome, replyTo } from './work.ts';

/**
 * Runs calls of one operation in one transaction, with their audit, idempotency and outbox rows, and leaves each outcome on its
 * call. It never throws. If several calls fail together they are run again one by one, so that the others get their answers; if
 * they are only too much for one transaction, in two halves.
 *
 * `waits`: a call whose claim is held elsewhere waits for it. In a lane no call does: it goes on by itself (`later`).
 */
export async function runBatch(parts: RoadParts, calls: readonly PendingCall[], waits: boolean): Promise<void> {
  const batch = calls.filter(isAwaited);
  if (batch.length === 0) return;
  try {
    await commit(parts, batch, waits);
  } catch (error) {
    // What took too long together would take as long again for each of them, one after the other.
    if (isOverload(error)) for (const pending of batch) pending.error = error;
    else if (batch.length > 1) {
      const size = error instanceof TooMuchTogether ? Math.ceil(batch.length / 2) : 1;
      for (let i = 0; i < batch.length; i += size) await runBatch(parts, batch.slice(i, i + size), waits);
    } else await settle(parts, batch[0]!, error);
  }
}

/** Whether somebody waits for the call. If nobody does, it is not begun; nothing was claimed yet, so a retry runs as new work. */
function isAwaited(pending: PendingCall): boolean {
  if (pending.call.signal?.aborted !== true) return true;
  pending.error = new CallerGone();
  return false;
}

const isOverload = (error: unknown): boolean =>
  error instanceof TookTooLong || error instanceof Busy || error instanceof CallTookTooLong;

/** Whatever a gate writes has connections of its own. */
const kindOf = ({ scope }: Operation): Kind => (scope === 'scanner' ? 'scan' : 'write');

async function commit(parts: RoadParts, batch: readonly PendingCall[], waits: boolean): Promise<void> {
  const { operation, claim, caller } = batch[0]!.call;
  // The sandbox checks that it has room between the claim and the work.
  const eager = batch.length === 1 && claim !== null && operation.handle !== undefined && !mayBeSandbox(caller.org);
  if (!eager) return attempt(parts, batch, waits, false);
  try {
    // Most claims are new. So the work is sent in the packet of its claim; if the claim is not ours, the work sees no data.
    await attempt(parts, batch, false, true);
  } catch (error) {
    if (!(error instanceof ClaimNotMine)) throw error;
    await attempt(parts, batch, waits, false);
  }
}

/** The claim belongs to a twin, or has a stored answer: the transaction that began the work is rolled back. */
class ClaimNotMine extends Error {}

async function attempt(parts: RoadParts, batch: readonly PendingCall[], waits: boolean, eager: boolean): Promise<void> {
  const { call } = batch[0]!;
  const authority = { role: 'app', org: call.caller.org.id } as const;
  const { answers, busy, raised } = await transaction(
    parts.pool,
    parts.clock,
    authority,
    (tx) => workInTransaction(parts, tx, batch, waits, eager),
    // Calls that share a transaction wait for each other, so none of them leaves it.
    {
      kind: kindOf(call.operation),
      signal: batch.length === 1 ? call.signal : undefined,
      isLate: () => batch.every(({ call }) => call.deadline?.isOver === true),
    },
  );
  for (const [pending, answer] of answers) {
    if (answer instanceof Refusal) pending.error = answer;
    else pending.answer = answer;
  }
  if (raised > 0) parts.wake?.();
  for (const pending of busy) pending.later = runBatch(parts, [pending], true);
}

interface Attempt {
  answers: Map<PendingCall, Answer | Refusal>;
  /** Calls whose claim another process holds. */
  busy: PendingCall[];
  raised: number;
}

/** With `eager`, the work of a single call is sent before it is known whether its claim is ours. */
async function workInTransaction(
  parts: RoadParts,
  tx: Tx,
  batch: readonly PendingCall[],
  waits: boolean,
  eager: boolean,
): Promise<Attempt> {
  const { operation, caller, claim } = batch[0]!.call;
  // Everything up to `await claiming` is sent in one packet: the claims, the paths, what the work reads, the work itself.
  const claiming = eager
    ? claimOrBlind(tx, caller.org.id, claim!).then((mine): ClaimState[] => [mine ? 'mine' : 'busy'])
    : claimStates(tx, batch, parts.secrets, waits);
  const prepared = operation.together === undefined ? null : prepareTogether(parts, tx, batch);
  const alone = (calls: readonly PendingCall[]) =>
    tracing === null ? runAlone(parts, tx, calls) : tracing.step('work', runAlone, parts, tx, calls);
  const working = eager ? alone(batch) : null;
  working?.catch(() => {}); // awaited below, once it is known that the claim is ours
  const states = await claiming;
  if (eager && states[0] !== 'mine') throw new ClaimNotMine();

  const answers = new Map<PendingCall, Answer | Refusal>();
  const busy: PendingCall[] = [];
  const mine: PendingCall[] = [];
  for (const [i, pending] of batch.entries()) {
    const state = states[i]!;
    if (state === 'mine') mine.push(pending);
    else if (state === 'busy') busy.push(pending);
    else answers.set(pending, state);
  }
  const work = async (): Promise<number> => {
    const outcomes = await (working ??
      (prepared === null
        ? alone(mine)
        : tracing === null
          ? runTogether(parts, tx, mine, prepared)
          : tracing.step('work', runTogether, parts, tx, mine, prepared)));
    for (const [i, pending] of mine.entries()) answers.set(pending, outcomes[i]!.answer);
    return tracing === null
      ? record(parts, tx, mine, outcomes)
      : tracing.step('record', record, parts, tx, mine, outcomes);
  };
  const bounded = mine.length > 0 && mayBeSandbox(caller.org);
  return { answers, busy, raised: await (bounded ? inSandboxRoom(tx, caller.org.id, work) : work()) };
}

/** Writes the rows that belong to the outcomes. Returns how many occurrences were raised. */
function record({ secrets }: RoadParts, tx: Tx, calls: readonly PendingCall[], outcomes: readonly Outcome[]): number {
  if (calls.length === 0) return 0;
  const { caller, operation } = calls[0]!.call;
  const org = caller.org.id;
  writeAudit(
    tx,
    org,
    outcomes.flatMap((outcome) => outcome.audit),
  );
  const raised = outcomes.flatMap((outcome) => outcome.raised);
  writeOutbox(tx, org, raised);
  const secret = operation.secretAnswer ?? false;
  const kept = calls.flatMap(({ call: { claim } }, i): StoredAnswer[] => {
    const { answer, isStored, place } = outcomes[i]!;
    return claim !== null && isStored ? [{ claim, answer, secret, place }] : [];
  });
  keepAnswers(tx, org, kept, secrets);
  return raised.length;
}

/** Turns the error of a single call into its outcome. */
async function settle(parts: RoadParts, pending: PendingCall, error: unknown): Promise<void> {
  const { call } = pending;
  const { claim } = call;
  try {
    if (error instanceof Unchanged) pending.answer = replyTo(parts, call, error.reply);
    else if (error instanceof Refusal && claim !== null && isStored(error)) {
      await storeRefusal(parts, pending, claim, error);
    } else if (error instanceof CommitUnknown && claim !== null) {
      // The connection broke during the commit. If the work was committed, its stored answer is found now; else it is done now.
      await commit(parts, [pending], true);
    } else pending.error = unavailableIfUnknown(error);
  } catch (failure) {
    pending.error = unavailableIfUnknown(failure);
  }
}

const isStored = ({ status, code }: Refusal): boolean => isStoredStatus(status) && code !== 'idempotency_in_progress';

const unavailableIfUnknown = (error: unknown): unknown =>
  error instanceof CommitUnknown ? new Refusal('unavailable', { log: error.message }) : error;

/**
 * The work refused the call: its transaction was rolled back, so the answer is stored by a transaction of its own. (A savepoint
 * around every work would slow down the many calls that succeed.) If a twin came in between and stored its own answer, this
 * call repeats that one.
 */
async function storeRefusal(parts: RoadParts, pending: PendingCall, claim: Claim, refusal: Refusal): Promise<void> {
  const { pool, clock, secrets } = parts;
  const { operation, caller } = pending.call;
  const org = caller.org.id;
  const { answer } = refusedOutcome(pending.call, refusal);
  const state = await transaction(pool, clock, { role: 'app', org }, async (tx) => {
    const [state] = await resolveClaims(tx, org, [claim], secrets, true, operation.together?.answerStore?.read);
    const keep = async () => keepAnswers(tx, org, [{ claim, answer, secret: false, place: null }], secrets);
    if (state === 'mine') await (mayBeSandbox(caller.org) ? inSandboxRoom(tx, org, keep) : keep());
    return state!;
  });
  if (state === 'mine') pending.answer = answer;
  else if (state === 'busy') pending.error = inProgress();
  else if (state instanceof Refusal) pending.error = state;
  else pending.answer = state;
}
