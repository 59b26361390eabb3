import type { Clock } from '../../clock.ts';
import type { Refusal } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import type { Pool } from '../../store/pool.ts';
import type { Tx } from '../../store/tx.ts';
import { type Answer, answer } from '../answer.ts';
import type { Links } from '../for-areas/links.ts';
import type { License } from '../gate/license.ts';
import type { Measures } from '../measures.ts';
import type { Change, Occurrence, Operation, Outside, Work } from '../operation.ts';
import type { References } from '../request/all-faults.ts';
import { isStoredStatus } from './idempotency.ts';
import { tagOf } from './if-match.ts';
import type { CheckedCall } from './pending.ts';
import type { AuditRow } from './record.ts';

export interface RoadParts {
  pool: Pool;
  clock: Clock;
  secrets: Secrets;
  license: License;
  links: Links;
  outside: Outside;
  /** How the references in a body are looked up, by their kind. */
  references?: References;
  measures?: Measures;
  /** Tells the relay that outbox rows were committed. */
  wake?: () => void;
  /** Tests check each reply against its schema, so that the published document and the answers cannot drift apart. */
  checkReply?: (operation: Operation, body: unknown) => void;
}

/** The objects that the path names, by the name of their parameter. */
export type At = Record<string, unknown>;

/** What one call has to write and to answer after its work. */
export interface Outcome {
  answer: Answer;
  audit: AuditRow[];
  raised: Occurrence[];
  /** Whether the answer is stored for retries. */
  isStored: boolean;
  /** Where the work itself stores the answer; null if it does not. */
  place: string | null;
}

/** The `Work` of a call. Changes and occurrences that it reports are added to the two lists. */
export function workOf(
  { license, links, secrets, outside }: RoadParts,
  tx: Tx,
  call: Pick<CheckedCall, 'caller' | 'requestId' | 'client'>,
  audit: Change[] = [],
  raised: Occurrence[] = [],
): Work {
  return {
    tx,
    org: call.caller.org.id,
    caller: call.caller,
    mode: call.caller.mode,
    request: { id: call.requestId, client: call.client },
    license,
    links,
    secrets,
    outside,
    changed: (change) => audit.push(change),
    raise: (occurrence) => raised.push(occurrence),
  };
}

export function recordedWork(
  parts: RoadParts,
  tx: Tx,
  call: CheckedCall,
): { work: Work; audit: Change[]; raised: Occurrence[] } {
  const audit: Change[] = [];
  const raised: Occurrence[] = [];
  return { work: workOf(parts, tx, call, audit, raised), audit, raised };
}

export function replyTo({ checkReply }: RoadParts, call: CheckedCall, body: unknown): Answer {
  const { operation } = call;
  checkReply?.(operation, body);
  const status = operation.continuesInBackground?.(body) === true ? 202 : (operation.status ?? 200);
  return answer(status, body, call.requestId, tagOf(operation, body));
}

export function refusedOutcome(call: CheckedCall, refusal: Refusal): Outcome {
  const { status } = refusal;
  return {
    answer: answer(status, refusal.body(call.requestId), call.requestId, refusal.options.headers),
    audit: [],
    raised: [],
    isStored: isStoredStatus(status),
    place: null,
  };
}
