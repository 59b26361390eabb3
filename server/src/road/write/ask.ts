import { Refusal } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import type { Answer } from '../answer.ts';
import { findAll, modeAt } from '../request/reference.ts';
import { claimStates } from './claims.ts';
import { type ClaimState, inProgress, isStoredStatus, retryKeyOf } from './idempotency.ts';
import type { PendingCall } from './pending.ts';
import { type RoadParts, workOf } from './work.ts';

type Ask = () => Promise<unknown>;

/**
 * Runs the operation's `before`: asks somebody else (a payment provider) for what the work needs, with no transaction open while
 * it waits for them. The result is left in `beforeResult`. A retry whose answer is already stored asks nobody: that answer is returned.
 */
export async function askBefore(parts: RoadParts, pending: PendingCall): Promise<Answer | null> {
  const { claim } = pending.call;
  const ask = await prepare(parts, pending);
  if (ask === 'busy') throw inProgress();
  if (ask instanceof Refusal) throw ask;
  if (typeof ask !== 'function') return ask;
  try {
    pending.beforeResult = await ask();
  } catch (error) {
    if (!(error instanceof Refusal) || claim === null || !isStoredStatus(error.status)) throw error;
    pending.beforeResult = error;
  }
  return null;
}

function prepare(parts: RoadParts, pending: PendingCall): Promise<Exclude<ClaimState, 'mine'> | Ask> {
  const { call } = pending;
  const { operation, claim } = call;
  const org = call.caller.org.id;
  // This does not use the option `readOnly`: the snapshot of such a transaction is older than the wait for a twin, so it would not
  // see the twin's answer.
  return transaction(parts.pool, parts.clock, { role: 'app', org }, async (tx) => {
    const [state] = await claimStates(tx, [pending], parts.secrets, true);
    if (state !== 'mine') return state!;
    tx.send(sql`set transaction read only`);
    const work = workOf(parts, tx, call);
    const retryKey = claim === null ? call.requestId : retryKeyOf(org, claim);
    try {
      const at = await findAll(work, operation, call.params);
      const mode = modeAt(work.mode, operation.at, at);
      const { query, body, file } = call;
      const apart = <T>(apartWork: (tx: Tx) => Promise<T>): Promise<T> =>
        // The call itself holds a connection, so this one must not have to wait for another call's.
        transaction(parts.pool, parts.clock, { role: 'system' }, apartWork, { kind: 'lookup' });
      return await operation.before!({ ...work, mode, at, query, body, file, retryKey, apart });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return () => Promise.reject(error);
    }
  });
}
