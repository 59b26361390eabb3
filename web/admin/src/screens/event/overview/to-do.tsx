import { Link } from '@tanstack/react-router';
import type { Availability, EventSummary } from '@turnout/client';
import { Section, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { CaughtUp, type Todo, TodoList } from '../../../parts/todo-list.tsx';
import { type TodoId, todosOf } from './todos.ts';

/** What this member has to decide or to repair at this event; nothing for those who may only look. */
export function ToDo({ summary, availability }: { summary: EventSummary; availability: Availability | undefined }) {
  const t = useWords('overview');
  const { event, points } = useEvent();
  const { may } = useOrganization();
  const todos = todosOf({ event, points, summary, left: availability?.event.left, may });
  if (todos === null) return null;
  return (
    <Section title={t('todo')}>
      {todos.length === 0 ? (
        <CaughtUp>{t('caughtUp')}</CaughtUp>
      ) : (
        <TodoList
          todos={todos.map(
            ({ id, count }): Todo => ({
              id,
              action: <TodoLink id={id} count={count} />,
              ...(id === 'points' && { about: t('do.pointsWhy') }),
            }),
          )}
        />
      )}
    </Section>
  );
}

const STATUSES = { approve: 'pending_approval', unpaid: 'pending_payment', waitlist: 'waitlisted' } as const;

function TodoLink({ id, count }: { id: TodoId; count: number }) {
  const t = useWords('overview');
  const { base } = useEvent();
  if (id === 'points')
    return (
      <Link to="/$org/events/$event/check-in/points" params={base}>
        {t('do.points')}
      </Link>
    );
  return (
    <Link to="/$org/events/$event/people/registrations" params={base} search={{ status: STATUSES[id] }}>
      {t(`do.${id}`, { count })}
    </Link>
  );
}
