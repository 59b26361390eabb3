import type { AttendeeType, Event, EventSummary } from '@turnout/client';
import { isPaid } from '@turnout/contract/prices';

export type FigureId = 'confirmed' | 'money' | 'toApprove' | 'waitlist';

/**
 * Which figures an event has: those that its rules can fill, known before anything is counted, so that nothing moves when the counts
 * arrive; and whatever else is counted nevertheless, because the rules were others before.
 */
export function figuresOf(
  { registration }: Pick<Event, 'registration'>,
  types: readonly Pick<AttendeeType, 'price_minor' | 'prices' | 'approval'>[],
  summary: Pick<EventSummary, 'registrations' | 'money'> | undefined,
): FigureId[] {
  const hasMoney =
    types.some(isPaid) ||
    summary?.money.some(({ paid_minor, due_minor }) => paid_minor !== 0 || due_minor !== 0) === true;
  const approves =
    registration.approval ||
    types.some(({ approval }) => approval) ||
    (summary?.registrations.pending_approval ?? 0) > 0;
  const waits = registration.waitlist || (summary?.registrations.waitlisted ?? 0) > 0;
  return [
    'confirmed',
    ...(hasMoney ? (['money'] as const) : []),
    ...(approves ? (['toApprove'] as const) : []),
    ...(waits ? (['waitlist'] as const) : []),
  ];
}

/** How many were added in the interval that runs now; 0 if the report ends before. */
export function addedNow(
  intervals: readonly { starts_at: string; ends_at: string; people: { registered: number } }[],
  now: number,
): number {
  const last = intervals.at(-1);
  if (last === undefined || Date.parse(last.starts_at) > now || Date.parse(last.ends_at) <= now) return 0;
  return last.people.registered;
}
