import { Link } from '@tanstack/react-router';
import type { Availability } from '@turnout/client';
import { Button, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { type Bar, Bars } from '../../../parts/plot.tsx';

type Count = Availability['event'];

/** From this share on, few are left. */
const FEW = 0.9;

/** How full the event is: all of it, each day, each type. */
export function Places({
  availability: { event: all, days: byDay, attendee_types: byType },
}: {
  availability: Availability;
}) {
  const t = useWords('overview');
  const { event, base, days, types, dayName, typeName } = useEvent();
  const bar = useBar();
  // Without a number of its own, the event has the plan's, which nobody plans a hall by; it is named only when it is nearly reached.
  const byPlan = event.capacity === null && all.capacity !== null && all.taken + all.held < FEW * all.capacity;
  const total = byPlan ? { ...all, capacity: null, left: null } : all;
  const order = new Map(days.map(({ code }, i) => [code, i]));
  const known = new Set(types.map(({ code }) => code));
  return (
    <Section title={t('places')}>
      <div className="stack overview-places" data-gap="large">
        <Bars label={t('places')} bars={[bar('all', t('wholeEvent'), total)]} />
        {byDay.length > 0 && (
          <ManyBars
            label={t('byDay')}
            bars={byDay
              .toSorted((a, b) => (order.get(a.day) ?? 0) - (order.get(b.day) ?? 0))
              .map((one) =>
                bar(
                  one.day,
                  <Link to="/$org/events/$event/people" params={base} search={{ day: one.day }}>
                    {dayName(one.day)}
                  </Link>,
                  one,
                ),
              )}
          />
        )}
        {byType.length > 0 && (
          <ManyBars
            label={t('byType')}
            bars={byType
              .filter(({ attendee_type }) => known.has(attendee_type))
              .map((one) =>
                bar(
                  one.attendee_type,
                  <Link to="/$org/events/$event/people" params={base} search={{ attendee_type: one.attendee_type }}>
                    {typeName(one.attendee_type)}
                  </Link>,
                  one,
                ),
              )}
          />
        )}
      </div>
    </Section>
  );
}

/** An event of thirty days is not a page of bars. */
const MAX_BARS = 8;

function ManyBars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const t = useWords('overview');
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && bars.length > MAX_BARS + 1;
  return (
    <div>
      <h3>{label}</h3>
      <Bars label={label} bars={isCut ? bars.slice(0, MAX_BARS) : bars} />
      {isCut && (
        <div className="buttons places-more">
          <Button size="small" onClick={() => setWhole(true)}>
            {t('showAll', { count: bars.length })}
          </Button>
        </div>
      )}
    </div>
  );
}

function useBar(): (id: string, name: Bar['name'], count: Count) => Bar {
  const t = useWords('overview');
  return (id, name, { capacity, taken, held, waiting, left }) => {
    const used = taken + held;
    const words = [
      capacity === null ? t('taken', { count: taken }) : t('takenOf', { taken, capacity }),
      ...(held > 0 ? [t('held', { count: held })] : []),
      ...(waiting > 0 ? [t('waiting', { count: waiting })] : []),
      ...(left === null ? [] : [left === 0 ? t('full') : t('left', { count: left })]),
    ];
    const few = capacity !== null && capacity > 0 && used >= FEW * capacity;
    return {
      ...{ id, name, value: taken, total: capacity, more: held, tone: few ? 'warn' : 'accent' },
      text: <span className="soft small">{words.join(' · ')}</span>,
    };
  };
}
