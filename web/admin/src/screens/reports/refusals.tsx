import type { RefusalsReport } from '@turnout/client';
import { EmptyState, Section, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { Answer } from '../../frame/answer.tsx';
import { useCall } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { Bars, Plot } from '../../parts/plot.tsx';
import { useReasonText, useStateText } from '../../parts/status.tsx';
import type { DrawnProps } from './drawn.ts';
import { Totals } from './numbers.tsx';

/** Who was refused, and why: by reason, check-in point and hour. */
export function RefusalsDrawn({ query }: DrawnProps) {
  const { base } = useEvent();
  const report = useCall('reportRefusals', { ...base, query });
  return <Answer of={report}>{(data) => <Drawn of={data} />}</Answer>;
}

function Drawn({ of }: { of: RefusalsReport }) {
  const t = useWords('reports');
  const formats = useFormats();
  if (of.total.refusals === 0) return <EmptyState title={t('noRefusals')}>{t('noRefusalsText')}</EmptyState>;
  return (
    <>
      <Totals
        label={t('totals')}
        of={[
          [t('refusals'), formats.number(of.total.refusals)],
          [t('overridden'), formats.number(of.total.overridden)],
        ]}
      />
      <div className="report-grid">
        <ByReason of={of} />
        <ByPoint of={of} />
      </div>
      <ByHour of={of} />
    </>
  );
}

function ByReason({ of }: { of: RefusalsReport }) {
  const t = useWords('reports');
  const textOf = useStateText();
  const reasonText = useReasonText();
  return (
    <Section title={t('byReason')}>
      <Bars
        label={t('byReason')}
        bars={of.reasons.map((one) => ({
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

function ByPoint({ of }: { of: RefusalsReport }) {
  const t = useWords('reports');
  const { pointName } = useEvent();
  return (
    <Section title={t('byPoint')}>
      <Bars
        label={t('byPoint')}
        bars={of.check_in_points.map((one) => ({
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

function ByHour({ of: { hours, timezone } }: { of: RefusalsReport }) {
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
