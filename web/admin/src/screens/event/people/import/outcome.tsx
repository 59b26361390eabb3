import type { Job } from '@turnout/client';
import { isPaid } from '@turnout/contract/prices';
import { useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { countOf } from './corrections.ts';
import { outcomeOf } from './outcome-values.ts';
import '../../../../parts/figures.css';

/** What an import would do, in numbers. They follow the rows that are corrected below. */
export function Outcome({ job, corrected }: { job: Job; corrected: number }) {
  const t = useWords('import');
  const formats = useFormats();
  const { event, types } = useEvent();
  // Whoever knows the registration form would expect these to wait.
  const wouldWait = event.registration.approval || types.some((type) => isPaid(type) || type.approval);
  const issued = countOf(job, 'tickets_issued');
  return (
    <div className="stack" data-gap="small">
      <dl className="figures">
        {outcomeOf(job, corrected).map(({ kind, count }) => (
          <div key={kind} data-tone={kind === 'rejected' && count > 0 ? 'warn' : undefined}>
            <dt>{t(`would.${kind}`)}</dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
      {issued > 0 && corrected === 0 && <p className="soft small">{t('wouldIssue', { count: issued })}</p>}
      {wouldWait && countOf(job, 'created') > 0 && <p className="soft small">{t('confirmedAtOnce')}</p>}
    </div>
  );
}
