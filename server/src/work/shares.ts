import type { Id } from '../common/ids.ts';
import { formatOf, type Job, type JobParts } from '../road/for-areas/job.ts';
import { type Sql, sql } from '../store/sql.ts';
import { jobTransaction } from '../store/tx.ts';

/** How long a job runs before it looks whether others wait for a slot, in milliseconds. */
export const SLICE = 2000;
/**
 * A job counts as waiting once it has been due for this long, in milliseconds. A process with a free slot looks for jobs once a
 * second, so a job that has waited longer has found none.
 */
const PATIENCE = 1000;
/** How many jobs that cannot be interrupted may have another one run beside them. More would be too much work at once. */
export const MAX_SIDE_JOBS = 2;

/**
 * Whether this version of the app can run the job `j`. While one version takes the place of another, both run: a job whose format only the
 * later one knows waits for a process of that version.
 */
export const isKnown = (kinds: readonly Job[]): Sql => sql`exists (
  select from unnest(${kinds.map(({ kind }) => kind)}::text[], ${kinds.map(formatOf)}::int[]) as known(kind, format)
  where known.kind = j.kind and known.format >= j.format)`;

/** Whether a job waits whose organization has fewer jobs running than this one. */
export const othersWait = (
  { pool, clock }: Pick<JobParts, 'pool' | 'clock'>,
  kinds: readonly Job[],
  org: Id,
): Promise<boolean> =>
  jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
    const since = new Date(clock.now().getTime() - PATIENCE);
    const waiting = await tx.maybe(sql`
      with running as materialized (
        select org_id, count(*) as jobs from jobs where status = 'running' group by org_id)
      select from jobs j left join running r on r.org_id = j.org_id
      where j.status = 'queued' and j.due_at <= ${since} and ${isKnown(kinds)} and j.org_id <> ${org}
        and coalesce(r.jobs, 0) < (select jobs from running where org_id = ${org})
      limit 1`);
    return waiting !== null;
  });
