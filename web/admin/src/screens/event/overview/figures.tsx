import { Link } from '@tanstack/react-router';
import type { EventSummary } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';

const RUNNING_REFRESH_MS = 30_000;

interface Figure {
  id: string;
  number: string;
  name: ReactNode;
  /** Nothing to see here now. */
  quiet?: boolean;
}

/** The numbers that somebody looks for first. Each leads to the list behind it. */
export function Figures({ summary }: { summary: EventSummary }) {
  const t = useWords('events');
  const waits = useWaits(summary);
  const money = useMoney(summary);
  const door = useDoor();
  return (
    <ul className="event-figures" aria-label={t('figures')}>
      {[...door, ...waits, ...money].map(({ id, number, name, quiet }) => (
        <li key={id} data-quiet={quiet || undefined}>
          <span className="event-figure-number">{number}</span>
          <span className="event-figure-name">{name}</span>
        </li>
      ))}
    </ul>
  );
}

/** Who comes, and what waits for a decision. */
function useWaits({ people, registrations }: EventSummary): Figure[] {
  const t = useWords('events');
  const formats = useFormats();
  const { base } = useEvent();
  const waits = [
    ['pending_approval', 'toApprove'],
    ['pending_payment', 'unpaid'],
    ['waitlisted', 'waitlist'],
  ] as const;
  return [
    {
      id: 'confirmed',
      number: formats.number(people.confirmed),
      name: (
        <Link to="/$org/events/$event/people" params={base} search={{ status: 'confirmed' }}>
          {t('confirmed', { count: people.confirmed })}
        </Link>
      ),
    },
    ...waits.map(([status, name]) => ({
      id: status,
      number: formats.number(registrations[status]),
      quiet: registrations[status] === 0,
      name: (
        <Link to="/$org/events/$event/people/registrations" params={base} search={{ status }}>
          {t(name, { count: registrations[status] })}
        </Link>
      ),
    })),
  ];
}

/** What was paid and what is still due, in each currency in which somebody has to pay. */
function useMoney({ money }: EventSummary): Figure[] {
  const t = useWords('events');
  const formats = useFormats();
  const { base } = useEvent();
  return money.flatMap(({ currency, due_minor, paid_minor }) => [
    {
      id: `${currency} paid`,
      number: formats.money(paid_minor, currency),
      quiet: paid_minor === 0,
      name: (
        <Link to="/$org/events/$event/money" params={base}>
          {t('paid')}
        </Link>
      ),
    },
    {
      id: `${currency} due`,
      number: formats.money(due_minor, currency),
      quiet: due_minor === 0,
      name: (
        <Link to="/$org/events/$event/people/registrations" params={base} search={{ balance: 'due' }}>
          {t('due')}
        </Link>
      ),
    },
  ]);
}

/** While it runs: who is inside now, and who has come on the days that are open. */
function useDoor(): Figure[] {
  const t = useWords('events');
  const formats = useFormats();
  const { event, days, base } = useEvent();
  const now = Date.now();
  const open = days.filter(({ opens_at, closes_at }) => Date.parse(opens_at) <= now && now < Date.parse(closes_at));
  const running = (event.status === 'published' || event.status === 'closed') && open.length > 0;
  const { data } = useCall('reportAttendance', base, { enabled: running, every: RUNNING_REFRESH_MS });
  if (!running || data === undefined) return [];
  const shown = data.days.filter(({ day }) => open.some(({ code }) => code === day));
  const sum = (count: 'inside' | 'came' | 'expected') => shown.reduce((total, day) => total + day[count], 0);
  return [
    {
      id: 'inside',
      number: formats.number(sum('inside')),
      name: (
        <Link to="/$org/events/$event/check-in/live" params={base}>
          {t('inside')}
        </Link>
      ),
    },
    {
      id: 'came',
      number: formats.number(sum('came')),
      name: (
        <Link to="/$org/events/$event/check-in/attendance" params={base}>
          {t('came', { expected: sum('expected') })}
        </Link>
      ),
    },
  ];
}
