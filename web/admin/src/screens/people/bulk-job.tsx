import { Button, useAllWords, useWords } from '@turnout/ui';
import { useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { JobProgress, useJob } from '../../parts/job.tsx';
import { useFilters } from '../../parts/use-filters.ts';

/** The bulk action in the address: how far it is, and what did not work and why. Lists follow when it is over. */
export function BulkJob() {
  const { values } = useFilters();
  return values.job === undefined ? null : <Shown key={values.job} job={values.job} />;
}

function Shown({ job }: { job: string }) {
  const t = useWords('common');
  const { org } = useOrganization();
  const words = useAllWords();
  const refresh = useRefresh();
  const { set } = useFilters();
  const { data, error } = useJob(org, job);
  const title = words.find('people', `bulk.${data?.what ?? ''}`);
  const close = (
    <Button size="small" onClick={() => set({ job: undefined }, { quietly: true })}>
      {t('close')}
    </Button>
  );
  return (
    <div className="card">
      <JobProgress
        job={job}
        {...(title !== null && { title })}
        onOver={() => void refresh('listAttendees', 'listRegistrations', 'getEventSummary', 'getAttendee')}
        actions={() => close}
      />
      {data === undefined && error !== null && <div className="buttons">{close}</div>}
    </div>
  );
}
