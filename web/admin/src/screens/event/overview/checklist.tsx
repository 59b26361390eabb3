import { Link } from '@tanstack/react-router';
import { isPaid } from '@turnout/contract/prices';
import { AlertIcon, Button, CheckIcon, Notice, ProblemNotice, Section, toast, useFormats, useWords } from '@turnout/ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';
import { dayValues, isUsual } from '../tickets/day-values.ts';

type Part = 'days' | 'types' | 'payment' | 'points' | 'dates' | 'picture' | 'questions' | 'capacity' | 'terms';
interface Item {
  part: Part;
  /** Without it, the event cannot be published. */
  isNeeded?: boolean;
  /** What there is, in words; null: nothing yet. */
  summary: ReactNode | null;
}

/** What is open has an empty circle. */
const ICONS = { there: CheckIcon, missing: AlertIcon, open: null } as const;

/** What an event needs before it can be published, what it should have, and where each is added. The next step is the one strong button. */
export function Checklist() {
  const t = useWords('overview');
  const { may } = useOrganization();
  const items = useItems();
  const publish = usePublish();
  const missing = items.filter(({ isNeeded, summary }) => isNeeded && summary === null);
  const [tried, setTried] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  // Whoever wanted to publish is led to the first thing that is missing.
  useEffect(() => {
    if (tried) list.current?.querySelector<HTMLElement>('[data-state="missing"] a')?.focus();
  }, [tried]);
  const isReady = missing.length === 0;
  return (
    <Section
      title={t('checklist')}
      lead={isReady ? t('checklistReady') : t('checklistLeft', { count: missing.length })}
    >
      <ul className="checklist" ref={list}>
        {items.map((item) => (
          <ChecklistItem key={item.part} item={item} isNext={item === missing[0]} />
        ))}
      </ul>
      {tried && !isReady && (
        <Notice tone="bad" title={t('notYet')}>
          <ul className="events-points">
            {missing.map(({ part }) => (
              <li key={part}>{t(`missing.${part as 'days' | 'types'}`)}</li>
            ))}
          </ul>
        </Notice>
      )}
      <ProblemNotice problem={publish.problem} />
      {may('events.write') ? (
        <div className="row">
          <Button
            kind={isReady ? 'main' : 'usual'}
            busy={publish.busy}
            onClick={() => {
              setTried(false);
              // The list is drawn without the notice first, so that it is read out again.
              if (!isReady) queueMicrotask(() => setTried(true));
              else void publish.run();
            }}
          >
            {t('publish')}
          </Button>
          <Opening />
        </div>
      ) : (
        <p className="soft">{t('publishMayNot')}</p>
      )}
    </Section>
  );
}

/** Publishes the event. `done`: what else is to be done then. */
export function usePublish(done?: () => void) {
  const t = useWords('events');
  const { base } = useEvent();
  const refresh = useRefresh();
  return useAction(async ({ key }: { key: string }) => {
    await call('publishEvent', base, { key });
    toast(t('published'), 'good');
    done?.();
    await refresh('getEvent', 'listEvents', 'getOverview');
  });
}

/** From when on people can register, once it is published. */
export function Opening() {
  const t = useWords('events');
  const formats = useFormats();
  const { event, timezone } = useEvent();
  const { opens_at, closes_at } = event.registration;
  const now = Date.now();
  const text =
    closes_at !== null && Date.parse(closes_at) < now
      ? t('opensNever', { when: formats.dateTime(closes_at, timezone) })
      : opens_at !== null && Date.parse(opens_at) > now
        ? t('opensLater', { when: formats.dateTime(opens_at, timezone) })
        : t('opensNow');
  return <span className="soft small">{text}</span>;
}

function ChecklistItem({ item: { part, isNeeded, summary }, isNext }: { item: Item; isNext: boolean }) {
  const t = useWords('overview');
  const { may } = useOrganization();
  const state = summary !== null ? 'there' : isNeeded ? 'missing' : 'open';
  const StateIcon = ICONS[state];
  return (
    <li data-state={state}>
      <span className="checklist-sign" aria-hidden="true">
        {StateIcon !== null && <StateIcon />}
      </span>
      <span className="checklist-what">
        <strong>
          {t(`part.${part}`)}
          <span className="hidden">: {t(`check.${state}`)}</span>
        </strong>
        <span className="soft small">{summary ?? t(`why.${part}`)}</span>
      </span>
      {may('events.write') && (
        <ChecklistLink part={part} isNext={isNext}>
          {summary === null ? (
            t(`add.${part}`)
          ) : (
            <>
              {t('change')} <span className="hidden">{t(`part.${part}`)}</span>
            </>
          )}
        </ChecklistLink>
      )}
    </li>
  );
}

function ChecklistLink({ part, isNext, children }: { part: Part; isNext: boolean; children: ReactNode }) {
  const { base } = useEvent();
  const look = isNext ? { className: 'button', 'data-kind': 'main' } : { className: 'small' };
  const common = { params: base, children, ...look };
  if (part === 'days') return <Link to="/$org/events/$event/tickets/days" {...common} />;
  if (part === 'types') return <Link to="/$org/events/$event/tickets" {...common} />;
  if (part === 'questions') return <Link to="/$org/events/$event/page/questions" {...common} />;
  if (part === 'points') return <Link to="/$org/events/$event/check-in/points" {...common} />;
  if (part === 'picture') return <Link to="/$org/events/$event/page" {...common} />;
  const settingsPart =
    part === 'dates' ? 'event' : part === 'payment' ? 'payment' : part === 'capacity' ? 'registration' : 'tickets';
  return <Link to="/$org/events/$event/settings" search={{ part: settingsPart }} {...common} />;
}

/** The hours of the days, if they all have the same. */
function useHours(): string | null {
  const t = useWords('overview');
  const formats = useFormats();
  const { days, timezone } = useEvent();
  const hours = days.map((day) => {
    const { opens, closes } = dayValues(day, timezone);
    return !isUsual(day, timezone) || (opens === '' && closes === '')
      ? null
      : t('hours', { opens: formats.time(day.opens_at, timezone), closes: formats.time(day.closes_at, timezone) });
  });
  const [first = null, ...others] = new Set(hours);
  return others.length > 0 ? null : first;
}

const MAX_NAMED = 5;

function useItems(): Item[] {
  const t = useWords('overview');
  const formats = useFormats();
  const { event, days, types, points, questions, timezone, money } = useEvent();
  const { online_payments } = useOrganization();
  const asksHowToPay = types.some(isPaid) && !online_payments;
  const price = (minor: number): string => (minor === 0 ? t('free') : money(minor));
  const named = (names: readonly string[]) =>
    names.length === 0 ? null : formats.list(names.slice(0, MAX_NAMED)) + (names.length > MAX_NAMED ? ' …' : '');
  const from = event.starts_at ?? event.ends_at;
  const when = from === null ? null : formats.span(from, event.ends_at ?? from, timezone);
  const hours = useHours();
  const dates = () => formats.range(days[0]!.date, days.at(-1)!.date, 'UTC');
  return [
    {
      part: 'days',
      isNeeded: true,
      summary: days.length === 0 ? null : `${t('countDays', { count: days.length })}: ${dates()}`,
    },
    {
      part: 'types',
      isNeeded: true,
      summary: named(types.map(({ name, current_price_minor }) => `${name} (${price(current_price_minor)})`)),
    },
    ...(asksHowToPay
      ? [{ part: 'payment' as const, summary: event.payment_instructions === null ? null : t('instructionsThere') }]
      : []),
    {
      part: 'dates',
      summary: when === null || event.venue === null ? null : [when, hours, event.venue].filter(Boolean).join(', '),
    },
    { part: 'picture', summary: event.image === null ? null : t('pictureThere') },
    { part: 'points', summary: named(points.map(({ name }) => name)) },
    { part: 'questions', summary: questions.length === 0 ? null : t('countQuestions', { count: questions.length }) },
    { part: 'capacity', summary: event.capacity === null ? null : t('placesAll', { count: event.capacity }) },
    { part: 'terms', summary: event.terms === null ? null : t('termsThere') },
  ];
}
