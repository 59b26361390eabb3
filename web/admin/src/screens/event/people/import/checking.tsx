import type { ImportColumn } from '@turnout/client';
import { Button, useWords } from '@turnout/ui';
import { useMemo, useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { readCsv } from '../../../../parts/csv.ts';
import { fileAddress } from '../../../../parts/use-job.ts';
import { contentKey, correctedSheet, rejectedIn } from './corrections.ts';
import type { Draft, Fixes, Reject } from './draft.ts';
import { WholeProblem } from './problem.tsx';
import { RejectGroups } from './reject-groups.tsx';
import { type RejectedRow, rejectedRows, withCell } from './reject-rows.ts';
import { RejectsEditor } from './rejects-editor.tsx';
import { csvFile, useImport } from './use-import.ts';

/** The most rows that are checked while one waits. */
const AT_ONCE = 500;

/**
 * Rejected rows to be corrected, by the reason and one by one. The server is asked whether corrections of several rows are right, and of
 * single rows when a button is pressed.
 */
export function Checking({
  draft,
  head,
  columns,
  rejects,
  fixes,
  onFix,
}: {
  draft: Draft;
  head: readonly string[];
  columns: readonly ImportColumn[];
  rejects: readonly Reject[];
  fixes: Fixes;
  onFix: (fixes: Fixes) => void;
}) {
  const t = useWords('import');
  const { send } = useImport();
  const [checked, setChecked] = useState<Record<string, string | null>>({});
  const corrected = Object.keys(fixes).length;
  const rows = useMemo(() => rejectedRows(rejects, columns, fixes, checked), [rejects, columns, fixes, checked]);
  const fixed = rows.filter(({ reasons }) => reasons.length === 0).length;
  const check = useAction(async (all: Fixes, { key }: { key: string }) => {
    const sheet = correctedSheet(head, rejects, all);
    const job = await send(draft, csvFile(sheet), true, key);
    const again =
      job.rejects_url === null
        ? []
        : rejectedIn(readCsv(await (await fetch(fileAddress(job.rejects_url))).text())).rejects;
    const whyOf = new Map(again.map(({ cells, why }) => [contentKey(cells), why]));
    const result: Record<string, string | null> = {};
    for (const [was, cells] of Object.entries(all)) result[was] = whyOf.get(contentKey(cells)) ?? null;
    setChecked(result);
  });
  const put = (some: readonly RejectedRow[], column: number, text: string): Fixes => {
    const next = withCell(fixes, some, column, text);
    // What was checked is known only of rows that are still as they were then.
    setChecked(Object.fromEntries(Object.entries(checked).filter(([key]) => next[key] === fixes[key])));
    onFix(next);
    return next;
  };
  const putTogether = (some: readonly RejectedRow[], column: number, text: string) => {
    const next = put(some, column, text);
    if (Object.keys(next).length <= AT_ONCE && Object.keys(next).length > 0) void check.run(next);
  };
  return (
    <>
      <RejectGroups rows={rows} columns={columns} busy={check.busy} onMend={putTogether} />
      <RejectsEditor head={head} columns={columns} rows={rows} checked={checked} onPut={put} />
      <WholeProblem problem={check.problem} />
      <div className="row">
        <Button
          busy={check.busy}
          disabled={corrected === 0 || corrected > AT_ONCE}
          onClick={() => void check.run(fixes)}
        >
          {t('checkFixes')}
        </Button>
        <span className="soft small" role="status">
          {t('fixedCount', { count: fixed })}
          {rejects.length > fixed && ` ${t('leftOutCount', { count: rejects.length - fixed })}`}
        </span>
      </div>
    </>
  );
}
