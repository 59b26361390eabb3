import type { EventSummary, Registration } from '@turnout/client';
import { ENDED_STATUSES, OPEN_STATUSES } from '@turnout/contract/registration-states';
import type { FilterValues } from '../../../../parts/use-filters.ts';
import { registrationsFilter } from './query.ts';

export type Status = Registration['status'];

/** The states that have a tab. One that has ended is left out while it is empty and not looked at. */
export const shownStatuses = (
  counts: EventSummary['registrations'] | undefined,
  looked: string | undefined,
): Status[] => [...OPEN_STATUSES, ...ENDED_STATUSES.filter((one) => (counts?.[one] ?? 0) > 0 || looked === one)];

/** How many there are, where the summary of the event says so: with no filter, or by status alone. */
export function totalOf(
  values: FilterValues,
  summary: Pick<EventSummary, 'registrations'> | undefined,
): number | undefined {
  if (summary === undefined || Object.keys(registrationsFilter(values)).some((name) => name !== 'status'))
    return undefined;
  const { registrations } = summary;
  if (values.status !== undefined) return registrations[values.status as Status];
  return Object.values(registrations).reduce((sum, count) => sum + count, 0);
}
