import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { queryOf } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { readCsv } from '../../../../parts/csv.ts';
import { Download, isOver, JobProgress, useJob, useRejects } from '../../../../parts/job.tsx';
import { listOf, useFilters } from '../../../../parts/use-filters.ts';
import { fileAddress } from '../../../../parts/use-job.ts';
import { Checking } from './checking.tsx';
import { correctedSheet, rejectColumns, rejectedIn, stillRejected, useRejected, withMissing } from './corrections.ts';
import { correctedBy, type Draft, draftFrom, type Fixes, keyOf, noteCorrected, setDraft } from './draft.ts';
import { WholeProblem } from './problem.tsx';
import { csvFile, useImport } from './use-import.ts';

/** The last step: how far it is, what came of it, and what is still left out, to be corrected and sent again. */
export function ImportRun({ job: id, fixes, draft }: { job: string; fixes: string | undefined; draft: Draft | null }) {
  const t = useWords('import');
  const { base, event } = useEvent();
  const { afterwards } = useImport();
  const later = listOf(fixes);
  const { data: job } = useJob(base.org, id);
  return (
    <div className="stack">
      <JobProgress job={id} title={t('running')} withoutRejects onOver={() => void afterwards()} />
      {!isOver(job) && <p className="soft small">{t('goesOn')}</p>}
      {later.map((fix) => (
        <JobProgress key={fix} job={fix} title={t('runningFixes')} withoutRejects onOver={() => void afterwards()} />
      ))}
      {isOver(job) && (
        <div className="buttons">
          <Link className="button" data-kind="main" to="/$org/events/$event/people" params={base}>
            {t('toPeople')}
          </Link>
          <Link
            className="button"
            data-kind="usual"
            to="/$org/events/$event/people/import"
            params={base}
            onClick={() => setDraft(event.id, null)}
          >
            {t('another')}
          </Link>
        </div>
      )}
      {isOver(job) && <OpenRejects job={id} later={later} draft={draft} />}
    </div>
  );
}

/** What was rejected and not corrected since. */
function OpenRejects({ job: id, later, draft }: { job: string; later: readonly string[]; draft: Draft | null }) {
  const t = useWords('import');
  const { base } = useEvent();
  const { data: job } = useJob(base.org, id);
  const file = useRejects(job);
  const main = useRejected(file.data);
  const rest = useRejectsOf(base.org, later);
  const { set } = useFilters();
  const { send, afterwards } = useImport();
  const [fixes, setFixes] = useState<Fixes>({});
  const open = main && rest && stillRejected(main.rejects, rest);
  const shape = main && open && withMissing({ head: main.head, rejects: open }, rejectColumns(job?.columns));
  const again = useAction(async (all: Fixes, { key }: { key: string }) => {
    if (shape === undefined || open === undefined) return;
    const how = draft ?? (await draftFrom(new Blob([]), ''));
    const made = await send(how, csvFile(correctedSheet(shape.head, open, all)), false, key);
    noteCorrected(
      made.id,
      open.map(({ cells }) => keyOf(cells)).filter((one) => one in all),
    );
    setFixes({});
    set({ fix: [...later, made.id].join(',') });
    await afterwards();
  });
  if (file.data === undefined && file.error !== null) return <WholeProblem problem={file.error} />;
  if (job === undefined || shape === undefined || open === undefined || open.length === 0) return null;
  const count = open.filter(({ cells }) => keyOf(cells) in fixes).length;
  const how = draft ?? null;
  return (
    <Section
      title={t('leftTitle', { count: open.length })}
      lead={t('leftLead')}
      actions={job.rejects_url !== null && <Download url={job.rejects_url} file="rejects" />}
    >
      {how !== null && (
        <Checking draft={how} head={shape.head} columns={shape.columns} rejects={open} fixes={fixes} onFix={setFixes} />
      )}
      {how === null && <p className="soft">{t('leftElsewhere')}</p>}
      <WholeProblem problem={again.problem} />
      {how !== null && (
        <div className="buttons">
          <Button kind="main" busy={again.busy} disabled={count === 0} onClick={() => void again.run(fixes)}>
            {t('runFixes', { count })}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** What each of the later imports of corrected rows rejected; undefined until all of them are over. */
function useRejectsOf(org: string, jobs: readonly string[]) {
  const answers = useQueries({ queries: jobs.map((job) => queryOf('getJob', { org, job })) });
  const files = useQueries({
    queries: answers.map(({ data }) => ({
      queryKey: ['rejects', data?.id, 'text'],
      enabled: typeof data?.rejects_url === 'string',
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async () => readCsv(await (await fetch(fileAddress(data!.rejects_url!))).text()),
    })),
  });
  const found = answers.map(({ data }, i) => {
    if (data === undefined || !isOver(data)) return undefined;
    const sheet = files[i]!.data;
    if (data.rejects_url !== null && sheet === undefined) return undefined;
    return { corrected: correctedBy(data.id), rejects: sheet === undefined ? [] : rejectedIn(sheet).rejects };
  });
  return found.includes(undefined) ? undefined : found.filter((one) => one !== undefined);
}
