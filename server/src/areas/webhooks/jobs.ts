import { type Clock, MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { cron } from '../../road/for-areas/job.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction } from '../../store/tx.ts';
import { pauseLongFailing } from './health.ts';
import { replayAll } from './replay-all.ts';

export const jobs = [replayAll];

const BATCH = 5000;

/**
 * Removes the history of deleted endpoints in batches, and then the endpoints themselves. It waits a minute after the deletion,
 * because a fan-out that began earlier may still be writing deliveries.
 */
export async function removeDeleted(pool: Pool, clock: Clock): Promise<number> {
  const system = { role: 'system' } as const;
  const before = new Date(clock.now().getTime() - MINUTE);
  const gone = await jobTransaction(pool, clock, system, (tx) =>
    tx.all<{ org_id: Id; id: Id }>(
      sql`select org_id, id from webhook_endpoints where deleted_at <= ${before} limit 100`,
    ),
  );
  for (const { org_id, id } of gone) {
    for (;;) {
      const removed = await jobTransaction(pool, clock, system, async (tx) => {
        await tx.run(sql`
          delete from webhook_queue where ctid = any(array(
            select ctid from webhook_queue where org_id = ${org_id} and endpoint_id = ${id} limit ${BATCH}))`);
        const ids = await tx.all<{ id: Id }>(sql`
          delete from webhook_deliveries where org_id = ${org_id} and id in (
            select id from webhook_deliveries where org_id = ${org_id} and endpoint_id = ${id} limit ${BATCH}) returning id`);
        await tx.run(sql`
          delete from webhook_attempts where org_id = ${org_id} and endpoint_id = ${id} and succeeded in (true, false)
            and delivery_id = any(${ids.map((row) => row.id)})`);
        return ids.length;
      });
      if (removed < BATCH) break;
    }
    await jobTransaction(pool, clock, system, async (tx) => {
      await tx.run(sql`delete from webhook_queue where org_id = ${org_id} and endpoint_id = ${id}`);
      await tx.run(sql`delete from webhook_endpoints where org_id = ${org_id} and id = ${id}`);
    });
  }
  return gone.length;
}

export const crons = [
  cron({
    name: 'pause-failing-webhooks',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const paused = await jobTransaction(pool, clock, { role: 'system' }, pauseLongFailing);
      if (paused > 0) log.info({ job: 'pause-failing-webhooks', paused });
    },
  }),
  cron({
    name: 'remove-deleted-webhooks',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const removed = await removeDeleted(pool, clock);
      if (removed > 0) log.info({ job: 'remove-deleted-webhooks', removed });
    },
  }),
];
