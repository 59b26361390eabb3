import { expect, test } from 'vitest';
import { reasonOf } from './refused-scan.ts';

test('a scan at a point that was deleted is said to be that, and any other mistake is not', () => {
  expect(reasonOf({ code: 'validation_failed', point: 'side' }, ['gate'])).toBe('not_found');
  expect(reasonOf({ code: 'validation_failed', point: 'gate' }, ['gate'])).toBe('validation_failed');
  expect(reasonOf({ code: 'client_uuid_reused', point: 'side' }, ['gate'])).toBe('client_uuid_reused');
});
