import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './address.ts';
import { filters } from './filters.ts';

const read = (address: string) => filters('admitted', 'search')(parseSearch(address));

test('texts stand in the address as they are, also those that look like numbers or yes and no', () => {
  expect(stringifySearch({ admitted: 'false', search: '0150' })).toBe('?admitted=false&search=0150');
});

test('an address is read as it was written', () => {
  for (const text of ['false', 'null', '1e5', '1.0', '007', '"Ada"', '"Ada', '{"a":1}', '[1]', 'a & b', '12'])
    expect(read(stringifySearch({ search: text }))).toEqual({ search: text });
});

test('an older address, with texts in quotes, means the same', () => {
  expect(read('?admitted=%22false%22&search=%2212%22')).toEqual({ admitted: 'false', search: '12' });
});
