import { expect, test } from 'vitest';
import { draftState } from './draft-state.ts';

const draft = { busy: false, changed: false, complete: true, saved: { id: 'm1' } };

test('a draft says whether it is saved, and what is missing if it cannot be', () => {
  expect(draftState(draft)).toBe('savedDraft');
  expect(draftState({ ...draft, busy: true, changed: true })).toBe('saving');
  expect(draftState({ ...draft, changed: true, complete: false })).toBe('notSaved');
});

test('nothing is said of a new message, and of one that is about to be saved', () => {
  expect(draftState({ ...draft, saved: { id: null } })).toBeNull();
  expect(draftState({ ...draft, changed: true })).toBeNull();
});
