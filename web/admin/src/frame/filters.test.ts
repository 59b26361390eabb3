import { expect, test } from 'vitest';
import { filters } from './filters.ts';

const read = filters('search', 'status', 'page', 'answer.*');

test('the filters of the screen are read as texts, also where they look like something else', () => {
  expect(read({ search: 'ada', status: 'confirmed', page: 2 })).toEqual({
    search: 'ada',
    status: 'confirmed',
    page: '2',
  });
  expect(read({ 'answer.bus': true, 'answer.age': 7, 'answer.diet': 'Vegan' })).toEqual({
    ...{ 'answer.bus': 'true', 'answer.age': '7', 'answer.diet': 'Vegan' },
  });
});

test('what the screen does not know is dropped, and so is what is no text, empty or too long', () => {
  expect(read({ unknown: 'x', answers: 'x', search: '', status: ['a'], page: null, 'answer.diet': { a: 1 } })).toEqual(
    {},
  );
  expect(read({ search: 'x'.repeat(500) })).toHaveProperty('search');
  expect(read({ search: 'x'.repeat(501) })).toEqual({});
});
