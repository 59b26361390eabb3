import { lazy, Suspense } from 'react';
import { useWatchedJobs } from '../parts/watched-jobs.ts';
import { words } from './words.ts';

const JobWatcher = lazy(async () => {
  const [watcher] = await Promise.all([import('../parts/job-watcher.tsx'), words.need('parts', 'states')]);
  return watcher;
});

/** Tells when a job that was started in this tab has ended, wherever one is then. */
export const WatchedJobs = () =>
  useWatchedJobs().length === 0 ? null : (
    <Suspense fallback={null}>
      <JobWatcher />
    </Suspense>
  );
