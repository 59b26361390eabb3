import type { LiveSnapshot } from '@turnout/client';
import { Badge, Button, Page, ProgressIcon, Section, Skeleton, useFormats, useWords } from '@turnout/ui';
import { useMemo, useRef } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { Filters } from '../../../parts/filters.tsx';
import { Plot } from '../../../parts/plot.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { ByDay, ByPoint, ByType, Refusals } from './live/live-bars.tsx';
import { LastScans, LiveDevices } from './live/live-lists.tsx';
import { minutesOf, paceOf, refusalsOf, shownDays, sumsOf } from './live/live-numbers.ts';
import { useLive } from './live/use-live.ts';
import './check-in.css';

/** What happens at the doors, as it happens: to be watched from across a room. */
export default function Live() {
  const t = useWords('door');
  const { snapshot, state } = useLive();
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Page
      title={t('live')}
      actions={
        <>
          <LiveMark state={state} />
          <Button onClick={() => void panel.current?.requestFullscreen?.()}>{t('fullScreen')}</Button>
        </>
      }
    >
      <div className="live" ref={panel} data-state={state}>
        {state !== 'live' && snapshot !== null && (
          <div className="live-lost" role="alert">
            {t('liveLost')}
          </div>
        )}
        {snapshot === null ? (
          state === 'connecting' ? (
            <Skeleton lines={8} />
          ) : (
            <p>{t('liveLostFirst')}</p>
          )
        ) : (
          <LiveSections snapshot={snapshot} />
        )}
      </div>
    </Page>
  );
}

function LiveMark({ state }: { state: ReturnType<typeof useLive>['state'] }) {
  const t = useWords('door');
  if (state === 'live') return <Badge tone="good">{t('liveOn')}</Badge>;
  return (
    <Badge {...(state === 'connecting' ? { icon: ProgressIcon } : { tone: 'bad' })}>{t(`liveState.${state}`)}</Badge>
  );
}

function LiveSections({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const { dayOptions, points } = useEvent();
  return (
    <>
      <LiveNumbers snapshot={snapshot} />
      <Filters
        choices={[
          { name: 'day', label: t('day'), options: dayOptions },
          {
            name: 'check_in_point',
            label: t('point'),
            options: points.map(({ code, name }) => ({ value: code, label: name })),
          },
        ]}
      />
      <LiveMinutes snapshot={snapshot} />
      <div className="live-grid">
        <ByPoint snapshot={snapshot} />
        <ByDay snapshot={snapshot} />
        <ByType snapshot={snapshot} />
        <Refusals snapshot={snapshot} />
      </div>
      <div className="live-grid">
        <LastScans snapshot={snapshot} />
        {snapshot.devices !== null && <LiveDevices devices={snapshot.devices} />}
      </div>
    </>
  );
}

/** The few numbers that everybody asks for, as large as the screen allows. */
function LiveNumbers({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const formats = useFormats();
  const { days: eventDays, dayName } = useEvent();
  const { values } = useFilters();
  const now = Date.now();
  const days = shownDays(snapshot, eventDays, values.day, now);
  const { inside, came, expected } = sumsOf(days);
  const ofOneDay = snapshot.days.some(({ day }) => day === values.day);
  return (
    <dl className="live-numbers" aria-label={t('numbers')}>
      <Big
        name={t('inside')}
        value={formats.number(inside)}
        about={formats.list(days.map(({ day }) => dayName(day)))}
      />
      <Big name={t('came')} value={formats.number(came)} about={t('ofExpected', { count: expected })} />
      <Big
        name={t('aMinute')}
        value={formats.number(paceOf(snapshot, now), { maximumFractionDigits: 1 })}
        about={t('lastFive')}
      />
      <Big
        name={t('refused')}
        value={formats.number(refusalsOf(snapshot, values.day))}
        about={
          ofOneDay
            ? t('refusedOn', { day: dayName(values.day!) })
            : t(eventDays.length > 1 ? 'refusedAll' : 'refusedAbout')
        }
      />
    </dl>
  );
}

const Big = ({ name, value, about }: { name: string; value: string; about: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className="live-big number">{value}</dd>
    <dd className="soft">{about}</dd>
  </div>
);

function LiveMinutes({ snapshot }: { snapshot: LiveSnapshot }) {
  const t = useWords('door');
  const { timezone } = useEvent();
  const { as_of, minutes } = snapshot;
  const all = useMemo(() => minutesOf(minutes, as_of, Date.now()), [minutes, as_of]);
  const at = useMemo(() => all.map(({ minute }) => minute), [all]);
  const series = useMemo(
    () => [{ name: t('admissions'), values: all.map(({ admissions }) => admissions), kind: 'bars' as const }],
    [all, t],
  );
  return (
    <Section title={t('admissionsAMinute')}>
      <Plot label={t('admissionsAMinute')} at={at} series={series} by="minute" timeZone={timezone} height={180} />
    </Section>
  );
}
