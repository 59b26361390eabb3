import { expect, test } from 'vitest';
import type { BulkAction, BulkExtras } from './bulk-items.ts';
import { type BulkValues, EMPTY, extrasOf } from './bulk-values.ts';

test.each<[string, BulkAction, Partial<BulkValues>, BulkExtras]>([
  ['a reason', 'cancel', { reason: ' No room ' }, { reason: 'No room' }],
  ['no reason', 'decline', { reason: '  ' }, {}],
  ['new tickets by mail', 'reissue', {}, { send: true }],
  ['new tickets without a mail', 'reissue', { send: false }, { send: false }],
  ['nothing', 'approve', { reason: 'typed before another action was chosen' }, {}],
  ['another type', 'change', { attendee_type: 'crew' }, { change: { attendee_type: 'crew' } }],
  ['other days', 'change', { what: 'days', days: ['sat'] }, { change: { days: ['sat'] } }],
  ['a day that is over', 'change', { what: 'days', days: ['fri'] }, { change: { days: ['fri'], past_days: true } }],
  ['another group', 'change', { what: 'group', group: 'north' }, { change: { group: 'north' } }],
  ['no group', 'change', { what: 'group' }, { change: { group: null } }],
  ['an answer', 'change', { what: 'answer.note', answer: 'In front' }, { change: { answers: { note: 'In front' } } }],
  ['the answer no', 'change', { what: 'answer.bus', answer: false }, { change: { answers: { bus: false } } }],
  ['no answer', 'change', { what: 'answer.note', answer: '' }, { change: { answers: { note: null } } }],
])('%s is sent with the action', (_name, action, values, extras) => {
  const days = [
    { code: 'fri', closes_at: '2020-01-01T00:00:00Z' },
    { code: 'sat', closes_at: '2099-01-01T00:00:00Z' },
  ];
  expect(extrasOf(action, { ...EMPTY, ...values }, days)).toEqual(extras);
});
