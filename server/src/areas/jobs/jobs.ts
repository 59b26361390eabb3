import { cron } from '../../road/for-areas/job.ts';
import { forgetRemoved } from '../../road/read/removed.ts';
import { RETENTION } from '../../road/write/idempotency.ts';
import { statementLimits } from '../../store/kinds.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction } from '../../store/tx.ts';
import { deleteOldJobs, removeFiles, sweepExpired, sweepOrphans, sweepUploads } from './files.ts';

/** Housekeeping of the jobs' own files, and of tables that belong to no area. */
export const crons = [
  cron({
    name: 'sweep-idempotency',
    pattern: '*/10 * * * *',
    run: async ({ pool, clock, log }) => {
      const before = new Date(clock.now().getTime() - RETENTION);
      let swept = 0;
      for (;;) {
        // Small batches avoid a long transaction that holds locks.
        const gone = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
          tx.run(sql`
            delete from idempotency where (org_id, actor_id, key) in (
              select org_id, actor_id, key from idempotency where created_at <= ${before} limit 1000)`),
        );
        swept += gone;
        if (gone < 1000) break;
      }
      if (swept > 0) log.info({ job: 'sweep-idempotency', swept });
    },
  }),
  cron({
    name: 'forget-removed',
    pattern: '27 3 * * *',
    run: async ({ pool, clock, log }) => {
      let forgotten = 0;
      for (let some = 1000; some === 1000; forgotten += some) {
        some = await jobTransaction(pool, clock, { role: 'system' }, (tx) => forgetRemoved(tx, 1000));
      }
      if (forgotten > 0) log.info({ job: 'forget-removed', forgotten });
    },
  }),
  cron({
    name: 'sweep-files',
    pattern: '*/10 * * * *',
    run: async (parts) => {
      const swept = (await sweepExpired(parts)) + (await sweepUploads(parts));
      if (swept > 0) parts.log.info({ job: 'sweep-files', swept });
    },
  }),
  cron({
    name: 'remove-files',
    pattern: '* * * * *',
    run: async (parts) => {
      const removed = await removeFiles(parts);
      if (removed > 0) parts.log.info({ job: 'remove-files', removed });
    },
  }),
  cron({
    name: 'sweep-jobs',
    pattern: '47 3 * * *',
    run: async (parts) => {
      const [orphans, old] = [await sweepOrphans(parts), await deleteOldJobs(parts)];
      if (orphans + old > 0) parts.log.info({ job: 'sweep-jobs', orphans, old });
    },
  }),
  cron({
    name: 'keep-partitions',
    pattern: '17 3 * * *',
    run: async ({ pool, clock }) => {
      // Only the owner of the tables may do this, so it is not a transaction of a role, and sets the limit of jobs itself.
      const client = await pool.connect();
      try {
        await client.query(`begin; set local statement_timeout = ${statementLimits.job}`);
        await client.query('select keep_partitions($1)', [clock.now()]);
        await client.query('commit');
        client.release();
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
    },
  }),
];
