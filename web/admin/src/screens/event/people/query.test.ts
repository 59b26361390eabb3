import { describe, expect, test } from 'vitest';
import { nameOf, peopleFilter, peopleQuery, UNANSWERED } from './query.ts';

describe('what the address of the table asks of the server', () => {
  test.each([
    ['status', { status: 'pending_approval' }, { status: 'pending_approval' }],
    ['type', { attendee_type: 'crew' }, { attendee_type: 'crew' }],
    ['day', { day: 'sat' }, { day: 'sat' }],
    ['group', { group: 'north' }, { group: 'north' }],
    ['checked in', { checked_in: 'true' }, { checked_in: true }],
    ['not checked in', { checked_in: 'false' }, { checked_in: false }],
    ['an answer', { 'answer.diet': 'Vegan' }, { answers: ['diet:Vegan'] }],
    ['no answer', { 'answer.diet': UNANSWERED }, { answers: ['diet:'] }],
    ['two answers', { 'answer.diet': 'Vegan', 'answer.bus': 'true' }, { answers: ['diet:Vegan', 'bus:true'] }],
    ['nothing', { job: 'abc', order: 'newest', 'answer.diet': undefined }, {}],
  ])('%s', (_name, address, filter) => {
    expect(peopleFilter(address)).toEqual(filter);
  });

  test('all of them together', () => {
    const address = { search: 'ada', status: 'confirmed', day: 'sat', 'answer.diet': 'Vegan' };
    expect(peopleFilter(address)).toEqual({ search: 'ada', status: 'confirmed', day: 'sat', answers: ['diet:Vegan'] });
  });

  test('people are listed by name; what is searched for, by how well it fits; and what was chosen is kept', () => {
    expect(peopleQuery({})).toMatchObject({ order: 'name' });
    expect(peopleQuery({ search: 'ada' })).not.toHaveProperty('order');
    expect(peopleQuery({ search: 'ada', order: 'name' })).toMatchObject({ order: 'name' });
    expect(peopleQuery({ order: 'newest' })).toMatchObject({ order: 'newest' });
    expect(peopleQuery({ order: 'nonsense' })).toMatchObject({ order: 'name' });
  });
});

test('a name is whole with one part missing', () => {
  expect(nameOf({ first_name: 'Ada', last_name: 'Lovelace' })).toBe('Ada Lovelace');
  expect(nameOf({ first_name: null, last_name: 'Lovelace' })).toBe('Lovelace');
  expect(nameOf({ first_name: null, last_name: null })).toBe('');
});
