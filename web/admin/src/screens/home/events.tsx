import type { OverviewEvent } from '@turnout/client';
import { Badge, Button, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
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
  const [all, setAll] = useState(false);
  if (events.length === 0) return null;
  const shown = when === 'past' && !all ? events.slice(0, FIRST_PAST) : events;
  return (
    <Section title={t(when)}>
      <ul className="events">
        {shown.map((event) => (
          <One key={event.id} event={event} />
        ))}
      </ul>
      {shown.length < events.length && (
        <div className="buttons">
          <Button size="small" onClick={() => setAll(true)}>
            {t('showPast', { count: events.length - shown.length })}
          </Button>
        </div>
      )}
      {more && shown.length === events.length && <p className="soft small">{t('notAll')}</p>}
    </Section>
  );
}

function One({ event }: { event: OverviewEvent }) {
  const t = useWords('home');
  const when = useWhen();
  return (
    <li className="event" data-when={event.when}>
      <div className="event-what">
        <h3>{event.name}</h3>
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
