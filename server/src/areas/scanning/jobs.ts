import { cron } from '../../road/job.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';

export const crons = [
  cron({
    name: 'sweep-pairing-codes',
    pattern: '*/10 * * * *',
    // With a code goes the answer that was kept for its retries. What became of it stands in the audit log.
    run: async ({ pool, clock }) => {
      await transaction(pool, clock, { role: 'system' }, (tx) =>
        tx.run(sql`delete from pairing_codes where expires_at <= ${clock.now()}`),
      );
    },
  }),
];
