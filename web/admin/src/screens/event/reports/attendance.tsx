import type { AttendanceReport } from '@turnout/client';
import { EmptyState, Section, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Bars, Plot } from '../../../parts/plot.tsx';
import type { DrawnProps } from './drawn.ts';
import { Totals } from './numbers.tsx';

/** Who came and who did not, by day, type, check-in point and hour. */
export function AttendanceDrawn({ query }: DrawnProps) {
  const { base } = useEvent();
  const report = useCall('reportAttendance', { ...base, query });
  return <QueryResult query={report}>{(data) => <AttendanceSections report={data} />}</QueryResult>;
}

function AttendanceSections({ report }: { report: AttendanceReport }) {
  const t = useWords('reports');
  const formats = useFormats();
  const { total } = report;
  if (total.expected === 0 && total.admissions === 0)
    return <EmptyState title={t('noAttendance')}>{t('noAttendanceText')}</EmptyState>;
  return (
    <>
      <Totals
        label={t('totals')}
        facts={[
          [t('expected'), formats.number(total.expected)],
          [t('came'), formats.number(total.came)],
          [t('noShows'), formats.number(total.no_shows)],
          ...(total.still_expected > 0
            ? [[t('stillExpected'), formats.number(total.still_expected)] as [string, string]]
            : []),
          [t('admissions'), formats.number(total.admissions)],
          [t('exits'), formats.number(total.exits)],
        ]}
      />
      <div className="report-grid">
        <ByDay report={report} />
        <ByType report={report} />
        <ByPoint report={report} />
      </div>
      <ByHour report={report} />
    </>
  );
}

/** Days and types for which nobody is expected and nobody came say nothing. */
const isSome = ({ came, expected }: { came: number; expected: number }): boolean => came > 0 || expected > 0;

type AttendanceCounts = Pick<AttendanceReport['total'], 'came' | 'expected' | 'no_shows' | 'still_expected'>;

const useCame = () => {
  const t = useWords('reports');
  return ({ came, expected, no_shows, still_expected }: AttendanceCounts) => ({
    ...{ value: came, total: expected, tone: 'good' as const },
    text: [
      t('cameOf', { came, expected }),
      ...(no_shows > 0 ? [t('noShowCount', { count: no_shows })] : []),
      ...(still_expected > 0 ? [t('stillExpectedCount', { count: still_expected })] : []),
    ].join(' · '),
  });
};

function ByDay({ report }: { report: AttendanceReport }) {
  const t = useWords('reports');
  const came = useCame();
  const { dayName } = useEvent();
  return (
    <Section title={t('byDay')}>
      <Bars
        label={t('byDay')}
        bars={report.days.filter(isSome).map((one) => ({ id: one.day, name: dayName(one.day), ...came(one) }))}
      />
    </Section>
  );
}

function ByType({ report }: { report: AttendanceReport }) {
  const t = useWords('reports');
  const came = useCame();
  const { typeName } = useEvent();
  return (
    <Section title={t('byType')}>
      <Bars
        label={t('byType')}
        bars={report.attendee_types.filter(isSome).map((one) => ({
          ...{ id: one.attendee_type, name: typeName(one.attendee_type), ...came(one) },
        }))}
      />
    </Section>
  );
}

function ByPoint({ report }: { report: AttendanceReport }) {
  const t = useWords('reports');
  const { pointName } = useEvent();
  return (
    <Section title={t('byPoint')}>
      <Bars
        label={t('byPoint')}
        bars={report.check_in_points.map((one) => ({
          ...{ id: one.check_in_point, name: pointName(one.check_in_point), value: one.admissions },
          text: t('pointCounts', { admissions: one.admissions, people: one.people, refusals: one.refusals }),
        }))}
      />
    </Section>
  );
}

function ByHour({ report: { hours, timezone } }: { report: AttendanceReport }) {
  const t = useWords('reports');
  const at = useMemo(() => hours.map(({ starts_at }) => starts_at), [hours]);
  const series = useMemo(
    () => [
      {
        name: t('admissions'),
        values: hours.map((one) => one.admissions),
        tone: 'good' as const,
        kind: 'bars' as const,
      },
      { name: t('exits'), values: hours.map((one) => one.exits), tone: 'soft' as const, kind: 'line' as const },
      { name: t('inside'), values: hours.map((one) => one.inside), kind: 'line' as const },
    ],
    [hours, t],
  );
  if (hours.length === 0) return null;
  return (
    <Section title={t('byHour')}>
      <Plot label={t('byHour')} at={at} series={series} by="hour" timeZone={timezone} />
    </Section>
  );
}
