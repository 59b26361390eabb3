import { Link } from '@tanstack/react-router';
import type { OverviewEvent } from '@turnout/client';
import { Badge, Button, rich, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useOrganization } from '../../frame/organization.tsx';
import { EventPicture } from '../../parts/event-picture.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Fill } from './fill.tsx';
import { useWhen } from './when.ts';

const FIRST_PAST = 6;

export function Events({
  when,
  events,
  more,
}: {
  when: 'now' | 'next' | 'past';
  events: readonly OverviewEvent[];
  /** There are events that are not in the overview. */
  more?: boolean;
}) {
  const t = useWords('home');
  const { org } = useOrganization();
  const [all, setAll] = useState(false);
  if (events.length === 0) return null;
  const shown = when === 'past' && !all ? events.slice(0, FIRST_PAST) : events;
  return (
    <Section title={t(when)}>
      <ul className="event-cards">
        {shown.map((event) => (
          <EventCard key={event.id} event={event} />
        ))}
      </ul>
      {shown.length < events.length && (
        <div className="buttons">
          <Button size="small" onClick={() => setAll(true)}>
            {t('showMore', { count: events.length - shown.length })}
          </Button>
        </div>
      )}
      {more && shown.length === events.length && (
        <p className="soft small">
          {rich(t('notAll'), {
            all: (inner) => (
              <Link to="/$org/events" params={{ org }}>
                {inner}
              </Link>
            ),
          })}
        </p>
      )}
    </Section>
  );
}

/** An event at a glance; the whole card leads to it. One that is over has no curve and a lower picture. */
function EventCard({ event }: { event: OverviewEvent }) {
  const t = useWords('home');
  const { org } = useOrganization();
  const when = useWhen();
  const isPast = event.when === 'past';
  return (
    <li className="event-card" data-when={event.when}>
      <div className="event-card-picture">
        <EventPicture event={event} size="cover" />
        <span className="row">
          {event.status === 'draft' && <Badge>{t('draft')}</Badge>}
          {event.status === 'closed' && !isPast && <Badge>{t('closed')}</Badge>}
          {event.test && <Badge tone="warn">{t('test')}</Badge>}
        </span>
      </div>
      <div className="event-card-text">
        <h3>
          <Link to="/$org/events/$event" params={{ org, event: event.code }}>
            <bdi>{event.name}</bdi>
          </Link>
        </h3>
        <p className="soft small">{[when(event) ?? t('noDate'), event.venue].filter(Boolean).join(' · ')}</p>
        <Fill event={event} />
        {!isPast && <Lately event={event} />}
      </div>
    </li>
  );
}

/** Who was added lately, as a curve with its number. */
function Lately({ event: { registered_by_day: days } }: { event: OverviewEvent }) {
  const t = useWords('home');
  const count = days.reduce((sum, day) => sum + day, 0);
  if (count === 0) return null;
  return (
    <div className="event-card-lately">
      <Sparkline values={days} />
      <span className="soft small number">{t('lately', { count })}</span>
    </div>
  );
}
