import { useNavigate } from '@tanstack/react-router';
import type { Registration } from '@turnout/client';
import { useCall } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { registrationsQuery } from './query.ts';

/** Of the registrations that wait, in the order of their list, the one behind this one; at the end the first that is left. */
export function nextOf(waiting: readonly Pick<Registration, 'id'>[], id: string): string | null {
  const at = waiting.findIndex((one) => one.id === id);
  const next = waiting[at + 1] ?? waiting[0];
  return next === undefined || next.id === id ? null : next.id;
}

/**
 * Whoever approves goes through all that wait: after a decision the next one is shown, by the filters of the list that one came from.
 * Null while it is not known, or if nothing else waits.
 */
export function useNextWaiting(registration: Registration): (() => Promise<void>) | null {
  const { base } = useEvent();
  const { values } = useFilters();
  const navigate = useNavigate();
  const query = registrationsQuery({ ...values, status: 'pending_approval' });
  const waiting = useCall(
    'listRegistrations',
    { ...base, query },
    { enabled: registration.status === 'pending_approval' },
  );
  const next =
    registration.status !== 'pending_approval' || waiting.data === undefined
      ? null
      : nextOf(waiting.data.data, registration.id);
  if (next === null) return null;
  return () =>
    navigate({
      to: '/$org/events/$event/people/registrations/$registration',
      params: { ...base, registration: next },
      search: values as never,
    });
}
