import { DAY } from '../../clock.ts';
import { cron } from '../../road/for-areas/job.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction } from '../../store/tx.ts';

/** How long an invitation is kept that was accepted, withdrawn or forgotten. The audit log keeps what happened. */
const KEPT = 30 * DAY;

export const crons = [
  cron({
    name: 'sweep-invitations',
    pattern: '23 3 * * *',
    run: async ({ pool, clock, log }) => {
      const before = new Date(clock.now().getTime() - KEPT);
      const swept = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
        tx.run(sql`delete from invitations where expires_at <= ${before}`),
      );
      if (swept > 0) log.info({ job: 'sweep-invitations', swept });
    },
  }),
];
