import type { Exported } from '@turnout/contract/file-columns';
import { PERSON_FIELDS } from '@turnout/contract/person-fields';
import { isPaid } from '@turnout/contract/prices';
import { Button, Checkboxes, Page, ProblemNotice, Radios, Section, useWords } from '@turnout/ui';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { JobProgress, watchJob } from '../../../parts/job.tsx';
import { listOf, useFilters } from '../../../parts/use-filters.ts';
import { type Column, type Columns, columnsFor, exportKinds, FILTER_NAMES, isFilterOf } from './export/columns.ts';
import { ExportFilters, useFilterOf, useInWords } from './export/filters.tsx';
import { Jobs } from './export/jobs.tsx';
import './export/export.css';
import '../../../parts/fold.css';

/** What, in which format, with which columns and which rows; then the file, and everything that ran in this event before. */
export default function Export() {
  const t = useWords('export');
  const { base, products, types } = useEvent();
  const { values, set } = useFilters();
  const refresh = useRefresh();
  const hasProducts = products.length > 0;
  const kinds = exportKinds(hasProducts, hasProducts || types.some(isPaid));
  const what = kinds.find((one) => one === values.what) ?? 'people';
  const format = values.format === 'csv' ? 'csv' : 'xlsx';
  const offered = columnsFor(what, hasProducts);
  const chosen = listOf(values.columns);
  const columns = chosen.length === 0 && offered?.named ? offered.usual : chosen;
  const filter = useFilterOf(what);
  const sentence = useInWords(what);
  const make = useAction(async (body: Parameters<typeof call<'createExport'>>[1]['body'], { key }: { key: string }) => {
    const job = await call('createExport', { org: base.org, body }, { key });
    watchJob({
      ...{ org: base.org, job: job.id, title: t('jobTitle', { what: t(`what.${what}`) }) },
      href: `/app/${base.org}/events/${base.event}/people/export?job=${job.id}`,
    });
    set({ job: job.id });
    await refresh('listJobs');
  });
  const choose = (next: Exported) => {
    const dropped = FILTER_NAMES.filter((name) => !isFilterOf(next, name));
    const answers = isFilterOf(next, 'answers') ? [] : Object.keys(values).filter((name) => name.startsWith('answer.'));
    // A status of payments is none of people.
    const gone = [...dropped, ...answers, 'columns', 'job', ...(next === what ? [] : ['status'])];
    set({ ...Object.fromEntries(gone.map((name) => [name, undefined])), what: next });
  };
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div className="export">
        <Radios
          label={t('what')}
          value={what}
          onChange={choose}
          options={kinds.map((value) => ({
            value,
            label: t(`what.${value}`),
            hint: t(`about.${value}`),
          }))}
        />
        <div className="stack">
          <Radios
            label={t('format')}
            value={format}
            onChange={(next) => set({ format: next, job: undefined })}
            options={[
              { value: 'xlsx', label: t('xlsx') },
              { value: 'csv', label: t('csv') },
            ]}
          />
          <section className="stack" data-gap="small" aria-label={t('rows')}>
            <h2>{t('rows')}</h2>
            <ExportFilters what={what} />
            <p role="status">{sentence}</p>
          </section>
          {offered !== null && (
            <ChooseColumns
              columns={offered}
              chosen={chosen}
              onChange={(next) => set({ columns: next.join(','), job: undefined })}
            />
          )}
          <ProblemNotice problem={make.problem} />
          <div className="buttons">
            <Button
              kind="main"
              busy={make.busy}
              onClick={() =>
                void make.run({
                  ...{ what, format, event: base.event },
                  ...(Object.keys(filter).length > 0 && { filter }),
                  ...(columns.length > 0 && { columns: [...columns] }),
                })
              }
            >
              {t('make')}
            </Button>
          </div>
          {values.job !== undefined && (
            <JobProgress key={values.job} job={values.job} title={t('file')} onOver={() => void refresh('listJobs')} />
          )}
        </div>
      </div>
      <Section title={t('jobs')} lead={t('jobsLead')}>
        <Jobs />
      </Section>
    </Page>
  );
}

type OfPerson = Exclude<keyof typeof PERSON_FIELDS, 'answers'>;
/** All answers stand beside single ones, so their column has a name of its own. */
const isOfPerson = (column: Column): column is Column & OfPerson =>
  column !== 'answers' && Object.hasOwn(PERSON_FIELDS, column);

function ChooseColumns({
  columns: { usual, more },
  chosen,
  onChange,
}: {
  columns: Columns;
  chosen: readonly string[];
  onChange: (columns: string[]) => void;
}) {
  const t = useWords('export');
  const person = useWords('person');
  const { questions } = useEvent();
  const value = chosen.length === 0 ? [...usual] : [...chosen];
  const single = usual.includes('answers') ? questions : [];
  const option = (column: Column) => ({
    value: column as string,
    label: isOfPerson(column) ? person(column) : t(`column.${column}`),
  });
  // They stand in the file in the order of this list, whichever was chosen first.
  const options = [
    ...usual.map(option),
    ...single.map(({ code, label }) => ({ value: `answers.${code}`, label })),
    ...more.map(option),
  ];
  const set = (next: string[]) => {
    const sorted = options.map((one) => one.value).filter((column) => next.includes(column));
    onChange(sorted.length === usual.length && usual.every((one) => sorted.includes(one)) ? [] : sorted);
  };
  return (
    <details className="fold">
      <summary>
        {chosen.length === 0
          ? t('columnsUsual', { count: usual.length })
          : t('columnsChosen', { count: chosen.length })}
      </summary>
      <div className="stack" data-gap="small">
        <div className="export-columns">
          <Checkboxes label={t('columns')} value={value} onChange={set} options={options} />
        </div>
        {chosen.length > 0 && (
          <div className="buttons">
            <Button kind="link" onClick={() => onChange([])}>
              {t('columnsReset')}
            </Button>
          </div>
        )}
      </div>
    </details>
  );
}
