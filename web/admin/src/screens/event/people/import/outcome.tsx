import type { Job } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { countOf } from './corrections.ts';
import '../../../../parts/figures.css';

const KINDS = ['created', 'updated', 'unchanged', 'rejected'] as const;

/** What an import would do, in numbers. */
export function Outcome({ job }: { job: Job }) {
  const t = useWords('import');
  const formats = useFormats();
  const { event, types } = useEvent();
  // Whoever knows the registration form would expect these to wait.
  const wouldWait =
    event.registration.approval || types.some(({ price_minor, approval }) => price_minor > 0 || approval);
  const issued = countOf(job, 'tickets_issued');
  return (
    <div className="stack" data-gap="small">
      <dl className="figures">
        {KINDS.map((kind) => (
          <div key={kind} data-tone={kind === 'rejected' && countOf(job, kind) > 0 ? 'warn' : undefined}>
            <dt>{t(`would.${kind}`)}</dt>
            <dd>{formats.number(countOf(job, kind))}</dd>
          </div>
        ))}
      </dl>
      {issued > 0 && <p className="soft small">{t('wouldIssue', { count: issued })}</p>}
      {wouldWait && countOf(job, 'created') > 0 && <p className="soft small">{t('confirmedAtOnce')}</p>}
    </div>
  );
}
