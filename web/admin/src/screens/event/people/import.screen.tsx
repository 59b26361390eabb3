import { Link } from '@tanstack/react-router';
import { Page, useWords } from '@turnout/ui';
import { useEffect } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { Columns } from './import/columns.tsx';
import { useDraft } from './import/draft.ts';
import { ChooseFile } from './import/file.tsx';
import { Preview } from './import/preview.tsx';
import { ImportRun } from './import/run.tsx';
import { Steps } from './import/steps.tsx';

const STEPS = ['file', 'columns', 'preview', 'run'] as const;
type Step = (typeof STEPS)[number];

/** Four steps that can go back: the file, its columns, what would happen, and doing it. */
export default function Import() {
  const t = useWords('import');
  const { base, event } = useEvent();
  const { values, set } = useFilters();
  const draft = useDraft(event.id);
  const wanted = STEPS.find((step) => step === values.step) ?? 'file';
  const open = (step: Step): boolean =>
    step === 'file' ||
    (step === 'columns' && draft !== null) ||
    (step === 'preview' && draft !== null && draft.preview !== null) ||
    (step === 'run' && values.job !== undefined);
  const here: Step = open(wanted) ? wanted : draft !== null && wanted === 'preview' ? 'columns' : 'file';
  // An address of a step that has nothing to show yet, such as one from another browser, becomes the one that is shown.
  useEffect(() => {
    if (here !== wanted) set({ step: here }, { quietly: true });
  });
  const go = (step: Step) => set({ step });
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <Link className="button" data-kind="usual" to="/$org/events/$event/people/import/platform" params={base}>
          {t('platform')}
        </Link>
      }
    >
      <Steps label={t('steps')} here={here} open={open} steps={STEPS.map((id) => ({ id, name: t(`step.${id}`) }))} />
      {here === 'file' && <ChooseFile draft={draft} go={go} />}
      {here === 'columns' && draft !== null && <Columns draft={draft} go={go} />}
      {here === 'preview' && draft !== null && draft.preview !== null && (
        <Preview key={draft.preview} draft={draft} job={draft.preview} go={go} />
      )}
      {here === 'run' && values.job !== undefined && <ImportRun job={values.job} fixes={values.fix} draft={draft} />}
    </Page>
  );
}
