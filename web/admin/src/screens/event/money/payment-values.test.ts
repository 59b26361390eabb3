import { expect, test } from 'vitest';
import { canBeRefunded, isFiltered, leftOf, paymentsQuery } from './payment-values.ts';

const payment = { amount_minor: 4500, refunded_minor: 500, charged_back_minor: 0, status: 'received' as const };

test('what is left is what was neither given back nor charged back', () => {
  expect(leftOf(payment)).toBe(4000);
  expect(leftOf({ ...payment, charged_back_minor: 4000 })).toBe(0);
});

test('only money that came in and is still here can be refunded', () => {
  expect(canBeRefunded(payment)).toBe(true);
  expect(canBeRefunded({ ...payment, refunded_minor: 4500 })).toBe(false);
  expect(canBeRefunded({ ...payment, status: 'failed' })).toBe(false);
});

test('only the filters that are set are asked for', () => {
  expect(paymentsQuery({})).toEqual({ limit: 50 });
  expect(paymentsQuery({ status: 'received', from: '2031-05-03' })).toEqual({ limit: 50, status: 'received' });
  expect(isFiltered({})).toBe(false);
  expect(isFiltered({ from: '2031-05-03' })).toBe(true);
});
