import type { Job } from '@turnout/client';
import {
  announce,
  Button,
  ConfirmDialog,
  Fault,
  ProblemNotice,
  Skeleton,
  useAllWords,
  useFormats,
  useWords,
} from '@turnout/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAction } from '../frame/action.ts';
import { call, useRefresh } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { StateBadge, useStateText } from './status.tsx';
import { fileAddress, isOver, useJob, useRejects } from './use-job.ts';
import { markShown, unwatchJob } from './watched-jobs.ts';
import './job.css';
import './sheet.css';

export { isOver, useJob, useRejects } from './use-job.ts';
export { watchJob } from './watched-jobs.ts';

interface JobProgressProps {
  /** The id of the job. */
  job: string;
  title?: string;
  /** Once, when it is over and was not when it was first shown, or at once if it is. */
  onOver?: (job: Job) => void;
  /** What to do next, when it is over. */
  actions?: (job: Job) => ReactNode;
  /** The screen shows what did not work by itself. */
  withoutRejects?: boolean;
}

/** How far a job is: a bar, the counts in words, what did not work. It goes on if the page is left. */
export function JobProgress({ job: id, title, onOver, actions, withoutRejects }: JobProgressProps) {
  const t = useWords('parts');
  const { org } = useOrganization();
  const { data: job, error } = useJob(org, id);
  const over = isOver(job);
  useEffect(() => markShown(id), [id]);
  useEffect(() => {
    if (over) unwatchJob(id);
  }, [over, id]);
  useWhenOver(job, onOver);
  if (job === undefined) return error === null ? <Skeleton lines={4} /> : <ProblemNotice problem={error} />;
  return (
    <section className="job" aria-label={title ?? t('jobTitle')}>
      <div className="row" data-apart="">
        <span className="row">
          {title !== undefined && <strong>{title}</strong>}
          <StateBadge kind="job" value={job.status} />
        </span>
        {!over && <CancelButton job={job} />}
      </div>
      {!over && <JobBar job={job} />}
      <JobCounts job={job} />
      {job.error !== null && <Fault>{job.error}</Fault>}
      <ProblemNotice problem={error} />
      {over && (
        <>
          <div className="buttons">
            {job.result_url !== null && <Download url={job.result_url} file="result" main />}
            {actions?.(job)}
          </div>
          {job.rejects_url !== null && !withoutRejects && <JobRejects job={job} />}
        </>
      )}
    </section>
  );
}

function useWhenOver(job: Job | undefined, onOver: ((job: Job) => void) | undefined): void {
  const textOf = useStateText();
  const reportedJob = useRef<string | null>(null);
  const before = useRef(false);
  useEffect(() => {
    if (job === undefined) return;
    if (!isOver(job)) before.current = true;
    else if (reportedJob.current !== job.id) {
      reportedJob.current = job.id;
      if (before.current) announce(textOf('job', job.status));
      onOver?.(job);
    }
  });
}

/** Done of total; without a total, that something is being done. */
export function JobBar({ job: { progress, status } }: { job: Pick<Job, 'progress' | 'status'> }) {
  const t = useWords('parts');
  const { done, total } = progress;
  const text =
    status === 'queued' ? t('jobQueued') : total === null ? t('jobDone', { done }) : t('jobDoneOf', { done, total });
  return (
    <div className="job-bar">
      <progress aria-label={text} {...(total !== null && { value: Math.min(done, total), max: Math.max(1, total) })} />
      <span className="soft small number">{text}</span>
    </div>
  );
}

/** What came of it so far, in words: “480 created · 1 rejected”. */
export function JobCounts({ job: { counts } }: { job: Pick<Job, 'counts'> }) {
  const words = useAllWords();
  const formats = useFormats();
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => words.find('parts', `count.${name}`, { count }) ?? `${name}: ${formats.number(count)}`);
  return parts.length === 0 ? null : <p className="number">{parts.join(' · ')}</p>;
}

function CancelButton({ job }: { job: Job }) {
  const t = useWords('parts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const cancel = useAction(async (id: string, { key }: { key: string }) => {
    await call('cancelJob', { org, job: id }, { key });
    await refresh('getJob', 'listJobs');
    setAsking(false);
  });
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        {t('jobCancel')}
      </Button>
      {asking && (
        <ConfirmDialog
          title={t('jobCancelTitle')}
          action={t('jobCancel')}
          cancel={t('jobGoOn')}
          danger
          busy={cancel.busy}
          onConfirm={() => void cancel.run(job.id)}
          onClose={() => setAsking(false)}
        >
          <p>{t('jobCancelText')}</p>
          <ProblemNotice problem={cancel.problem} />
        </ConfirmDialog>
      )}
    </>
  );
}

/** A file of a job. Its link works for a day. */
export function Download({ url, file, main }: { url: string; file: 'result' | 'rejects'; main?: boolean }) {
  const t = useWords('parts');
  return (
    <a
      className="button"
      data-kind={main ? 'main' : 'usual'}
      data-size={main ? undefined : 'small'}
      href={fileAddress(url)}
      download
    >
      {t(file === 'result' ? 'downloadResult' : 'downloadRejects')}
    </a>
  );
}

const SHOWN = 50;
/** What the server calls the column with the reason. */
const WHY = 'import_error';

/** The first rows that did not work, each with its reason, and all of them as a file. */
export function JobRejects({ job }: { job: Job }) {
  const t = useWords('parts');
  const { data, error } = useRejects(job);
  return (
    <div className="stack" data-gap="small">
      <div className="row" data-apart="">
        <h2 className="job-rejects">{t('rejects')}</h2>
        {job.rejects_url !== null && <Download url={job.rejects_url} file="rejects" />}
      </div>
      <ProblemNotice problem={error} />
      {data !== undefined && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <section className="sheet job-rejects" aria-label={t('rejects')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {data.head.map((cell, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns of a file may have the same name
                  <th key={i} scope="col">
                    {cell === WHY ? t('rejectWhy') : cell}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.rows.slice(0, SHOWN).map((row, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no names
                <tr key={i}>
                  {data.head.map((_, j) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: see above
                    <td key={j}>{row[j] ?? ''}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {data !== undefined && data.rows.length > SHOWN && (
        <p className="soft small">{t('rejectsMore', { count: data.rows.length - SHOWN })}</p>
      )}
    </div>
  );
}
