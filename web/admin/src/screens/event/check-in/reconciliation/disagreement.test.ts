import { expect, test } from 'vitest';
import { differenceOf } from './disagreement.ts';

test.each([
  ['accepted', 'duplicate', 'let_in'],
  ['zone_entered', 'zone_full', 'let_in'],
  ['accepted', 'unknown', 'let_in_unknown'],
  ['unknown', 'accepted', 'sent_away'],
  ['duplicate', 'accepted', 'sent_away'],
  ['accepted', 'pre_checked', 'both_admitted'],
  ['wrong_day', 'duplicate', 'both_refused'],
  // A word of a newer scanner is no admission.
  ['something_new', 'rejected', 'both_refused'],
] as const)('the door said %s, the server %s: %s', (offline_result, result, difference) => {
  const admitted = ['accepted', 'pre_checked', 'zone_entered', 'exited'].includes(result);
  expect(differenceOf({ offline_result, result, admitted })).toBe(difference);
});
