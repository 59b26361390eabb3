import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';

const REFRESH_MS = 3000;

/** The paired scanners, kept up to date. Those that were unpaired are not listed. */
export function useDevices() {
  const { base } = useEvent();
  return useQuery({
    ...queryOf('listDevices', base),
    refetchInterval: REFRESH_MS,
    select: ({ data }) => data.filter(({ revoked_at }) => revoked_at === null),
  });
}
