import { useQuery } from '@tanstack/react-query';
import type { Contact, Event } from '@turnout/client';
import { useEffect, useState } from 'react';
import { call } from '../api.ts';
import { useOrganization } from '../organization.tsx';

const WAIT_MS = 150;
const MAX_RESULTS = 8;
/** Shorter texts find too many people to be of use. */
const MIN_LETTERS = 2;

/**
 * Events and people whom the server finds by what was typed, a moment after the last key. An answer that is overtaken by another one
 * is dropped; until the next one comes, what was found before stays.
 */
export function useSearched(typed: string): {
  /** What is searched for now; empty if too little was typed. */
  search: string;
  events: Event[];
  contacts: Contact[];
  asking: boolean;
} {
  const { org, may } = useOrganization();
  const search = useSettled(typed.trim(), WAIT_MS);
  const enough = search.length >= MIN_LETTERS;
  const common = { staleTime: 10_000, placeholderData: <T>(before: T) => before };
  const events = useQuery({
    ...common,
    queryKey: ['listEvents', { org, search }, 'palette'],
    enabled: enough && may('events.read'),
    queryFn: async ({ signal }) =>
      (await call('listEvents', { org, query: { search, order: 'newest', limit: MAX_RESULTS } }, { signal })).data,
  });
  const contacts = useQuery({
    ...common,
    queryKey: ['listContacts', { org, search }, 'palette'],
    enabled: enough && may('people.read'),
    queryFn: async ({ signal }) =>
      (await call('listContacts', { org, query: { search, limit: MAX_RESULTS } }, { signal })).data,
  });
  const asking = typed.trim() !== search || events.isFetching || contacts.isFetching;
  return enough
    ? { search, events: events.data ?? [], contacts: contacts.data ?? [], asking }
    : { search: '', events: [], contacts: [], asking };
}

/** A value once it has not changed for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
