import { Link } from '@tanstack/react-router';
import type { EventSummary } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { addedNow, figuresOf } from './figure-list.ts';
import { useRegistrationsReport } from './trend.tsx';

const RUNNING_REFRESH_MS = 30_000;

interface Figure {
  id: string;
  /** Null: not counted yet. Its room is kept. */
  number: string | null;
  name: ReactNode;
  note?: string | null;
  /** Nothing to see here now. */
  isQuiet?: boolean;
}

/** The numbers that somebody looks for first. Each leads to the list behind it. */
export function Figures({ summary }: { summary: EventSummary | undefined }) {
  const t = useWords('overview');
  const { event, types } = useEvent();
  const shown = figuresOf(event, types, summary);
  const figures = {
    confirmed: [useConfirmed(summary)],
    money: useMoney(summary),
    toApprove: [useWaiting(summary, 'pending_approval', 'toApprove')],
    waitlist: [useWaiting(summary, 'waitlisted', 'waitlist')],
  };
  const atDoor = useAtDoor();
  return (
    <ul className="figure-cards" aria-label={t('figures')} aria-busy={summary === undefined || undefined}>
      {[...atDoor, ...shown.flatMap((id) => figures[id])].map(({ id, number, name, note, isQuiet }) => (
        <li key={id} data-quiet={isQuiet || undefined}>
          <span className="figure-number">
            {number ?? <span className="figure-waiting" aria-hidden="true" />}
            {note && <span className="figure-note">{note}</span>}
          </span>
          <span className="figure-name">{name}</span>
        </li>
      ))}
    </ul>
  );
}

function useConfirmed(summary: EventSummary | undefined): Figure {
  const t = useWords('overview');
  const formats = useFormats();
  const { event, base } = useEvent();
  const report = useRegistrationsReport();
  const today = addedNow(report.data?.intervals ?? [], Date.now());
  const count = summary?.people.confirmed;
  return {
    id: 'confirmed',
    number: count === undefined ? null : formats.number(count),
    note: today > 0 ? t('today', { count: today }) : null,
    name: (
      <Link to="/$org/events/$event/people" params={base} search={{ status: 'confirmed' }}>
        {event.capacity === null ? t('confirmed', { count: count ?? 0 }) : t('confirmedOf', { count: event.capacity })}
      </Link>
    ),
  };
}

/** What was paid and what is still due, in each currency in which somebody has to pay. */
function useMoney(summary: EventSummary | undefined): Figure[] {
  const t = useWords('overview');
  const formats = useFormats();
  const { event, base } = useEvent();
  const sums = summary?.money ?? [{ currency: event.currency, due_minor: null, paid_minor: null }];
  const unpaid = summary?.registrations.pending_payment ?? 0;
  const money = (minor: number | null, currency: string) => (minor === null ? null : formats.money(minor, currency));
  return sums.flatMap(({ currency, due_minor, paid_minor }) => [
    {
      id: `${currency} paid`,
      number: money(paid_minor, currency),
      isQuiet: paid_minor === 0,
      name: (
        <Link to="/$org/events/$event/money" params={base}>
          {t('paid')}
        </Link>
      ),
    },
    {
      id: `${currency} due`,
      number: money(due_minor, currency),
      isQuiet: due_minor === 0,
      name: (
        <Link to="/$org/events/$event/people/registrations" params={base} search={{ balance: 'due' }}>
          {unpaid > 0 && sums.length === 1 ? t('dueBy', { count: unpaid }) : t('due')}
        </Link>
      ),
    },
  ]);
}

/** Registrations that wait for a decision or for a place. */
function useWaiting(
  summary: EventSummary | undefined,
  status: 'pending_approval' | 'waitlisted',
  name: 'toApprove' | 'waitlist',
): Figure {
  const t = useWords('overview');
  const formats = useFormats();
  const { base } = useEvent();
  const count = summary?.registrations[status];
  return {
    id: status,
    number: count === undefined ? null : formats.number(count),
    isQuiet: count === 0,
    name: (
      <Link to="/$org/events/$event/people/registrations" params={base} search={{ status }}>
        {t(name)}
      </Link>
    ),
  };
}

/** While it runs: who is inside now, and who has arrived on the days that are open. */
function useAtDoor(): Figure[] {
  const t = useWords('overview');
  const formats = useFormats();
  const { event, days, base } = useEvent();
  const now = Date.now();
  const open = days.filter(({ opens_at, closes_at }) => Date.parse(opens_at) <= now && now < Date.parse(closes_at));
  const isRunning = (event.status === 'published' || event.status === 'closed') && open.length > 0;
  const { data } = useCall('reportAttendance', base, { enabled: isRunning, every: RUNNING_REFRESH_MS });
  if (!isRunning) return [];
  const shown = data?.days.filter(({ day }) => open.some(({ code }) => code === day));
  const sum = (count: 'inside' | 'came' | 'expected') => shown?.reduce((total, day) => total + day[count], 0) ?? 0;
  const number = (count: 'inside' | 'came') => (data === undefined ? null : formats.number(sum(count)));
  return [
    {
      id: 'inside',
      number: number('inside'),
      name: (
        <Link to="/$org/events/$event/check-in/live" params={base}>
          {t('inside')}
        </Link>
      ),
    },
    {
      id: 'came',
      number: number('came'),
      name: (
        <Link to="/$org/events/$event/check-in/attendance" params={base}>
          {t('came', { expected: sum('expected') })}
        </Link>
      ),
    },
  ];
}
