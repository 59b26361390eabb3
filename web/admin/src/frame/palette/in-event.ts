import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Attendee, Registration } from '@turnout/client';
import { useAllWords, useFormats } from '@turnout/ui';
import { call } from '../api.ts';
import { sectionsFor } from '../event-sections.ts';
import { useOrganization } from '../organization.tsx';
import type { Item } from './item.ts';

const MAX_RESULTS = 8;
/** Addresses below `events` that are no event. */
const OTHERS: readonly string[] = ['new'];

/** The event in whose screens somebody is, as the address names it. */
export function useEventHere(): string | undefined {
  const { pathname } = useLocation();
  const code = /^\/[^/]+\/events\/([^/]+)/.exec(pathname)?.[1];
  return code === undefined || OTHERS.includes(code) ? undefined : decoded(code);
}

/** An address that is not encoded as addresses are names no event. */
function decoded(code: string): string | undefined {
  try {
    return decodeURIComponent(code);
  } catch {
    return undefined;
  }
}

/** People and registrations of the event that is open, also by the code of a registration or ticket. They come before all others. */
export function useFoundHere(search: string): { items: Item[]; asking: boolean } {
  const { org, may } = useOrganization();
  const event = useEventHere();
  const formats = useFormats();
  const navigate = useNavigate();
  const enabled = event !== undefined && search !== '' && may('people.read');
  const input = { org, event: event ?? '', query: { search, limit: MAX_RESULTS } };
  const common = { enabled, staleTime: 10_000, placeholderData: <T>(before: T) => before };
  const people = useQuery({
    ...common,
    queryKey: ['listAttendees', input, 'palette'],
    queryFn: async ({ signal }) => (await call('listAttendees', input, { signal })).data,
  });
  const registrations = useQuery({
    ...common,
    queryKey: ['listRegistrations', input, 'palette'],
    queryFn: async ({ signal }) => (await call('listRegistrations', input, { signal })).data,
  });
  if (!enabled) return { items: [], asking: false };
  const items = [
    ...(people.data ?? []).map((one) => ({
      ...aboutPerson(one),
      go: () => void navigate({ to: '/$org/events/$event/people/$attendee', params: { org, event, attendee: one.id } }),
    })),
    ...(registrations.data ?? []).map((one) => ({
      ...aboutRegistration(one, (names) => formats.list(names)),
      go: () =>
        void navigate({
          to: '/$org/events/$event/people/registrations/$registration',
          params: { org, event, registration: one.code },
        }),
    })),
  ];
  return { items, asking: people.isFetching || registrations.isFetching };
}

type About = Omit<Item, 'go'>;
const named = ({ first_name, last_name }: { first_name: string | null; last_name: string | null }): string =>
  [first_name, last_name].filter(Boolean).join(' ');

function aboutPerson(one: Attendee): About {
  const hint = one.email ?? one.phone ?? undefined;
  return { id: one.id, kind: 'attendee', text: named(one) || one.id, also: hint, hint, isFoundHere: true };
}

const FEW = 3;
function aboutRegistration(one: Registration, list: (names: string[]) => string): About {
  const names = one.attendees.slice(0, FEW).map(named);
  const hint = list(one.attendees.length > FEW ? [...names, '…'] : names);
  return { id: one.id, kind: 'registration', text: one.code, hint, isFoundHere: true };
}

/** The screens of the event that is open. */
export function useScreensHere(): Item[] {
  const words = useAllWords();
  const { org, may } = useOrganization();
  const event = useEventHere();
  const navigate = useNavigate();
  if (event === undefined) return [];
  const screens = sectionsFor(may).flatMap(({ screens }) => screens);
  return screens.flatMap(({ id, to }) => {
    const text = words.find('parts', `nav.${id}`);
    const go = () => void navigate({ to, params: { org, event } });
    return text === null ? [] : [{ id: `here-${id}`, kind: 'screen' as const, text, hint: event, go }];
  });
}
