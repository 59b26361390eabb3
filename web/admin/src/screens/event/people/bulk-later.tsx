import { type ComponentProps, lazy, Suspense, useEffect } from 'react';
import { useFilters } from '../../../parts/use-filters.ts';
import { markShown } from '../../../parts/watched-jobs.ts';

// Most who open a list want to find somebody. What is for many at once is loaded when something is selected, or when it runs.
const loadDialog = () => import('./bulk-dialogs.tsx');
const Dialog = lazy(async () => ({ default: (await loadDialog()).BulkDialog }));
const loadJob = () => import('./bulk-job.tsx');
const Job = lazy(loadJob);

/** The bulk action in the address, if there is one. */
export function BulkJob() {
  const { job } = useFilters().values;
  // Already while its part is being loaded: nobody is told elsewhere that it has ended.
  useEffect(() => (job === undefined ? undefined : markShown(job)), [job]);
  if (job === undefined) return null;
  return (
    <Suspense>
      <Job key={job} job={job} />
    </Suspense>
  );
}

export function BulkDialog(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense>
      <Dialog {...props} />
    </Suspense>
  );
}

/** For what is shown while something is selected: when somebody chooses an action, its dialog is there, and then its progress. */
export const useBulkDialogSoon = (): void =>
  useEffect(() => {
    // If it cannot be loaded now, it is tried again when it is needed.
    Promise.all([loadDialog(), loadJob()]).catch(() => undefined);
  }, []);
