import { isSuccess, RESULTS, type Result } from '@turnout/checkin';
import type { Disagreement } from '@turnout/client';

/** What an offline door and the server decided differently, as people care about it. */
export type Difference =
  /** Somebody is inside who should not be. */
  | 'let_in'
  /** Somebody was let in by a code that no ticket has. */
  | 'let_in_unknown'
  /** Somebody was sent away who could have come in. */
  | 'sent_away'
  /** Both admitted, but not in the same way. */
  | 'both_admitted'
  /** Both refused, for different reasons. */
  | 'both_refused';

const isKnown = (result: string): result is Result => (RESULTS as readonly string[]).includes(result);
const admits = (result: string): boolean => isKnown(result) && isSuccess(result);

export function differenceOf({
  offline_result,
  admitted,
  result,
}: Pick<Disagreement, 'offline_result' | 'admitted' | 'result'>): Difference {
  const door = admits(offline_result ?? '');
  if (door && result === 'unknown') return 'let_in_unknown';
  if (door !== admitted) return door ? 'let_in' : 'sent_away';
  return door ? 'both_admitted' : 'both_refused';
}
