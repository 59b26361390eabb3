import type { Job } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { type JobRow, jobShape } from '../../road/for-areas/start-job.ts';
import type { Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';
import { aJob } from './queries.ts';

/**
 * Ends the job at once. Its runner notices at its next commit, which fails (work/jobs.ts). The file that the job was reading
 * counts as stored until a sweep has deleted it.
 */
export async function cancelJob(work: Work, found: JobRow): Promise<Job> {
  const { tx, org } = work;
  if (work.mode === 'test' && !found.test) refuse('test_key_live_object');
  const now = tx.clock.now();
  const cancelled = await tx.run(sql`
    update jobs set status = 'cancelled', input = null, state = null, runner = null, lease_until = null,
      finished_at = ${now}, updated_at = ${now}
    where org_id = ${org} and id = ${found.id} and status in ('queued', 'running')`);
  if (cancelled === 0) refuse('invalid_state', { message: 'The job has already finished, so it cannot be cancelled.' });
  work.changed({
    kind: 'job',
    id: found.id,
    event: found.event_id,
    group: found.group_id,
    changes: { status: [found.status, 'cancelled'] },
    details: { kind: found.kind },
  });
  return jobShape((await aJob.find(work, toUlid(found.id), {}))!, work, now);
}
