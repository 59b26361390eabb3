import type { CheckIn, Ticket } from '@turnout/client';
import { expect, test } from 'vitest';
import { type Telling, tellCheckIn, tellRegistration, tellTicket } from './tell.tsx';

/** Words that say what they were asked for. */
const telling = {
  ...{ t: (key: string) => key, stateText: (_kind: string, state: string) => state, reasonText: (one: string) => one },
  ...{ nameText: {}, actionText: (one: string) => one, money: String },
  ...{ pointName: (one: string) => one, dayName: (one: string) => one },
  by: (_object: string, _at: string, ...actions: string[]) => ({ by: actions.join(' ') }),
} as unknown as Telling;
const AT = '2031-05-03T09:00:00Z';
const LATER = '2031-05-03T10:00:00Z';

test('a ticket is told once, and again when it was voided or replaced', () => {
  const ticket = { id: 't1', code: 'ABC', issued_at: AT, voided_at: null, replaced_by: null, void_reason: null };
  const titles = (more: Partial<Ticket>) =>
    tellTicket({ ...ticket, ...more } as Ticket, telling).map((one) => one.title);
  expect(titles({})).toEqual(['ticketIssued']);
  expect(titles({ voided_at: LATER })).toEqual(['ticketIssued', 'ticketVoided']);
  expect(titles({ voided_at: LATER, replaced_by: 't2' })).toEqual(['ticketIssued', 'ticketReplaced']);
});

test('a confirmation is told if it came later, a cancellation if the log does not tell of it', () => {
  const ids = (confirmed_at: string | null, cancelled_at: string | null, isLogged: boolean) =>
    tellRegistration({ created_at: AT, confirmed_at, cancelled_at }, isLogged, telling).map(({ id }) => id);
  expect(ids(AT, null, false)).toEqual([]);
  expect(ids(LATER, LATER, true)).toEqual(['confirmed']);
  expect(ids(LATER, LATER, false)).toEqual(['confirmed', 'cancelled']);
});

test('a refusal says why, unless that is the same as what it is called', () => {
  const checkIn = {
    ...{ id: 'c1', result: 'duplicate', reason: 'limit', admitted: false, day: 'sat', check_in_point: 'gate' },
    ...{ scanned_at: AT, recorded_at: AT, override: null, undone_at: null, test: false, actor: { name: 'Olga' } },
  } as CheckIn;
  const text = (more: Partial<CheckIn>) => tellCheckIn({ ...checkIn, ...more }, [], telling).text;
  expect(text({})).toBe('sat · limit');
  expect(text({ reason: 'duplicate' })).toBe('sat');
  expect(text({ admitted: true, result: 'accepted' })).toBe('sat');
  expect(text({ undone_at: LATER, test: true })).toBe('sat · limit · undone · test');
});
