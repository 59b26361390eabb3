import type { ImportColumn } from '@turnout/client';
import { Button, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { readCsv } from '../../parts/csv.ts';
import { fileAddress } from '../../parts/use-job.ts';
import { correctedSheet, rejectedIn, unguardedKey } from './corrections.ts';
import type { Draft } from './draft.ts';
import { WholeProblem } from './problem.tsx';
import { type Fixes, type Reject, RejectsEditor } from './rejects-editor.tsx';
import { csvFile, useImport } from './use-import.ts';

/** The most rows that are checked while one waits. */
const AT_ONCE = 500;

/** Rejected rows to be corrected, and a button that asks the server whether the corrections are right. */
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
  const fixed = Object.keys(fixes).length;
  const check = useAction(async (all: Fixes, { key }: { key: string }) => {
    const sheet = correctedSheet(head, rejects, all);
    const job = await send(draft, csvFile(sheet), true, key);
    const again =
      job.rejects_url === null
        ? []
        : rejectedIn(readCsv(await (await fetch(fileAddress(job.rejects_url))).text())).rejects;
    const whyOf = new Map(again.map(({ cells, why }) => [unguardedKey(cells), why]));
    const result: Record<string, string | null> = {};
    for (const [was, cells] of Object.entries(all)) result[was] = whyOf.get(unguardedKey(cells)) ?? null;
    setChecked(result);
  });
  return (
    <>
      <RejectsEditor
        head={head}
        columns={columns}
        rejects={rejects}
        fixes={fixes}
        checked={checked}
        onFix={(next) => {
          // What was checked is known only of rows that are still as they were then.
          setChecked(Object.fromEntries(Object.entries(checked).filter(([key]) => next[key] === fixes[key])));
          onFix(next);
        }}
      />
      <WholeProblem problem={check.problem} />
      <div className="row">
        <Button busy={check.busy} disabled={fixed === 0 || fixed > AT_ONCE} onClick={() => void check.run(fixes)}>
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
