import { Link } from '@tanstack/react-router';
import type { OverviewEvent } from '@turnout/client';
import { Badge, Button, rich, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useOrganization } from '../../frame/organization.tsx';
import { Fill } from './fill.tsx';
import { useWhen } from './when.ts';

const FIRST_PAST = 5;

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
      <ul className="events">
        {shown.map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
      {shown.length < events.length && (
        <div className="buttons">
          <Button size="small" onClick={() => setAll(true)}>
            {t('showPast', { count: events.length - shown.length })}
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

function EventItem({ event }: { event: OverviewEvent }) {
  const t = useWords('home');
  const { org } = useOrganization();
  const when = useWhen();
  return (
    <li className="event" data-when={event.when}>
      <div className="event-what">
        <h3>
          <Link to="/$org/events/$event" params={{ org, event: event.code }}>
            <bdi>{event.name}</bdi>
          </Link>
        </h3>
        <div className="soft small">{when(event) ?? t('noDate')}</div>
        {(event.status !== 'published' || event.test) && (
          <div className="row">
            {event.status === 'draft' && <Badge>{t('draft')}</Badge>}
            {event.status === 'closed' && event.when !== 'past' && <Badge>{t('closed')}</Badge>}
            {event.test && <Badge tone="warn">{t('test')}</Badge>}
          </div>
        )}
      </div>
      <Fill event={event} />
    </li>
  );
}
