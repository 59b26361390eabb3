import type { Job } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { countOf } from './corrections.ts';
import '../../parts/figures.css';

const KINDS = ['created', 'updated', 'unchanged', 'rejected'] as const;

/** What an import does, or would do (`future`), in numbers. */
export function Outcome({ of, future }: { of: Job; future?: boolean }) {
  const t = useWords('import');
  const formats = useFormats();
  const issued = countOf(of, 'tickets_issued');
  return (
    <div className="stack" data-gap="small">
      <dl className="figures">
        {KINDS.map((kind) => (
          <div key={kind} data-tone={kind === 'rejected' && countOf(of, kind) > 0 ? 'warn' : undefined}>
            <dt>{t(future ? `would.${kind}` : `did.${kind}`)}</dt>
            <dd>{formats.number(countOf(of, kind))}</dd>
          </div>
        ))}
      </dl>
      {issued > 0 && <p className="soft small">{t(future ? 'wouldIssue' : 'didIssue', { count: issued })}</p>}
    </div>
  );
}
