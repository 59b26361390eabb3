import { describe, expect, test } from 'vitest';
import { emptyPerson, personChange, personInput } from './person-values.ts';

const question = (code: string, kind: 'text' | 'choices') => ({
  ...{ code, label: code, kind, required: false, options: null, attendee_types: null },
});
const QUESTIONS = [question('diet', 'text'), question('tours', 'choices')];
const ada = emptyPerson({
  ...{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', group: 'north' },
  ...{ days: ['d1', 'd2'], answers: { diet: 'vegan', tours: ['press'], Company: 'Acme' } },
});

test('of somebody new, what is empty is left to the server', () => {
  const values = emptyPerson({
    attendee_type: 'pass',
    first_name: ' Ada ',
    last_name: 'Lovelace',
    answers: { diet: '' },
  });
  expect(personInput(values, QUESTIONS)).toEqual({
    ...{ attendee_type: 'pass', first_name: 'Ada', last_name: 'Lovelace', answers: {} },
  });
});

describe('of somebody who is there, only what was changed is sent', () => {
  test.each([
    [{}, null],
    [{ email: ' ada@example.org ' }, null],
    [{ days: ['d2', 'd1'] }, null],
    [{ email: '' }, { email: null }],
    [{ group: '' }, { group: null }],
    [{ last_name: 'King' }, { last_name: 'King' }],
    [{ days: ['d2'] }, { days: ['d2'] }],
    [{ answers: { ...ada.answers, diet: '' } }, { answers: { diet: null } }],
    [{ answers: { ...ada.answers, tours: ['press', 'mill'] } }, { answers: { tours: ['press', 'mill'] } }],
  ])('%j', (change, sent) => expect(personChange(ada, { ...ada, ...change }, QUESTIONS)).toEqual(sent));

  test('an answer that was never given and stays empty is not sent', () => {
    const before = emptyPerson({ attendee_type: 'adult', answers: {} });
    expect(personChange(before, { ...before, answers: { diet: '' } }, QUESTIONS)).toBeNull();
  });
});
