import type { Input } from '@turnout/client';
import type { FilterValues } from '../../../../parts/use-filters.ts';

export type RegistrationsQuery = NonNullable<Input<'listRegistrations'>['query']>;

const ROWS = 100;

/** What is asked of the server for the filters in the address. What is searched for comes first where it fits best. */
export const registrationsQuery = (values: FilterValues): RegistrationsQuery => ({
  ...registrationsFilter(values),
  ...orderOf(values),
  limit: ROWS,
});

const orderOf = ({ order, search }: FilterValues): RegistrationsQuery =>
  order === 'newest' || order === 'name' ? { order } : search === undefined ? { order: 'newest' } : {};

/** The filters alone, as bulk actions take them. */
export const registrationsFilter = ({ search, status, source, group, balance }: FilterValues): RegistrationsQuery => ({
  ...(search !== undefined && { search }),
  ...(status !== undefined && { status: status as NonNullable<RegistrationsQuery['status']> }),
  ...(source !== undefined && { source: source as NonNullable<RegistrationsQuery['source']> }),
  ...(group !== undefined && { group }),
  ...(balance !== undefined && { balance: balance as NonNullable<RegistrationsQuery['balance']> }),
});
