import { cron } from '../../road/for-areas/job.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction } from '../../store/tx.ts';

export const crons = [
  cron({
    name: 'sweep-pairing-codes',
    pattern: '*/10 * * * *',
    // The answer that was stored for retries is deleted with its code. The audit log still tells which device used the code.
    run: async ({ pool, clock }) => {
      await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
        tx.run(sql`delete from pairing_codes where expires_at <= ${clock.now()}`),
      );
    },
  }),
];
