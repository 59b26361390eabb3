import type { Translate } from '@turnout/words';
import { expect, test } from 'vitest';
import { draftState } from './draft-state.ts';

/** Words that say what they were asked for. */
const t = ((key: string) => key) as Translate<'messages'>;
const draft = { busy: false, changed: false, complete: true, saved: { id: 'm1' } };

test('a draft says whether it is saved, and what is missing if it cannot be', () => {
  expect(draftState(draft, t)).toBe('savedDraft');
  expect(draftState({ ...draft, busy: true, changed: true }, t)).toBe('saving');
  expect(draftState({ ...draft, changed: true, complete: false }, t)).toBe('notSaved');
});

test('nothing is said of a new message, and of one that is about to be saved', () => {
  expect(draftState({ ...draft, saved: { id: null } }, t)).toBeNull();
  expect(draftState({ ...draft, changed: true }, t)).toBeNull();
});
