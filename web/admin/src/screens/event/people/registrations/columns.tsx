import { linkOptions } from '@tanstack/react-router';
import type { Registration } from '@turnout/client';
import { Ago, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import type { DataColumn } from '../../../../parts/data-table.tsx';
import { RowLink, useRowLinks } from '../../../../parts/row-link.tsx';
import { StateBadge, useNameText } from '../../../../parts/status.tsx';
import type { FilterValues } from '../../../../parts/use-filters.ts';
import { nameOf } from '../query.ts';

/** The columns of the table of registrations. */
export function useRegistrationColumns(values: FilterValues): DataColumn<Registration>[] {
  const t = useWords('registrations');
  const p = useWords('parts');
  const person = useWords('person');
  const formats = useFormats();
  const { source } = useNameText();
  const { base, money, typeName } = useEvent();
  const links = useRowLinks(
    (registration) => {
      const { job: _, ...search } = values;
      const params = { ...base, registration };
      return linkOptions({
        to: '/$org/events/$event/people/registrations/$registration',
        params,
        search: search as never,
      });
    },
    [base, values],
  );
  return useMemo<DataColumn<Registration>[]>(
    () => [
      {
        ...{ id: 'contact', head: t('contact'), order: 'name', always: true, card: 'title' },
        width: 'minmax(11rem, 2fr)',
        cell: (one) => (
          <RowLink to={links} id={one.code}>
            <bdi>{nameOf(one.contact) || one.code}</bdi>
          </RowLink>
        ),
      },
      { id: 'code', head: t('code'), card: 'line', width: '7.5rem', cell: (one) => <code>{one.code}</code> },
      {
        ...{ id: 'people', head: t('peopleTable'), card: 'line', width: 'minmax(6rem, 1fr)' },
        cell: (one) =>
          one.attendees.length === 1
            ? typeName(one.attendees[0]!.attendee_type)
            : t('peopleCount', { count: one.attendees.length }),
      },
      {
        id: 'email',
        head: person('email'),
        width: 'minmax(11rem, 1.5fr)',
        cell: (one) => one.contact.email,
      },
      {
        ...{ id: 'status', head: t('status'), card: 'end', width: '8.25rem' },
        cell: (one) => <StateBadge kind="registration" value={one.status} />,
      },
      {
        ...{ id: 'total', head: t('total'), align: 'end', width: '5.5rem' },
        cell: (one) => (one.total_minor === null ? null : money(one.total_minor)),
      },
      {
        ...{ id: 'balance', head: t('balance'), align: 'end', width: '5.5rem' },
        cell: (one) => (one.balance_minor === null || one.balance_minor === 0 ? null : money(one.balance_minor)),
      },
      { id: 'source', head: t('source'), extra: true, cell: (one) => source(one.source) },
      { id: 'group', head: p('group'), extra: true, cell: (one) => one.group },
      { id: 'created', head: t('created'), extra: true, cell: (one) => formats.dateTime(one.created_at) },
      {
        ...{ id: 'changed', head: t('changed'), order: 'newest', extra: true, width: 'minmax(7rem, 0.8fr)' },
        cell: (one) => <Ago at={one.updated_at} />,
      },
    ],
    [t, p, person, formats, source, links, money, typeName],
  );
}
