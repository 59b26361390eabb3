import type { Job } from '@turnout/client';
import { Button, EmptyState, Time, useAllWords, useWords } from '@turnout/ui';
import { usePages } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { type DataColumn, DataTable } from '../../../../parts/data-table.tsx';
import { Download, isOver, JobBar, JobCounts } from '../../../../parts/job.tsx';
import { StateBadge } from '../../../../parts/status.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { useNarrowerThan } from '../../../../parts/use-phone.ts';
import '../../../../parts/figures.css';

/** Everything that ran in the background in this event, newest first, with its files as long as they are kept. */
export function Jobs() {
  const t = useWords('export');
  const words = useAllWords();
  const { base, timezone } = useEvent();
  const { set } = useFilters();
  // What is left fits beside the navigation, down to the buttons at the end.
  const narrow = useNarrowerThan(88);
  const narrower = useNarrowerThan(72);
  const pages = usePages('listJobs', { org: base.org, query: { event: base.event, limit: 20 } }, { keep: true });
  const nameOf = (job: Job): string => {
    const kind = words.find('export', `kind.${job.kind}`) ?? job.kind;
    const what = job.what === null ? null : words.find('export', `what.${job.what}`);
    if (job.preview) return t('previewOf', { kind });
    return what === null ? kind : t('kindOf', { kind, what });
  };
  const columns: DataColumn<Job>[] = [
    {
      ...{ id: 'what', head: t('job'), always: true, card: 'title', width: 'minmax(11rem, 2fr)' },
      cell: (job) => (
        <button type="button" className="row-link link-button" onClick={() => set({ job: job.id })}>
          <span className="clip">{nameOf(job)}</span>
        </button>
      ),
    },
    {
      id: 'status',
      head: t('filter.status'),
      card: 'end',
      cell: (job) => <StateBadge kind="job" value={job.status} />,
    },
    {
      ...{ id: 'counts', head: t('outcome'), card: 'line', width: 'minmax(9rem, 3fr)' },
      cell: (job) => (isOver(job) ? <JobCounts job={job} /> : <JobBar job={job} />),
    },
    { id: 'by', head: t('startedBy'), extra: narrow, cell: (job) => <bdi>{job.actor.name}</bdi> },
    {
      id: 'at',
      head: t('startedAt'),
      card: 'line',
      width: 'minmax(9.5rem, 1fr)',
      extra: narrower,
      cell: (job) => <Time at={job.created_at} timeZone={timezone} />,
    },
    {
      ...{ id: 'files', head: t('files'), width: 'minmax(8.5rem, 1.5fr)', pinned: true },
      cell: (job) => (
        <span className="buttons">
          {job.result_url !== null && <Download url={job.result_url} file="result" />}
          {job.rejects_url !== null && <Download url={job.rejects_url} file="rejects" />}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      name="jobs"
      label={t('jobs')}
      pages={pages}
      keyOf={(job) => job.id}
      columns={columns}
      empty={<EmptyState title={t('noJobs')}>{t('noJobsText')}</EmptyState>}
    >
      <Button size="small" kind="quiet" onClick={() => void pages.refetch()}>
        {t('refresh')}
      </Button>
    </DataTable>
  );
}
