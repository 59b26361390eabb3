import { useQuery } from '@tanstack/react-query';
import { type Job, Problem } from '@turnout/client';
import { queryOf } from '../frame/api.ts';
import { readCsv, type Sheet } from './csv.ts';

export const isOver = (job: Pick<Job, 'status'> | undefined): boolean =>
  job !== undefined && job.status !== 'queued' && job.status !== 'running';

/** The first answers come fast, for jobs that are over in a moment; later ones every two seconds. */
const waitAfter = (polls: number): number => Math.min(2000, 250 * 1.4 ** polls);

/** A job and how far it is, asked for until it is over. A lost connection or a busy server only pauses it. */
export const useJob = (org: string, job: string, enabled = true) =>
  useQuery({
    ...queryOf('getJob', { org, job }),
    enabled,
    refetchInterval: ({ state }) => {
      if (isOver(state.data)) return false;
      const { error } = state;
      if (error === null) return waitAfter(state.dataUpdateCount);
      return error instanceof Problem && error.passing ? Math.max(2000, (error.retryAfter ?? 0) * 1000) : false;
    },
    refetchIntervalInBackground: true,
  });

/** Files of jobs have links that need no key. They are fetched from the server that the page came from, which is what the policy allows. */
export const fileAddress = (url: string): string => {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
};

/** The rows that did not work, as the file has them: the last column says why. */
export const useRejects = (job: Job | undefined) =>
  useQuery({
    queryKey: ['rejects', job?.id],
    enabled: typeof job?.rejects_url === 'string',
    staleTime: Number.POSITIVE_INFINITY,
    retry: 3,
    queryFn: async ({ signal }): Promise<Sheet> => {
      const answer = await fetch(fileAddress(job!.rejects_url!), { signal });
      if (!answer.ok) throw new Error(`The file of rejects could not be loaded (${answer.status}).`);
      return readCsv(await answer.text());
    },
  });
