import { Link } from '@tanstack/react-router';
import type { Communication } from '@turnout/client';
import { EmptyState, Page, Time, useFormats, useWords } from '@turnout/ui';
import { usePages } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { type DataColumn, DataTable } from '../../parts/data-table.tsx';
import { Filters } from '../../parts/filters.tsx';
import { StateBadge, useStateOptions } from '../../parts/status.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useAudienceText } from './messages/audience.tsx';

/** Drafts, what is scheduled, and what was sent. */
export default function Messages() {
  const t = useWords('messages');
  const formats = useFormats();
  const { base, timezone } = useEvent();
  const { may } = useOrganization();
  const { values } = useFilters();
  const optionsOf = useStateOptions();
  const audienceText = useAudienceText();
  const status = values.status as Communication['status'] | undefined;
  const query = { limit: 50, ...(status !== undefined && { status }) };
  const pages = usePages('listCommunications', { ...base, query }, { keep: true });
  const whenOf = ({ send_at, started_at, finished_at, status: is, updated_at }: Communication) =>
    is === 'scheduled' ? send_at : (finished_at ?? started_at ?? updated_at);
  const columns: DataColumn<Communication>[] = [
    {
      ...{ id: 'subject', head: t('subject'), always: true, card: 'title', width: 'minmax(14rem, 3fr)' },
      cell: (one) => (
        <Link className="row-link" to="/$org/events/$event/messages/$message" params={{ ...base, message: one.id }}>
          <bdi>{one.subject}</bdi>
        </Link>
      ),
    },
    { id: 'status', head: t('status'), card: 'end', cell: (one) => <StateBadge kind="message" value={one.status} /> },
    {
      ...{ id: 'audience', head: t('audience'), card: 'line', width: 'minmax(12rem, 2fr)' },
      cell: (one) => audienceText(one.audience),
    },
    {
      ...{ id: 'sent', head: t('sentCount'), align: 'end', width: '6rem' },
      cell: (one) => (one.counts.recipients === 0 ? '' : formats.number(one.counts.sent)),
    },
    {
      ...{ id: 'failed', head: t('failedCount'), align: 'end', width: '6rem' },
      cell: (one) => (one.counts.failed === 0 ? '' : formats.number(one.counts.failed)),
    },
    {
      ...{ id: 'when', head: t('when'), card: 'line', width: 'minmax(11rem, 1fr)' },
      cell: (one) => {
        const at = whenOf(one);
        return at === null ? '' : <Time at={at} timeZone={timezone} />;
      },
    },
  ];
  const create = may('people.bulk') && (
    <Link className="button" data-kind="main" to="/$org/events/$event/messages/new" params={base}>
      {t('newTitle')}
    </Link>
  );
  return (
    <Page title={t('title')} actions={create}>
      <Filters choices={[{ name: 'status', label: t('status'), options: optionsOf('message') }]} />
      <DataTable
        name="messages"
        label={t('title')}
        pages={pages}
        keyOf={(one) => one.id}
        columns={columns}
        empty={
          status === undefined ? (
            <EmptyState title={t('noneTitle')} action={create}>
              {t('noneText')}
            </EmptyState>
          ) : (
            <EmptyState title={t('noneMatches')} />
          )
        }
      />
    </Page>
  );
}
