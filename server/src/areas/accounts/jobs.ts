import { DAY, HOUR } from '../../clock.ts';
import { cron } from '../../road/for-areas/job.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { NO_ORGANIZATION } from './mails.ts';
import { UNUSED_MS } from './sessions.ts';

/** How long what was mailed to accounts stays in the queue's log, for an operator who looks into why a mail did not arrive. */
const MAILS_KEPT_MS = 7 * DAY;

/** Deletes what has expired: sessions, steps, links and tries, and the old mails to accounts. */
export async function acrossOrganizationsSweep(tx: Tx): Promise<Record<string, number>> {
  const now = tx.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  return {
    sessions: await tx.run(
      sql`delete from account_sessions where expires_at <= ${now} or last_used_at <= ${before(UNUSED_MS)}`,
    ),
    steps: await tx.run(sql`delete from sign_in_steps where expires_at <= ${now}`),
    links: await tx.run(sql`delete from account_links where expires_at <= ${now}`),
    tries: await tx.run(
      sql`delete from sign_in_tries where last_at <= ${before(HOUR)} and first_at <= ${before(HOUR)}`,
    ),
    mails: await tx.run(
      sql`delete from mails where org_id = ${NO_ORGANIZATION} and created_at <= ${before(MAILS_KEPT_MS)}`,
    ),
  };
}

export const crons = [
  cron({
    name: 'sweep-accounts',
    pattern: '*/10 * * * *',
    run: async ({ pool, clock, log }) => {
      const swept = await jobTransaction(pool, clock, { role: 'system' }, acrossOrganizationsSweep);
      log.debug({ job: 'sweep-accounts', ...swept });
    },
  }),
];
