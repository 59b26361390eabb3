import { Link } from '@tanstack/react-router';
import { Section, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Plot } from '../../../parts/plot.tsx';

const REFRESH_MS = 60_000;
const DAY_MS = 86_400_000;
/** Older ones are in the reports. */
const DAYS = 90;
/** An event that was made yesterday has two weeks drawn, too: two days are no picture. */
const MIN_DAYS = 14;

/** The registrations of each of the last days. The figures say how many of them came today. */
export function useRegistrationsReport() {
  const { event, base } = useEvent();
  // From the beginning of the event's record, but no longer ago than is drawn; the same for as long as the day is.
  const from = useMemo(() => {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const ago = (days: number) => today - days * DAY_MS;
    const earliest = Math.min(Math.max(Date.parse(event.created_at), ago(DAYS)), ago(MIN_DAYS));
    return new Date(earliest).toISOString();
  }, [event.created_at]);
  return useCall('reportRegistrations', { ...base, query: { by: 'day', from } }, { every: REFRESH_MS });
}

/** How many people were registered on each day of the last months. */
export function Trend() {
  const t = useWords('overview');
  const { base, timezone } = useEvent();
  const report = useRegistrationsReport();
  const intervals = report.data?.intervals;
  const drawn = useMemo(
    () => ({
      at: intervals?.map(({ starts_at }) => starts_at) ?? [],
      series: [
        {
          name: t('registered'),
          values: intervals?.map(({ people }) => people.registered) ?? [],
          kind: 'bars' as const,
        },
        {
          name: t('cancelled'),
          values: intervals?.map(({ people }) => people.cancelled) ?? [],
          tone: 'bad' as const,
          kind: 'line' as const,
        },
      ],
    }),
    [intervals, t],
  );
  return (
    <Section
      title={t('trend')}
      actions={
        <Link className="small" to="/$org/events/$event/reports" params={base}>
          {t('allReports')}
        </Link>
      }
    >
      <QueryResult query={report} lines={8}>
        {({ total: { people } }) =>
          people.registered + people.cancelled === 0 ? (
            <p className="soft">{t('nobodyYet', { count: DAYS })}</p>
          ) : (
            <Plot label={t('trend')} {...drawn} by="day" timeZone={timezone} height={200} />
          )
        }
      </QueryResult>
    </Section>
  );
}
