import { expect, test } from 'vitest';
import { addedNow, figuresOf } from './figure-list.ts';

const rules = { approval: false, waitlist: false } as Parameters<typeof figuresOf>[0]['registration'];
const free = { price_minor: 0, prices: [], approval: false };
const counted = (registrations: object, money: object[] = []) =>
  ({ registrations: { pending_approval: 0, waitlisted: 0, ...registrations }, money }) as never;

test('an event has the figures that its rules can fill, before anything is counted', () => {
  expect(figuresOf({ registration: rules }, [free], undefined)).toEqual(['confirmed']);
  expect(
    figuresOf({ registration: rules }, [free, { price_minor: 500, prices: [], approval: true }], undefined),
  ).toEqual(['confirmed', 'money', 'toApprove']);
  expect(figuresOf({ registration: { ...rules, approval: true, waitlist: true } }, [], undefined)).toEqual([
    'confirmed',
    'toApprove',
    'waitlist',
  ]);
});

test('what is counted is shown even if the rules are others now', () => {
  const money = [{ currency: 'EUR', paid_minor: 100, due_minor: 0 }];
  expect(figuresOf({ registration: rules }, [free], counted({ waitlisted: 2, pending_approval: 1 }, money))).toEqual([
    'confirmed',
    'money',
    'toApprove',
    'waitlist',
  ]);
  expect(figuresOf({ registration: rules }, [free], counted({}, [{ paid_minor: 0, due_minor: 0 }]))).toEqual([
    'confirmed',
  ]);
});

test('what came today is the last interval, if that is the one that runs now', () => {
  const day = (date: number, registered: number) => ({
    starts_at: `2026-11-${date}T00:00:00Z`,
    ends_at: `2026-11-${date + 1}T00:00:00Z`,
    people: { registered },
  });
  const intervals = [day(18, 5), day(19, 7)];
  expect(addedNow(intervals, Date.parse('2026-11-19T12:00:00Z'))).toBe(7);
  expect(addedNow(intervals, Date.parse('2026-11-20T00:00:00Z'))).toBe(0);
  expect(addedNow([], Date.now())).toBe(0);
});
