import type { Mode } from '@turnout/contract';
import type { Id } from '../store/ids.ts';
import { sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';
import { refuse } from './refusal.ts';

const MB = 1024 * 1024;

/** What an organization may have at one time. Test keys have their own, so that they take nothing from live ones. */
export const JOB_LIMITS: Record<Mode, { jobs: number; bytes: number }> = {
  live: { jobs: 20, bytes: 1024 * MB },
  test: { jobs: 5, bytes: 100 * MB },
};

export interface JobRoom {
  /** That wait or run. */
  jobs: number;
  /** Of uploads that wait for their jobs and of files that can be downloaded. */
  bytes: number;
}

/** What is taken; `except`: without this job. */
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
 * Refuses what would be too much. Whoever asks holds the organization's lock until it has committed, and counts in a
 * statement behind the lock: however many ask at once, no more are let in than there is room for.
 */
export async function requireJobRoom(
  tx: Tx,
  org: Id,
  mode: Mode,
  adds: JobRoom,
  except: Id | null = null,
): Promise<void> {
  const limit = JOB_LIMITS[mode];
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`jobs ${org}`}, 0))`);
  const taken = await takenRoom(tx, org, mode, except);
  if (adds.jobs > 0 && taken.jobs + adds.jobs > limit.jobs) {
    refuse('too_many_jobs', {
      message: `${limit.jobs} jobs of this organization wait or run, the most there may be. Wait until one is done, or cancel one.`,
    });
  }
  if (adds.bytes > 0 && taken.bytes + adds.bytes > limit.bytes) {
    refuse('storage_full', {
      message: `The files of this organization’s jobs would take up more than ${limit.bytes / MB} MB. Files are deleted when their link stops working, after one day.`,
    });
  }
}
