import type { Input } from '@turnout/client';
import type { FilterValues } from '../../parts/use-filters.ts';

export type PeopleQuery = NonNullable<Input<'listAttendees'>['query']>;

/** The filters of the table of people that the address may hold, besides those by answers. */
export const PEOPLE_FILTERS = ['search', 'status', 'attendee_type', 'day', 'group', 'checked_in'] as const;

const ROWS = 100;

/**
 * What is asked of the server for the filters in the address. Without an order, people are listed by name; what is searched for comes
 * first where it fits best, unless somebody chose an order.
 */
export function peopleQuery(values: FilterValues): PeopleQuery {
  return { ...peopleFilter(values), ...orderOf(values), limit: ROWS };
}

const orderOf = ({ order, search }: FilterValues): PeopleQuery =>
  order === 'newest' || order === 'name' ? { order } : search === undefined ? { order: 'name' } : {};

/** The filters alone, as bulk actions take them. */
export function peopleFilter({
  status,
  attendee_type,
  day,
  group,
  search,
  checked_in,
}: FilterValues): Pick<PeopleQuery, (typeof PEOPLE_FILTERS)[number]> {
  return {
    ...(search !== undefined && { search }),
    ...(status !== undefined && { status: status as NonNullable<PeopleQuery['status']> }),
    ...(attendee_type !== undefined && { attendee_type }),
    ...(day !== undefined && { day }),
    ...(group !== undefined && { group }),
    ...(checked_in !== undefined && { checked_in: checked_in === 'true' }),
  };
}

export const nameOf = ({ first_name, last_name }: { first_name: string | null; last_name: string | null }): string =>
  [first_name, last_name].filter(Boolean).join(' ');
