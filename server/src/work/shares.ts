import type { Id } from '../common/ids.ts';
import { formatOf, type Job, type JobParts } from '../road/for-areas/job.ts';
import { type Sql, sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';

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

/** How many organizations a runner looks at when it claims a job or asks who waits. */
const IN_LINE = 200;
const BEGINNING = '00000000-0000-0000-0000-000000000000' as Id;

/** The organizations with queued jobs: one step of the index for each, to the job that is due first. */
const walk = (after: Id): Sql => sql`walk as (
  (select org_id, due_at from jobs where status = 'queued' and org_id > ${after} order by org_id, due_at, id limit 1)
  union all
  select n.* from walk w cross join lateral (
    select q.org_id, q.due_at from jobs q where q.status = 'queued' and q.org_id > w.org_id order by q.org_id, q.due_at, q.id limit 1) n)`;

/**
 * The organizations that have a due job, in the order of their turns: those behind `after`, and then from the beginning again. If very many
 * have jobs, only the next ones; `next` is the last of those that were looked at.
 */
export async function inLine(
  tx: Tx,
  now: Date,
  after: Id | null,
  most = IN_LINE,
): Promise<{ orgs: Id[]; next: Id | null }> {
  noFullScans(tx);
  const look = (from: Id) =>
    tx.one<{ orgs: Id[]; looked: number; last: Id | null }>(sql`
      with recursive ${walk(from)}, looked as materialized (select * from walk limit ${most})
      select array(select org_id from looked where due_at <= ${now}) as orgs, count(*)::int as looked,
        (array_agg(org_id order by org_id desc))[1] as last from looked`);
  const ahead = await look(after ?? BEGINNING);
  if (ahead.looked === most) return { orgs: ahead.orgs, next: ahead.last };
  if (after === null) return { orgs: ahead.orgs, next: null };
  const rest = await look(BEGINNING);
  return { orgs: [...new Set([...ahead.orgs, ...rest.orgs])], next: rest.looked === most ? rest.last : null };
}

/** Most jobs are over. A plan that was made while few waited reads all of them for each organization. */
const noFullScans = (tx: Tx): void =>
  tx.send(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`);

/** Whether a job waits whose organization has fewer jobs running than this one. */
export const othersWait = (
  { pool, clock }: Pick<JobParts, 'pool' | 'clock'>,
  kinds: readonly Job[],
  org: Id,
): Promise<boolean> =>
  jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
    const since = new Date(clock.now().getTime() - PATIENCE);
    noFullScans(tx);
    const waiting = await tx.maybe(sql`
      with recursive running as materialized (
        select org_id, count(*) as jobs from jobs where status = 'running' group by org_id), ${walk(BEGINNING)}
      select from (select org_id, due_at from walk limit ${IN_LINE}) w left join running r on r.org_id = w.org_id
      where w.org_id <> ${org} and w.due_at <= ${since}
        and coalesce(r.jobs, 0) < (select jobs from running where org_id = ${org})
        and exists (select from jobs j where j.status = 'queued' and j.org_id = w.org_id and j.due_at <= ${since} and ${isKnown(kinds)})
      limit 1`);
    return waiting !== null;
  });
