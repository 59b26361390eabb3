import type { EventSummary } from '@turnout/client';
import type { FilterValues } from '../../../parts/use-filters.ts';
import { peopleFilter } from './query.ts';

const COUNTED: readonly string[] = ['status', 'attendee_type', 'day'];

/** How many there are, where the summary of the event says so: with no filter, or by status, by type or by day alone. */
export function totalOf(
  values: FilterValues,
  summary: Pick<EventSummary, 'people' | 'attendee_types' | 'days'> | undefined,
): number | undefined {
  if (summary === undefined || Object.keys(peopleFilter(values)).some((name) => !COUNTED.includes(name)))
    return undefined;
  const { status, attendee_type, day } = values;
  if (attendee_type !== undefined && day !== undefined) return undefined;
  const counted =
    attendee_type !== undefined
      ? summary.attendee_types.find((one) => one.attendee_type === attendee_type)
      : day !== undefined
        ? summary.days.find((one) => one.day === day)
        : summary;
  if (counted === undefined) return undefined;
  const { people } = counted;
  if (status !== undefined) return people[status as keyof typeof people];
  return Object.values(people).reduce((sum, count) => sum + count, 0);
}
