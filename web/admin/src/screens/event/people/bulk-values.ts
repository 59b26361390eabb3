import type { Day } from '@turnout/client';
import { lateEntry } from '../../../parts/late-entry.ts';
import type { BulkAction, BulkExtras } from './bulk-items.ts';

/** What the dialog of a bulk action holds. */
export interface BulkValues {
  reason: string;
  send: boolean;
  /** What is changed: a field, or `answer.` and the code of a question. */
  what: string;
  attendee_type: string;
  days: string[];
  group: string;
  answer: unknown;
}
export const EMPTY: BulkValues = {
  ...{ reason: '', send: true, what: 'attendee_type', attendee_type: '', days: [], group: '', answer: undefined },
};

type EventDays = readonly Pick<Day, 'code' | 'closes_at'>[];

/** What is sent with a bulk action. `days` are those of the event: somebody may be entered late for one that is over. */
export function extrasOf(action: BulkAction, values: BulkValues, days: EventDays): BulkExtras {
  const reason = values.reason.trim();
  if (action === 'cancel' || action === 'decline') return reason === '' ? {} : { reason };
  if (action === 'reissue') return { send: values.send };
  return action === 'change' ? { change: changeOf(values, days) } : {};
}

function changeOf(
  { what, attendee_type, days, group, answer }: BulkValues,
  all: EventDays,
): NonNullable<BulkExtras['change']> {
  if (what === 'attendee_type') return { attendee_type };
  if (what === 'days') return { days, ...lateEntry([{ attendee_type: '', days }], { days: all, types: [] }) };
  if (what === 'group') return { group: group === '' ? null : group };
  return { answers: { [what.slice('answer.'.length)]: answer === '' || answer === undefined ? null : answer } };
}
