import { Link, useNavigate } from '@tanstack/react-router';
import type { Event } from '@turnout/client';
import { Button, DataShape, EmptyState, Page, Skeleton, Tabs, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { usePages } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { type Choice, Filters } from '../parts/filters.tsx';
import { StateBadge, useStateText } from '../parts/status.tsx';
import { type FilterValues, useFilters } from '../parts/use-filters.ts';
import { groupOptions, useGroups } from './groups/tree.ts';
import './events/events.css';

const STATUSES = ['draft', 'published', 'closed', 'archived'] as const;
type Status = (typeof STATUSES)[number];

/** What the address asks for. What it does not know is left out, so that a mistyped address shows everything. */
const queryOf = ({ status, search, group, test, order }: FilterValues) => ({
  limit: 100,
  order: order === 'newest' ? ('newest' as const) : ('date' as const),
  ...(STATUSES.includes(status as Status) && { status: status as Status }),
  ...(search !== undefined && { search: search.slice(0, 100) }),
  ...(group !== undefined && { group }),
  ...((test === 'true' || test === 'false') && { test: test === 'true' }),
});

/** Every event, the latest first. */
export default function Events() {
  const t = useWords('events');
  const { org, may } = useOrganization();
  const { values, set } = useFilters();
  const pages = usePages('listEvents', { org, query: queryOf(values) }, { keep: true });
  const columns = useColumns();
  const choices = useChoices();
  const navigate = useNavigate();
  const filtered = ['status', 'search', 'group', 'test'].some((name) => values[name] !== undefined);
  // Nothing is there at all: the empty screen has the button.
  const isEmpty = pages.rows?.length === 0 && !filtered && !pages.isPlaceholderData;
  const create = may('events.write') && (
    <Button kind="main" onClick={() => void navigate({ to: '/$org/events/new', params: { org } })}>
      {t('create')}
    </Button>
  );
  // Whether there are filters above the list depends on whether there are events.
  if (pages.isPending)
    return (
      <Page title={t('title')}>
        <Skeleton>
          <DataShape />
        </Skeleton>
      </Page>
    );
  return (
    <Page title={t('title')} actions={!isEmpty && create} tabs={!isEmpty && <ByStatus />}>
      {!isEmpty && <Filters search={{ label: t('find') }} choices={choices} />}
      <DataTable
        name="events"
        label={t('title')}
        pages={pages}
        keyOf={(one) => one.id}
        nameOf={(one) => one.name}
        columns={columns}
        order={{ value: values.order, fallback: 'date', onChange: (order) => set({ order }) }}
        empty={
          isEmpty ? (
            <EmptyState title={t('emptyTitle')} action={create}>
              {t(may('events.write') ? 'emptyText' : 'emptyRead')}
            </EmptyState>
          ) : (
            <EmptyState title={t('noneTitle')}>{t('noneText')}</EmptyState>
          )
        }
      />
    </Page>
  );
}

function ByStatus() {
  const t = useWords('events');
  const textOf = useStateText();
  const { org } = useOrganization();
  return (
    <Tabs label={t('byStatus')}>
      {([undefined, ...STATUSES] as const).map((status) => (
        <Link
          key={status ?? 'all'}
          to="/$org/events"
          params={{ org }}
          search={({ status: _before, ...rest }) => ({ ...rest, ...(status !== undefined && { status }) })}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {status === undefined ? t('all') : textOf('event', status)}
        </Link>
      ))}
    </Tabs>
  );
}

function useChoices(): Choice[] {
  const t = useWords('events');
  const p = useWords('parts');
  const { data: groups = [] } = useGroups();
  return [
    {
      name: 'group',
      label: p('group'),
      options: groupOptions(groups),
    },
    {
      name: 'test',
      label: t('kind'),
      options: [
        { value: 'false', label: t('live') },
        { value: 'true', label: t('tests') },
      ],
    },
  ];
}

function useColumns(): DataColumn<Event>[] {
  const t = useWords('events');
  const p = useWords('parts');
  const formats = useFormats();
  const { org } = useOrganization();
  const { data: groups } = useGroups();
  return useMemo(() => {
    const names = new Map(groups?.map(({ code, name }) => [code, name]));
    const when = ({ starts_at, ends_at, timezone }: Event) => {
      const from = starts_at ?? ends_at;
      return from === null ? null : formats.span(from, ends_at ?? from, timezone);
    };
    const columns: DataColumn<Event>[] = [
      {
        ...{ id: 'name', head: t('name'), always: true, card: 'title', width: 'minmax(14rem, 3fr)' },
        cell: (one) => (
          <Link className="row-link" to="/$org/events/$event" params={{ org, event: one.code }}>
            <bdi>{one.name}</bdi>
          </Link>
        ),
      },
      {
        ...{ id: 'when', head: t('when'), order: 'date', card: 'line', width: 'minmax(12rem, 1.5fr)' },
        cell: (one) => when(one) ?? <span className="soft">{t('noDate')}</span>,
      },
      { id: 'venue', head: t('venue'), width: 'minmax(8rem, 2fr)', cell: (one) => one.venue },
      {
        ...{ id: 'status', head: t('status'), card: 'end', width: 'minmax(11rem, 1fr)' },
        cell: (one) => (
          <span className="row">
            <StateBadge kind="event" value={one.status} />
            {one.test && <StateBadge kind="event" value="test" />}
          </span>
        ),
      },
      {
        ...{ id: 'capacity', head: t('capacity'), align: 'end', width: '6.5rem' },
        cell: (one) => (one.capacity === null ? <span className="soft">–</span> : formats.number(one.capacity)),
      },
      { id: 'code', head: t('code'), extra: true, cell: (one) => <code>{one.code}</code> },
      {
        ...{ id: 'changed', head: t('changed'), order: 'newest', extra: true },
        cell: (one) => formats.dateTime(one.updated_at),
      },
    ];
    if (names.size > 0)
      columns.push({
        ...{ id: 'group', head: p('group'), extra: true },
        cell: (one) => (one.group === null ? '' : (names.get(one.group) ?? one.group)),
      });
    return columns;
  }, [t, p, formats, org, groups]);
}
