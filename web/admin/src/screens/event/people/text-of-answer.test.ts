import { Words } from '@turnout/words';
import { beforeAll, expect, test } from 'vitest';
import { answerText } from './text-of-answer.ts';

const words = new Words();
beforeAll(async () => {
  await words.speak('en', ['en-GB']);
  await words.need('parts', 'nouns');
});

test.each([
  [null, ''],
  [undefined, ''],
  [true, 'Yes'],
  [false, 'No'],
  [12345, '12,345'],
  [['Bus', 'Train'], 'Bus, Train'],
  ['2027-06-12', 'Sat, 12 Jun 2027'],
  ['Vegan', 'Vegan'],
  ['on 2027-06-12', 'on 2027-06-12'],
])('%j is told as “%s”', (answer, text) => {
  expect(answerText(answer, { t: words.in('parts'), formats: words.formats })).toBe(text);
});
