import type { RefusalsReport } from '@turnout/client';
import { EmptyState, Section, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Bars, Plot } from '../../../parts/plot.tsx';
import { useReasonText, useStateText } from '../../../parts/status.tsx';
import type { DrawnProps } from './drawn.ts';
import { Totals } from './numbers.tsx';

/** Who was refused, and why: by reason, check-in point and hour. */
export function RefusalsDrawn({ query }: DrawnProps) {
  const { base } = useEvent();
  const report = useCall('reportRefusals', { ...base, query });
  return <QueryResult query={report}>{(data) => <RefusalSections report={data} />}</QueryResult>;
}

function RefusalSections({ report }: { report: RefusalsReport }) {
  const t = useWords('reports');
  const formats = useFormats();
  if (report.total.refusals === 0) return <EmptyState title={t('noRefusals')}>{t('noRefusalsText')}</EmptyState>;
  return (
    <>
      <Totals
        label={t('totals')}
        facts={[
          [t('refusals'), formats.number(report.total.refusals)],
          [t('overridden'), formats.number(report.total.overridden)],
        ]}
      />
      <div className="report-grid">
        <ByReason report={report} />
        <ByPoint report={report} />
      </div>
      <ByHour report={report} />
    </>
  );
}

function ByReason({ report }: { report: RefusalsReport }) {
  const t = useWords('reports');
  const textOf = useStateText();
  const reasonText = useReasonText();
  return (
    <Section title={t('byReason')}>
      <Bars
        label={t('byReason')}
        bars={report.reasons.map((one) => ({
          ...{ id: `${one.result} ${one.reason}`, value: one.refusals, tone: 'warn' as const },
          name: one.reason === null ? textOf('result', one.result) : reasonText(one.reason),
          ...(one.overridden > 0 && {
            text: t('refusedOverridden', { refusals: one.refusals, overridden: one.overridden }),
          }),
        }))}
      />
    </Section>
  );
}

function ByPoint({ report }: { report: RefusalsReport }) {
  const t = useWords('reports');
  const { pointName } = useEvent();
  return (
    <Section title={t('byPoint')}>
      <Bars
        label={t('byPoint')}
        bars={report.check_in_points.map((one) => ({
          ...{
            id: one.check_in_point,
            name: pointName(one.check_in_point),
            value: one.refusals,
            tone: 'warn' as const,
          },
        }))}
      />
    </Section>
  );
}

function ByHour({ report: { hours, timezone } }: { report: RefusalsReport }) {
  const t = useWords('reports');
  const at = useMemo(() => hours.map(({ starts_at }) => starts_at), [hours]);
  const series = useMemo(
    () => [
      { name: t('refusals'), values: hours.map((one) => one.refusals), tone: 'warn' as const, kind: 'bars' as const },
    ],
    [hours, t],
  );
  if (hours.length === 0) return null;
  return (
    <Section title={t('refusalsByHour')}>
      <Plot label={t('refusalsByHour')} at={at} series={series} by="hour" timeZone={timezone} />
    </Section>
  );
}
