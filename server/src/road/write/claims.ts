import type { Secrets } from '../../common/secrets.ts';
import type { Tx } from '../../store/tx.ts';
import { type ClaimState, resolveClaims } from './idempotency.ts';
import type { PendingCall } from './pending.ts';

/** The state of each call's claim, in order. A call without a claim is always to be done. */
export async function claimStates(
  tx: Tx,
  batch: readonly PendingCall[],
  secrets: Secrets,
  waits: boolean,
): Promise<ClaimState[]> {
  const { caller, operation } = batch[0]!.call;
  const claims = batch.flatMap(({ call }) => (call.claim === null ? [] : [call.claim]));
  const states = await resolveClaims(tx, caller.org.id, claims, secrets, waits, operation.together?.answerStore?.read);
  let next = 0;
  return batch.map(({ call }) => (call.claim === null ? 'mine' : states[next++]!));
}
