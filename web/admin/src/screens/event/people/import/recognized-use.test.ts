import { expect, test } from 'vitest';
import { recognizedUse } from './recognized-use.ts';

test.each([
  [{ became: 'field', field: 'email' }, 'email'],
  [{ became: 'question', field: 'diet' }, 'answers.diet'],
  [{ became: 'answer', field: 'Shoe size' }, 'answer'],
  [{ became: 'ignored', field: null }, 'ignore'],
] as const)('%o could be set by hand as %s', (found, use) => expect(recognizedUse(found)).toBe(use));

test('a file that was not looked at has nothing recognized', () => expect(recognizedUse(undefined)).toBeNull());
