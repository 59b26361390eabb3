import { expect, test } from 'vitest';
import { likelyDays, namesIn } from './walk-in-values.ts';

test('the name of a walk-in is what was searched for, without addresses and codes', () => {
  expect(namesIn('Wanda Walker')).toEqual({ first_name: 'Wanda', last_name: 'Walker' });
  expect(namesIn('  Anna  Lena Berg ')).toEqual({ first_name: 'Anna Lena', last_name: 'Berg' });
  expect(namesIn('walker')).toEqual({ first_name: '', last_name: 'walker' });
  expect(namesIn('wanda@example.org')).toEqual({ first_name: '', last_name: '' });
  expect(namesIn('Berg 7K2M9QX4')).toEqual({ first_name: '', last_name: 'Berg' });
  expect(namesIn('')).toEqual({ first_name: '', last_name: '' });
});

test('a walk-in gets the present day, else the first that the type has; a pass has none', () => {
  const days = [{ code: 'sat' }, { code: 'sun' }];
  const type = (only: string[] | null, pass_days: number | null = null) => ({ days: only, pass_days });
  expect(likelyDays(type(null), days, days[1])).toEqual(['sun']);
  expect(likelyDays(type(['sat']), days, days[1])).toEqual(['sat']);
  expect(likelyDays(type(null), days, undefined)).toEqual(['sat']);
  expect(likelyDays(type(null, 1), days, days[1])).toEqual([]);
  expect(likelyDays(type([]), days, days[1])).toEqual([]);
  expect(likelyDays(undefined, days, days[1])).toEqual([]);
});
