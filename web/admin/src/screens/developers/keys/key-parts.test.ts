import type { ApiKey } from '@turnout/client';
import { expect, test } from 'vitest';
import { addressesOf, shortSecret } from './key-parts.ts';

test('addresses stand one a line or behind commas, and none means from anywhere', () => {
  expect(addressesOf(' 192.0.2.0/24, 198.51.100.7\n2001:db8::/32,\n')).toEqual([
    ...['192.0.2.0/24', '198.51.100.7', '2001:db8::/32'],
  ]);
  expect([addressesOf(''), addressesOf(' ,\n ')]).toEqual([null, null]);
});

test('what is no address is left to the server, which says so beside the field', () => {
  expect(addressesOf('not an address')).toEqual(['not', 'an', 'address']);
});

test('a secret is known again by its beginning and its end', () => {
  expect(shortSecret({ mode: 'test', last4: 'a1B2' } as ApiKey)).toBe('svc_test_…a1B2');
});
