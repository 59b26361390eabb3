import { Link } from '@tanstack/react-router';
import type { ExportCreate } from '@turnout/client';
import { Button, Page, Select, Tabs, useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { ExportFile, ExportProgress } from '../../parts/export-file.tsx';
import { DateField } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { instantOf } from '../../parts/zoned.ts';
import { AttendanceDrawn } from './attendance.tsx';
import type { DrawnProps } from './drawn.ts';
import { MoneyDrawn } from './money.tsx';
import { RefusalsDrawn } from './refusals.tsx';
import { RegistrationsDrawn } from './registrations.tsx';
import './reports.css';

const REPORTS = {
  registrations: RegistrationsDrawn,
  attendance: AttendanceDrawn,
  refusals: RefusalsDrawn,
  money: MoneyDrawn,
} as const;
type Report = keyof typeof REPORTS;
const INTERVALS = ['day', 'week', 'hour'] as const;

/** What came of the event: drawn, with every number in words, as a file, and fit for printing. Test activity is left out. */
export default function Reports() {
  const t = useWords('reports');
  const { base, event } = useEvent();
  const { may } = useOrganization();
  const { values } = useFilters();
  const offered = (Object.keys(REPORTS) as Report[]).filter((one) => one !== 'money' || may('people.read'));
  const report = offered.find((one) => one === values.report) ?? 'registrations';
  const Drawn = REPORTS[report];
  const range = useRange();
  const what: ExportCreate['what'] = `report_${report}`;
  return (
    <Page
      title={t('title')}
      lead={event.test ? t('leadTest') : t('lead')}
      actions={
        <>
          <ExportFile what={what} filter={{ ...range.asked, ...(report === 'registrations' && { by: range.by }) }} />
          <Button onClick={() => window.print()}>{t('print')}</Button>
        </>
      }
    >
      <Tabs label={t('title')}>
        {offered.map((one) => (
          <Link
            key={one}
            to="/$org/events/$event/reports"
            params={base}
            search={(old) => searchOf(old, one, report)}
            // All of them have the same path; the filter tells which one is shown.
            activeOptions={{ exact: true, includeSearch: true }}
          >
            {t(`report.${one}`)}
          </Link>
        ))}
      </Tabs>
      <ExportProgress />
      <Range of={report} />
      <Drawn query={{ ...range.asked, ...(event.test && { test: true }) }} by={range.by} />
    </Page>
  );
}

interface Search {
  by?: string;
  from?: string;
  to?: string;
  job?: string;
}
/** The address of a report: of the same time; a file that was made of another report is not shown on. */
const searchOf = ({ by, from, to, job }: Search, next: Report, shown: Report): Search & { report?: string } => ({
  ...(by !== undefined && { by }),
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
  ...(job !== undefined && next === shown && { job }),
  ...(next !== 'registrations' && { report: next }),
});

/** The dates in the address, as instants of the event's zone. `to` is a date that still counts. */
function useRange(): { asked: { from?: string; to?: string }; by: DrawnProps['by'] } {
  const { timezone } = useEvent();
  const { values } = useFilters();
  const from = values.from === undefined ? null : instantOf(`${values.from}T00:00`, timezone);
  const to = values.to === undefined ? null : instantOf(`${dayAfter(values.to)}T00:00`, timezone);
  const by = INTERVALS.find((one) => one === values.by) ?? 'day';
  return { asked: { ...(from !== null && { from }), ...(to !== null && { to }) }, by };
}
function dayAfter(date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : new Date(at + 86_400_000).toISOString().slice(0, 10);
}

function Range({ of }: { of: Report }) {
  const t = useWords('reports');
  const { values, set } = useFilters();
  return (
    <div className="report-range">
      <DateField
        label={t('from')}
        required={false}
        value={values.from ?? ''}
        onChange={(from) => set({ from }, { quietly: true })}
      />
      <DateField
        label={t('to')}
        required={false}
        value={values.to ?? ''}
        onChange={(to) => set({ to }, { quietly: true })}
      />
      {of === 'registrations' && (
        <Select
          label={t('by')}
          options={INTERVALS.map((one) => ({ value: one, label: t(`by.${one}`) }))}
          value={INTERVALS.find((one) => one === values.by) ?? 'day'}
          onChange={(by) => set({ by: by === 'day' ? undefined : by }, { quietly: true })}
        />
      )}
    </div>
  );
}
