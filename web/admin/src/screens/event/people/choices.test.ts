import type { Group } from '@turnout/client';
import { Words } from '@turnout/words';
import { beforeAll, expect, test } from 'vitest';
import { choicesOf } from './choices.ts';
import { peopleFilter } from './query.ts';

const words = new Words();
beforeAll(async () => {
  await words.speak('en');
  await words.need('people', 'parts', 'person', 'nouns');
});

const group = (code: string, name: string, parent: string | null = null) => ({ code, name, parent }) as Group;
const choices = () =>
  choicesOf(
    {
      states: [{ value: 'confirmed', label: 'Confirmed' }],
      types: [{ code: 'crew', name: 'Crew' }],
      days: [{ value: 'sat', label: 'Saturday (2 May)' }],
      groups: [group('port', 'Port', 'north'), group('south', 'South'), group('north', 'North')],
      questions: [
        { code: 'diet', label: 'What do you eat?', options: ['Everything', 'Vegan'], filterable: true },
        { code: 'bus', label: 'By bus?', options: null, filterable: true },
        { code: 'note', label: 'Anything else?', options: null, filterable: false },
      ],
    },
    { t: words.in('people'), p: words.in('parts'), person: words.in('person') },
  );

test('people are filtered by what every event has, and by the questions that are filterable', () => {
  expect(choices().map(({ label }) => label)).toEqual([
    ...['Status', 'Type', 'Day', 'Group', 'Checked in', 'What do you eat?', 'By bus?'],
  ]);
});

test('options are named as people know them; groups stand below each other as in the tree', () => {
  const labels = Object.fromEntries(choices().map(({ name, options }) => [name, options.map(({ label }) => label)]));
  expect(labels).toMatchObject({
    ...{ attendee_type: ['Crew'], day: ['Saturday (2 May)'], group: ['North', '\u2003Port', 'South'] },
    ...{ checked_in: ['Yes', 'No'], 'answer.diet': ['Everything', 'Vegan', 'No answer'] },
    'answer.bus': ['Yes', 'No', 'No answer'],
  });
});

test('every option asks something of the server, and no two the same', () => {
  const asked = choices().flatMap(({ name, options }) =>
    options.map(({ value }) => JSON.stringify(peopleFilter({ [name]: value }))),
  );
  expect(asked).not.toContain('{}');
  expect(new Set(asked).size).toBe(asked.length);
});
