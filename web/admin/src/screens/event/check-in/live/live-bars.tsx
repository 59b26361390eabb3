import type { LiveSnapshot } from '@turnout/client';
import { Section, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { Bars } from '../../../../parts/plot.tsx';
import { useReasonText } from '../../../../parts/status.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';

/** Each check-in point; a click shows only its scans. */
export function ByPoint({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const { pointName, points } = useEvent();
  const { values, set } = useFilters();
  const textOf = ({ kind, admissions, refusals, inside }: LiveSnapshot['check_in_points'][number]) =>
    kind === 'exit'
      ? t('exitCounts', { left: admissions, refusals })
      : kind === 'pre_check'
        ? t('preCheckCounts', { checked: admissions, refusals })
        : t('insideCounts', { inside, admissions, refusals });
  const policyOf = (code: string) => points.find((one) => one.code === code)?.policy;
  const shown = snapshot.check_in_points.filter(
    (one) => (values.check_in_point ?? one.check_in_point) === one.check_in_point,
  );
  return (
    <Section title={t('byPoint')}>
      {shown.length === 0 && <p className="soft">{t('nothingYet')}</p>}
      <Bars
        label={t('byPoint')}
        bars={shown.map((one) => {
          const capacity = policyOf(one.check_in_point)?.capacity ?? null;
          const counts = one.kind === 'zone';
          return {
            id: one.check_in_point,
            name: (
              <button type="button" className="live-point" onClick={() => set({ check_in_point: one.check_in_point })}>
                {pointName(one.check_in_point)}
              </button>
            ),
            value: counts ? one.inside : one.admissions,
            ...(counts && capacity !== null && { total: capacity }),
            tone: counts && capacity !== null && one.inside >= capacity ? ('bad' as const) : ('accent' as const),
            text: textOf(one),
          };
        })}
      />
    </Section>
  );
}

export function ByDay({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const { dayName } = useEvent();
  const { values } = useFilters();
  // Of many days, only those are of interest for which anybody is expected.
  const shown = snapshot.days.filter(({ day, expected, came }) =>
    values.day === undefined ? expected > 0 || came > 0 : day === values.day,
  );
  return (
    <Section title={t('byDay')}>
      {shown.length === 0 && <p className="soft">{t('nothingYet')}</p>}
      <Bars
        label={t('byDay')}
        bars={shown.map((one) => ({
          ...{ id: one.day, name: dayName(one.day), value: one.came, total: one.expected },
          text: t('dayCounts', { came: one.came, expected: one.expected, inside: one.inside }),
        }))}
      />
    </Section>
  );
}

export function ByType({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const { typeName } = useEvent();
  return (
    <Section title={t('byType')}>
      {snapshot.attendee_types.length === 0 && <p className="soft">{t('nothingYet')}</p>}
      <Bars
        label={t('byType')}
        bars={snapshot.attendee_types.map((one) => ({
          ...{ id: one.attendee_type, name: typeName(one.attendee_type), value: one.admissions },
          text: t('typeCounts', { admissions: one.admissions, refusals: one.refusals }),
        }))}
      />
    </Section>
  );
}

export function Refusals({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const reasonText = useReasonText();
  const { days } = useEvent();
  return (
    <Section title={t('refusalsByReason')} {...(days.length > 1 && { lead: t('onAllDays') })}>
      {snapshot.reasons.length === 0 && <p className="soft">{t('noRefusals')}</p>}
      <Bars
        label={t('refusalsByReason')}
        bars={snapshot.reasons.map((one) => ({
          ...{ id: one.reason, name: reasonText(one.reason), value: one.refusals, tone: 'warn' as const },
        }))}
      />
    </Section>
  );
}
