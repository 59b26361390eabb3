import type { Question } from '@turnout/client';
import { describe, expect, test } from 'vitest';
import { parseCount } from './count.ts';
import { emptyQuestion, newQuestion, type QuestionValues, questionChange, questionValues } from './question-values.ts';
import { emptyType, newType, type TypeValues, typeChange } from './type-values.ts';

const diet: Question = {
  ...{ id: 'Q1', code: 'diet', label: 'Diet', kind: 'choice', required: true, options: ['Vegan', 'Other'] },
  ...{ attendee_types: null, filterable: true, created_at: '', updated_at: '' },
};
const change = (now: Partial<QuestionValues>) => {
  const before = questionValues(diet);
  return questionChange(before, { ...before, ...now });
};

describe('a question', () => {
  test('is sent without empty options; a kind without options sends none', () => {
    const values = { ...emptyQuestion(), label: 'Size', options: [' S ', '', 'M'] };
    expect(newQuestion({ ...values, kind: 'choice' })).toMatchObject({ kind: 'choice', options: ['S', 'M'] });
    expect(newQuestion(values)).not.toHaveProperty('options');
    expect(newQuestion(values)).not.toHaveProperty('code');
  });

  test('sends only what was changed; another kind is no filter any more and drops its options by itself', () => {
    expect(change({})).toBeNull();
    expect(change({ options: ['Vegan', 'Other', ''] })).toBeNull();
    expect(change({ kind: 'text' })).toEqual({ kind: 'text', filterable: false });
    expect(change({ asked: 'some', attendee_types: ['adult'] })).toEqual({ attendee_types: ['adult'] });
  });
});

describe('a type', () => {
  test('sends days and pass only where they were chosen, and only what was changed', () => {
    const values: TypeValues = { ...emptyType(), name: 'Adult', days: ['d1'], pass_days: 2 };
    expect(newType(values)).toMatchObject({ days: null, pass_days: null, price_minor: 0 });
    expect(typeChange(values, { ...values, offered: 'some', pass: true })).toEqual({ days: ['d1'], pass_days: 2 });
    expect(typeChange(values, { ...values, days: [] })).toBeNull();
  });
});

test('a number of places may be written with a sign between thousands', () => {
  for (const text of ['1000', '1,000', '1.000', '1 000', '1’000', ' 1000 ']) expect(parseCount(text), text).toBe(1000);
  for (const text of ['', '1,5', '-3', '1.00', 'ten', '1,0000']) expect(parseCount(text), text).toBeNull();
});
