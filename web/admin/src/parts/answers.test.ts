import { expect, test } from 'vitest';
import { answersFor, questionsFor } from './answers.ts';

const question = (
  code: string,
  kind: 'text' | 'number' | 'choices' | 'yes_no',
  attendee_types: string[] | null = null,
) => ({
  ...{ code, label: code, kind, required: false, options: null, attendee_types },
});
const QUESTIONS = [
  question('name', 'text'),
  question('age', 'number'),
  question('tours', 'choices'),
  question('first', 'yes_no'),
  question('shift', 'text', ['crew']),
];

test('somebody is asked the questions of their type', () => {
  expect(questionsFor(QUESTIONS, 'adult').map(({ code }) => code)).toEqual(['name', 'age', 'tours', 'first']);
  expect(questionsFor(QUESTIONS, 'crew')).toHaveLength(5);
});

test('what is sent: numbers as numbers, emptied answers as null, nothing of questions that were not asked or not touched', () => {
  const answers = { name: '', age: '12,5', tours: [], first: false, shift: 'early', Company: 'Acme' };
  expect(answersFor(QUESTIONS, 'adult', answers)).toEqual({
    ...{ name: null, age: 12.5, tours: null, first: false },
    // Kept from an import under its own heading.
    Company: 'Acme',
  });
  expect(answersFor(QUESTIONS, 'crew', { shift: 'early' })).toEqual({ shift: 'early' });
});
