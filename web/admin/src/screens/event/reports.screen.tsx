import { Link } from '@tanstack/react-router';
import type { ExportCreate } from '@turnout/client';
import { isPaid } from '@turnout/contract/prices';
import { Button, Page, Select, Tabs, useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useOrganization } from '../../frame/organization.tsx';
import { ExportFile, ExportProgress } from '../../parts/export-file.tsx';
import { DateField } from '../../parts/fields.tsx';
import { PeriodMenu } from '../../parts/period-menu.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { AttendanceDrawn } from './reports/attendance.tsx';
import { INTERVALS, intervalOf, offeredReports, type Report, rangeOf, searchOf } from './reports/in-address.ts';
import { MoneyDrawn } from './reports/money.tsx';
import { RefusalsDrawn } from './reports/refusals.tsx';
import { RegistrationsDrawn } from './reports/registrations.tsx';
import { SalesDrawn } from './reports/sales.tsx';
import './reports/reports.css';

const REPORTS = {
  registrations: RegistrationsDrawn,
  attendance: AttendanceDrawn,
  refusals: RefusalsDrawn,
  money: MoneyDrawn,
  sales: SalesDrawn,
} as const satisfies Record<Report, unknown>;

/** What came of the event: drawn, with every number in words, as a file, and fit for printing. Test activity is left out. */
export default function Reports() {
  const t = useWords('reports');
  const { base, event, timezone, products, types, hasCodes } = useEvent();
  const { may } = useOrganization();
  const { values } = useFilters();
  const offered = offeredReports(may, hasCodes || products.length > 0 || types.some(isPaid));
  const report = offered.find((one) => one === values.report) ?? 'registrations';
  const Drawn = REPORTS[report];
  const range = rangeOf(values, timezone);
  const what: ExportCreate['what'] = `report_${report}`;
  return (
    <Page
      title={t('title')}
      lead={event.test ? t('leadTest') : t('lead')}
      actions={
        <>
          <ExportFile what={what} filter={{ ...range.dates, ...(report === 'registrations' && { by: range.by }) }} />
          <Button onClick={() => window.print()}>{t('print')}</Button>
        </>
      }
      tabs={
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
      }
    >
      <ExportProgress />
      <Range report={report} />
      <Drawn query={{ ...range.dates, ...(event.test && { test: true }) }} by={range.by} />
    </Page>
  );
}

function Range({ report }: { report: Report }) {
  const t = useWords('reports');
  const { timezone } = useEvent();
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
      <PeriodMenu zone={timezone} onChoose={(dates) => set(dates)} />
      {report === 'registrations' && (
        <Select
          label={t('by')}
          options={INTERVALS.map((one) => ({ value: one, label: t(`by.${one}`) }))}
          value={intervalOf(values)}
          onChange={(by) => set({ by: by === 'day' ? undefined : by }, { quietly: true })}
        />
      )}
    </div>
  );
}
