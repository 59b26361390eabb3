import { Outlet, useParams } from '@tanstack/react-router';
import type { Event } from '@turnout/client';
import { compareInstants } from '@turnout/contract/instants';
import { Notice, QuietPages, Skeleton, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useAll } from './all.ts';
import { useCall } from './api.ts';
import { dayName, dayOptions } from './day-options.ts';
import { EventContext, type EventParts } from './event.tsx';
import './event.css';
import { EventNavigation, SectionTabs } from './event-navigation.tsx';
import { Failure } from './failures.tsx';
import { useOrganization } from './organization.tsx';

/** Somebody else may change the event while it is open here. */
const REFRESH_MS = 30_000;
/** Whether there are any is all that must be known. */
const ONE = { limit: 1 };

/** Around every screen of an event: its navigation, and what must be known before anything is done with it. */
export default function EventFrame() {
  const { org, event: code } = useParams({ strict: false }) as { org: string; event: string };
  const partsQuery = useParts(org, code);
  if (partsQuery.error !== null) return <Failure error={partsQuery.error} retry={partsQuery.retry} />;
  if (partsQuery.parts === null) return <Skeleton />;
  return (
    <EventContext value={partsQuery.parts}>
      <div className="event-frame">
        <EventNavigation />
        <SectionTabs />
        <Banner event={partsQuery.parts.event} />
        <QuietPages value={true}>
          <Outlet />
        </QuietPages>
      </div>
    </EventContext>
  );
}

function useParts(org: string, code: string): { parts: EventParts | null; error: Error | null; retry: () => void } {
  const formats = useFormats();
  const { may } = useOrganization();
  const base = useMemo(() => ({ org, event: code }), [org, code]);
  const event = useCall('getEvent', base, { every: REFRESH_MS });
  const days = useAll('listDays', base, { every: REFRESH_MS });
  const types = useAll('listAttendeeTypes', base, { every: REFRESH_MS });
  const points = useAll('listCheckInPoints', base, { every: REFRESH_MS });
  const questions = useAll('listQuestions', base, { every: REFRESH_MS });
  const products = useAll('listProducts', base, { every: REFRESH_MS });
  const limits = useAll('listQuotas', base, { every: REFRESH_MS });
  const seesCodes = may('people.read');
  const codes = useCall('listDiscounts', { ...base, query: ONE }, { enabled: seesCodes });
  const all = [event, days, types, points, questions, products, limits, codes];
  const parts = useMemo<EventParts | null>(() => {
    if (!event.data || !days.data || !types.data || !points.data || !questions.data) return null;
    if (!products.data || !limits.data || (seesCodes && !codes.data)) return null;
    const { currency, timezone } = event.data;
    const sortedDays = days.data.toSorted(
      (a, b) => a.date.localeCompare(b.date) || a.opens_at.localeCompare(b.opens_at),
    );
    return {
      event: event.data,
      days: sortedDays,
      types: asMade(types.data),
      points: points.data,
      questions: asMade(questions.data),
      products: asMade(products.data),
      limits: asMade(limits.data),
      hasCodes: (codes.data?.data.length ?? 0) > 0,
      timezone,
      money: (minor) => formats.money(minor, currency),
      dayName: nameIn(sortedDays.map((day) => ({ code: day.code, name: dayName(day, formats) }))),
      dayOptions: dayOptions(sortedDays, formats),
      typeName: nameIn(types.data),
      productName: nameIn(products.data),
      pointName: nameIn(points.data),
      base,
    };
  }, [
    event.data,
    days.data,
    types.data,
    points.data,
    questions.data,
    products.data,
    limits.data,
    codes.data,
    seesCodes,
    formats,
    base,
  ]);
  return {
    parts,
    // What was there before is shown on when asking again fails.
    error: parts === null ? (all.find((one) => one.error !== null)?.error ?? null) : null,
    retry: () => {
      for (const one of all) if (one.error !== null) void one.refetch();
    },
  };
}

/** The lists come by last change; a form must not change its order because somebody mends a word. Templates have this order too. */
const asMade = <T extends { id: string; created_at: string }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => compareInstants(a.created_at, b.created_at) || a.id.localeCompare(b.id));

function nameIn(list: readonly { code: string; name: string }[]): (code: string) => string {
  const names = new Map(list.map(({ code, name }) => [code, name]));
  return (code) => names.get(code) ?? code;
}

function Banner({ event: { status, test } }: { event: Event }) {
  const t = useWords('parts');
  if (status === 'archived') return <Notice>{t('bannerArchived')}</Notice>;
  if (test) return <Notice tone="warn">{t('bannerTest')}</Notice>;
  if (status === 'closed') return <Notice>{t('bannerClosed')}</Notice>;
  return null;
}
