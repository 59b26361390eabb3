import { useQuery } from '@tanstack/react-query';
import { useWords } from '@turnout/ui';
import { queryOf } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';

const KEPT_MS = 300_000;

/** Whom a check-in is about. Members who may not read people see only that it is somebody. */
export function usePersonName(attendee: string | null): string {
  const t = useWords('door');
  const { base } = useEvent();
  const { may } = useOrganization();
  const { data, error } = useQuery({
    ...queryOf('getAttendee', { ...base, attendee: attendee ?? '' }),
    enabled: attendee !== null && may('people.read'),
    staleTime: KEPT_MS,
  });
  if (attendee === null || !may('people.read') || error !== null) return t('somebody');
  return data === undefined ? '…' : `${data.first_name} ${data.last_name}`;
}

export const PersonName = ({ name }: { name: string | null }) => <bdi>{usePersonName(name)}</bdi>;
