import { expect, test } from 'vitest';
import { afterSave, type MessageValues, messageValues } from './draft-values.ts';

const before: MessageValues = { ...messageValues(null), subject: 'Doors', text: 'At nine' };

test('after a save, what only somebody else changed is taken over, and what is being typed stays', () => {
  const sent = { ...before, text: 'At ten' };
  const typed = { ...sent, text: 'At ten sharp' };
  const now = { ...sent, subject: 'Gates' };
  const next = afterSave(before, sent, ['text'], typed, now);
  expect(next.values).toEqual({ ...typed, subject: 'Gates' });
  expect(next.savedValues).toEqual({ ...sent, subject: 'Gates' });
  expect(next.known).toEqual(now);
});

test('what somebody else changed and was typed over during the save stays unknown, so that the next save asks', () => {
  const sent = { ...before, text: 'At ten' };
  const typed = { ...sent, subject: 'Entrances' };
  const next = afterSave(before, sent, ['text'], typed, { ...sent, subject: 'Gates' });
  expect(next.values).toEqual(typed);
  expect(next.known.subject).toBe('Doors');
});

test('the server may write what was sent in another way without changing what is being typed', () => {
  const sent = { ...before, subject: 'Doors open ' };
  const next = afterSave(before, sent, ['subject'], sent, { ...sent, subject: 'Doors open' });
  expect(next.values.subject).toBe('Doors open ');
  expect(next.savedValues.subject).toBe('Doors open ');
});
