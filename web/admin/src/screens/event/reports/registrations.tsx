import type { RegistrationsReport } from '@turnout/client';
import { EmptyState, Section, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Bars, Plot } from '../../../parts/plot.tsx';
import { useNameText } from '../../../parts/status.tsx';
import type { DrawnProps } from './drawn.ts';
import { Totals } from './numbers.tsx';

/** People who registered, over time and all together, by type and by where they came from. */
export function RegistrationsDrawn({ query, by }: DrawnProps) {
  const { base } = useEvent();
  const report = useCall('reportRegistrations', { ...base, query: { ...query, by } });
  return <QueryResult query={report}>{(data) => <RegistrationSections report={data} />}</QueryResult>;
}

function RegistrationSections({ report }: { report: RegistrationsReport }) {
  const t = useWords('reports');
  const formats = useFormats();
  const { people, registrations } = report.total;
  if (report.intervals.length === 0)
    return <EmptyState title={t('noRegistrations')}>{t('noRegistrationsText')}</EmptyState>;
  return (
    <>
      <Totals
        label={t('totals')}
        facts={[
          [t('peopleRegistered'), formats.number(people.registered)],
          [t('peopleConfirmed'), formats.number(people.confirmed)],
          [t('peopleCancelled'), formats.number(people.cancelled)],
          [t('registrations'), formats.number(registrations.registered)],
        ]}
      />
      <OverTime report={report} />
      <div className="report-grid">
        <ByType report={report} />
        <BySource report={report} />
      </div>
    </>
  );
}

function OverTime({ report: { intervals, by, timezone } }: { report: RegistrationsReport }) {
  const t = useWords('reports');
  const at = useMemo(() => intervals.map(({ starts_at }) => starts_at), [intervals]);
  const each = useMemo(
    () => [
      {
        ...{ name: t('peopleRegistered'), values: intervals.map(({ people }) => people.registered) },
        kind: 'bars' as const,
      },
    ],
    [intervals, t],
  );
  const together = useMemo(() => {
    const confirmed = sums(intervals.map(({ people }) => people.confirmed));
    return [
      { name: t('peopleRegistered'), values: sums(intervals.map(({ people }) => people.registered)) },
      { name: t('peopleConfirmed'), values: confirmed, tone: 'good' as const, kind: 'line' as const },
    ];
  }, [intervals, t]);
  const shared = { at, by, timeZone: timezone };
  return (
    <>
      <Section title={t('overTime')}>
        <Plot label={t('overTime')} series={each} {...shared} />
      </Section>
      <Section title={t('together')}>
        <Plot label={t('together')} series={together} {...shared} />
      </Section>
    </>
  );
}

const sums = (values: readonly number[]): number[] => {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
};

/** Adds up what the intervals say about each of several things. */
function sumBy<T>(entries: readonly T[], keyOf: (one: T) => string, count: (one: T) => number): [string, number][] {
  const totals = new Map<string, number>();
  for (const one of entries) totals.set(keyOf(one), (totals.get(keyOf(one)) ?? 0) + count(one));
  return [...totals].sort((a, b) => b[1] - a[1]);
}

function ByType({ report: { intervals } }: { report: RegistrationsReport }) {
  const t = useWords('reports');
  const { typeName } = useEvent();
  const totals = sumBy(
    intervals.flatMap((one) => one.attendee_types),
    (one) => one.attendee_type,
    (one) => one.people.registered,
  );
  return (
    <Section title={t('byType')}>
      <Bars label={t('byType')} bars={totals.map(([id, value]) => ({ id, name: typeName(id), value }))} />
    </Section>
  );
}

function BySource({ report: { intervals } }: { report: RegistrationsReport }) {
  const t = useWords('reports');
  const names = useNameText();
  const totals = sumBy(
    intervals.flatMap((one) => one.sources),
    (one) => one.source,
    (one) => one.people.registered,
  );
  return (
    <Section title={t('bySource')}>
      <Bars
        label={t('bySource')}
        bars={totals.map(([id, value]) => ({
          id,
          name: names.source(id as Parameters<typeof names.source>[0]),
          value,
        }))}
      />
    </Section>
  );
}
