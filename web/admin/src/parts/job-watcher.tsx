import { useNavigate } from '@tanstack/react-router';
import { toast, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { useOrganization } from '../frame/organization.tsx';
import { useStateText } from './status.tsx';
import { isOver, useJob } from './use-job.ts';
import { isShown, unwatchJob, useWatchedJobs, type WatchedJob } from './watched-jobs.ts';

/** Stands once in the frame of an organization: says when a watched job has ended, unless its own screen shows it. */
export default function JobWatcher() {
  const { org } = useOrganization();
  const jobs = useWatchedJobs().filter((one) => one.org === org);
  return jobs.map((one) => <JobAnnouncer key={one.job} watchedJob={one} />);
}

function JobAnnouncer({ watchedJob }: { watchedJob: WatchedJob }) {
  const t = useWords('parts');
  const textOf = useStateText();
  const navigate = useNavigate();
  const { data: job, error } = useJob(watchedJob.org, watchedJob.job);
  useEffect(() => {
    // A job that is gone or may not be seen any more has no end to tell of.
    if (error !== null && (error as { status?: number }).status === 404) unwatchJob(watchedJob.job);
    if (job === undefined || !isOver(job)) return;
    unwatchJob(watchedJob.job);
    if (isShown(watchedJob.job)) return;
    toast(
      t('jobEnded', { title: watchedJob.title, state: textOf('job', job.status) }),
      job.status === 'succeeded' ? 'good' : 'bad',
      {
        label: t('jobShow'),
        onAction: () => void navigate({ href: watchedJob.href }),
      },
    );
  }, [job, error, watchedJob, navigate, t, textOf]);
  return null;
}
