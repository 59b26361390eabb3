import type { Mode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { SANDBOX_LIMITS, sandboxUsage } from '../write/sandbox-room.ts';

const MB = 1024 * 1024;

/** The most jobs and bytes of files that an organization may have at one time. Test keys have separate limits, and the sandbox has its own (sandbox-room.ts). */
export const JOB_LIMITS: Record<Mode, { jobs: number; bytes: number }> = {
  live: { jobs: 20, bytes: 1024 * MB },
  test: { jobs: 5, bytes: 100 * MB },
};

export interface JobRoom {
  /** Jobs that wait or run. */
  jobs: number;
  /** The size of uploads that wait for their jobs and of files that can be downloaded. */
  bytes: number;
}

/** How much is taken at the moment, not counting the job `except`. */
export async function takenRoom(tx: Tx, org: Id, mode: Mode, except: Id | null = null): Promise<JobRoom> {
  const ours = sql`org_id = ${org} and test = ${mode === 'test'} and id is distinct from ${except}`;
  const [{ jobs }, { bytes }] = await Promise.all([
    tx.one<{ jobs: number }>(sql`
      select count(*)::int as jobs from jobs where ${ours} and status in ('queued', 'running')`),
    tx.one<{ bytes: number }>(sql`
      select coalesce(sum(coalesce((source->>'size')::bigint, 0) + coalesce((files->'result'->>'size')::bigint, 0)
        + coalesce((files->'rejects'->>'size')::bigint, 0)), 0)::bigint as bytes
      from jobs where ${ours} and (source is not null or files <> '{}')`),
  ]);
  return { jobs, bytes: Number(bytes) };
}

/**
 * Refuses a call that would go beyond the limits. The organization's lock is held until the commit, and the count is made by a
 * statement after the lock. So however many calls ask at once, no more get in than there is room for.
 */
export async function requireJobRoom(
  tx: Tx,
  org: Id,
  mode: Mode,
  adds: JobRoom,
  except: Id | null = null,
): Promise<void> {
  const limit = (await sandboxUsage(tx, org)) === null ? JOB_LIMITS[mode] : SANDBOX_LIMITS.jobs;
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`jobs ${org}`}, 0))`);
  const taken = await takenRoom(tx, org, mode, except);
  if (adds.jobs > 0 && taken.jobs + adds.jobs > limit.jobs) {
    refuse('too_many_jobs', {
      message: `This organization has ${taken.jobs} ${taken.jobs === 1 ? 'job' : 'jobs'} that wait or run, and ${limit.jobs} is the most. Wait until one is done, or cancel one.`,
    });
  }
  if (adds.bytes > 0 && taken.bytes + adds.bytes > limit.bytes) {
    refuse('storage_full', {
      message: `The files of this organization’s jobs would take up more than ${limit.bytes / MB} MB. Try again later: a file is deleted a day after it was made, when its link stops working.`,
    });
  }
}
