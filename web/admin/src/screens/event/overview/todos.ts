import type { Event, EventSummary } from '@turnout/client';
import type { Organization } from '../../../frame/organization.tsx';

export type TodoId = 'approve' | 'unpaid' | 'waitlist' | 'points';

/**
 * What there is to do at an event, for this member. Null: the member may do none of it. Nobody is approved any more in the archive; who
 * waits has to wait until there is a place.
 */
export function todosOf({
  event: { status },
  points,
  summary: { registrations },
  left,
  may,
}: {
  event: Pick<Event, 'status'>;
  points: readonly unknown[];
  summary: Pick<EventSummary, 'registrations'>;
  /** How many places are free; null: without limit. */
  left: number | null | undefined;
  may: Organization['may'];
}): { id: TodoId; count: number }[] | null {
  const [decides, collects, arranges] = [may('people.write'), may('money.record'), may('events.write')];
  if (!decides && !collects && !arranges) return null;
  if (status === 'archived') return [];
  const places = left === null ? registrations.waitlisted : Math.min(left ?? 0, registrations.waitlisted);
  const todos: { id: TodoId; count: number }[] = [
    { id: 'approve', count: decides ? registrations.pending_approval : 0 },
    { id: 'unpaid', count: collects ? registrations.pending_payment : 0 },
    { id: 'waitlist', count: decides ? places : 0 },
    { id: 'points', count: arranges && status !== 'draft' && points.length === 0 ? 1 : 0 },
  ];
  return todos.filter(({ count }) => count > 0);
}
