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
  return jobs.map((one) => <Watch key={one.job} of={one} />);
}

function Watch({ of }: { of: WatchedJob }) {
  const t = useWords('parts');
  const textOf = useStateText();
  const navigate = useNavigate();
  const { data: job, error } = useJob(of.org, of.job);
  useEffect(() => {
    // A job that is gone or may not be seen any more has no end to tell of.
    if (error !== null && (error as { status?: number }).status === 404) unwatchJob(of.job);
    if (job === undefined || !isOver(job)) return;
    unwatchJob(of.job);
    if (isShown(of.job)) return;
    toast(
      t('jobEnded', { title: of.title, state: textOf('job', job.status) }),
      job.status === 'succeeded' ? 'good' : 'bad',
      {
        label: t('jobShow'),
        onAction: () => void navigate({ href: of.href }),
      },
    );
  }, [job, error, of, navigate, t, textOf]);
  return null;
}
