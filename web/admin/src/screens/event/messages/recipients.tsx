import { Link } from '@tanstack/react-router';
import type { CommunicationRecipient } from '@turnout/client';
import { EmptyState, Time, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { type DataColumn, DataTable } from '../../../parts/data-table.tsx';
import { Filters } from '../../../parts/filters.tsx';
import { StateBadge, useNameText, useStateOptions } from '../../../parts/status.tsx';
import { useFilters } from '../../../parts/use-filters.ts';

/** What became of a message for each person, with the reason where it did not arrive. */
export function Recipients({ communication, sending }: { communication: string; sending: boolean }) {
  const t = useWords('messages');
  const person = useWords('person');
  const { base, timezone } = useEvent();
  const { values } = useFilters();
  const optionsOf = useStateOptions();
  const { skipped } = useNameText();
  const status = values.status as CommunicationRecipient['status'] | undefined;
  const query = { limit: 100, ...(status !== undefined && { status }) };
  const pages = usePages('listCommunicationRecipients', { ...base, communication, query }, { keep: true });
  const { refetch } = pages;
  useEffect(() => {
    if (!sending) return void refetch();
    const timer = setInterval(() => void refetch(), 3000);
    return () => clearInterval(timer);
  }, [sending, refetch]);
  const columns: DataColumn<CommunicationRecipient>[] = [
    {
      ...{ id: 'name', head: t('name'), always: true, card: 'title', width: 'minmax(11rem, 2fr)' },
      cell: (one) => (
        <Link
          className="row-link"
          to="/$org/events/$event/people/$attendee"
          params={{ ...base, attendee: one.attendee_id }}
        >
          <bdi>
            {one.first_name} {one.last_name}
          </bdi>
        </Link>
      ),
    },
    { id: 'email', head: person('email'), card: 'line', width: 'minmax(11rem, 2fr)', cell: (one) => one.email },
    {
      ...{ id: 'status', head: t('status'), card: 'end', width: '8.5rem' },
      cell: (one) => <StateBadge kind="recipient" value={one.status} />,
    },
    {
      ...{ id: 'why', head: t('why'), card: 'line', width: 'minmax(12rem, 2fr)' },
      cell: (one) => (one.reason === null ? one.error : skipped(one.reason)),
    },
    {
      ...{ id: 'at', head: t('when'), width: 'minmax(11.5rem, 1fr)' },
      cell: (one) => one.settled_at !== null && <Time at={one.settled_at} timeZone={timezone} />,
    },
  ];
  return (
    <>
      <Filters choices={[{ name: 'status', label: t('status'), options: optionsOf('recipient') }]} />
      <DataTable
        name="recipients"
        label={t('recipients')}
        pages={pages}
        keyOf={(one) => one.attendee_id}
        columns={columns}
        empty={<EmptyState title={status === undefined ? t('noRecipients') : t('noneMatches')} />}
      />
    </>
  );
}
