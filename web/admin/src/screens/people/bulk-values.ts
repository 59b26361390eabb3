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

/** What is sent with a bulk action. */
export function extrasOf(action: BulkAction, values: BulkValues): BulkExtras {
  const reason = values.reason.trim();
  if (action === 'cancel' || action === 'decline') return reason === '' ? {} : { reason };
  if (action === 'reissue') return { send: values.send };
  return action === 'change' ? { change: changeOf(values) } : {};
}

function changeOf({ what, attendee_type, days, group, answer }: BulkValues): NonNullable<BulkExtras['change']> {
  if (what === 'attendee_type') return { attendee_type };
  if (what === 'days') return { days };
  if (what === 'group') return { group: group === '' ? null : group };
  return { answers: { [what.slice('answer.'.length)]: answer === '' || answer === undefined ? null : answer } };
}
