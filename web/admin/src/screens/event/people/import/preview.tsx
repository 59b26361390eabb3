import type { Job } from '@turnout/client';
import { unguard } from '@turnout/contract/csv-guard';
import { Button, Notice, Section, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { Download, isOver, JobProgress, useJob, useRejects, watchJob } from '../../../../parts/job.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { Checking } from './checking.tsx';
import {
  acceptedRows,
  correctedSheet,
  countOf,
  type RejectSheet,
  rejectColumns,
  uncorrectedSheet,
  useRejected,
  withMissing,
} from './corrections.ts';
import { changeDraft, type Draft, keyOf, noteCorrected, type Reject, setDraft, wholeSheet } from './draft.ts';
import { Outcome } from './outcome.tsx';
import { WholeProblem } from './problem.tsx';
import { mendedCount } from './reject-rows.ts';
import { csvAsItCame, csvFile, useImport } from './use-import.ts';

/** The third step: what would happen, and every row that would be left out, to be corrected right here. */
export function Preview({ draft, job: id, go }: { draft: Draft; job: string; go: (step: 'columns') => void }) {
  const t = useWords('import');
  const { base, event } = useEvent();
  const { data: job } = useJob(base.org, id);
  const over = isOver(job);
  const usable = job?.status === 'succeeded';
  const found = useRejected(useRejects(job).data);
  const columns = job?.columns;
  const rejected = useMemo(
    () => found && { ...found, ...withMissing(found, rejectColumns(columns)) },
    [found, columns],
  );
  const start = useStart(draft);
  const fixed = rejected === undefined ? 0 : mendedCount(rejected.rejects, rejected.columns, draft.fixes);
  const acceptedRows = countOf(job, 'created') + countOf(job, 'updated') + countOf(job, 'unchanged');
  const count = acceptedRows + fixed;
  return (
    <div className="stack">
      {!over && <JobProgress job={id} title={t('checking')} withoutRejects />}
      {job !== undefined && over && !usable && (
        <Notice tone="bad" title={t('previewFailed')}>
          {job.error}
        </Notice>
      )}
      {usable && (
        <>
          <Outcome job={job} corrected={fixed} />
          {(countOf(job, 'rejected') === 0 || rejected !== undefined) && (
            <Beginning draft={draft} rejects={rejected?.rejects ?? []} />
          )}
          {countOf(job, 'rejected') > 0 && rejected !== undefined && (
            <Section
              title={t('rejectsTitle', { count: rejected.rejects.length })}
              lead={t('rejectsLead')}
              actions={job.rejects_url !== null && <Download url={job.rejects_url} file="rejects" />}
            >
              <Checking
                draft={draft}
                head={rejected.head}
                columns={rejected.columns}
                rejects={rejected.rejects}
                fixes={draft.fixes}
                onFix={(fixes) => changeDraft(event.id, { fixes })}
              />
            </Section>
          )}
        </>
      )}
      <WholeProblem problem={start.problem} />
      <div className="buttons import-next">
        {usable && (
          <Button
            kind="main"
            busy={start.busy}
            disabled={count === 0}
            onClick={() =>
              void start.run(rejected ?? { head: [], rejects: [] }, acceptedRows + countOf(job, 'rejected'))
            }
          >
            {t('run', { count })}
          </Button>
        )}
        <Button kind="quiet" onClick={() => go('columns')}>
          {t('back')}
        </Button>
      </div>
    </div>
  );
}

/**
 * Starts the import. The corrected rows go up first, as a small import of their own, so that nothing is left to do if the page is closed
 * while the rest of the file is being imported.
 */
function useStart(draft: Draft) {
  const t = useWords('import');
  const { base, event } = useEvent();
  const { send, afterwards } = useImport();
  const { set } = useFilters();
  const [sent, setSent] = useState<Job | null>(null);
  return useAction(async (rejected: RejectSheet, total: number, { key }: { key: string }) => {
    const sheet = correctedSheet(rejected.head, rejected.rejects, draft.fixes);
    let fix = sent;
    if (sheet.rows.length > 0 && fix === null) {
      fix = await send(draft, csvFile(sheet), false, `${key}-fix`);
      setSent(fix);
      const keys = rejected.rejects.map(({ cells }) => keyOf(cells)).filter((one) => one in draft.fixes);
      noteCorrected(fix.id, keys);
    }
    const rest = fix === null ? null : uncorrectedSheet(await wholeSheet(draft), rejected.rejects, draft.fixes, total);
    // Where every row was corrected, nothing else is left to import.
    const isAll = fix !== null && rest?.rows.length === 0;
    const job = isAll ? fix! : await send(draft, rest === null ? draft.file : csvAsItCame(rest), false, key);
    if (isAll) fix = null;
    const address = new URLSearchParams({ step: 'run', job: job.id, ...(fix !== null && { fix: fix.id }) });
    watchJob({
      ...{ org: base.org, job: job.id, title: t('jobTitle', { name: draft.name }) },
      href: `/app/${base.org}/events/${base.event}/people/import?${address}`,
    });
    setDraft(event.id, { ...draft, fixes: {} });
    set({ step: 'run', job: job.id, fix: fix?.id });
    await afterwards();
  });
}

const FIRST = 5;

/** The first rows that would be imported, as they are read: without guards against formulas. */
function Beginning({ draft, rejects }: { draft: Draft; rejects: readonly Reject[] }) {
  const t = useWords('import');
  const { sheet } = draft;
  if (sheet === null) return null;
  const rows = acceptedRows(sheet, rejects);
  if (rows.length === 0) return null;
  return (
    <div className="stack" data-gap="small">
      <h2>{t('firstRows')}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className="sheet" aria-label={t('firstRows')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {sheet.head.map((cell, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same heading
                <th key={i} scope="col">
                  {cell === '' ? t('noHeading') : cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, FIRST).map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no names
              <tr key={i}>
                {row.map((cell, j) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <td key={j}>{unguard(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
