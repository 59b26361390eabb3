import { HOUR } from '../../clock.ts';
import { refuse } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** Test mails of an organization in an hour: enough to try a message out on colleagues, too few to write to strangers with. */
export const TEST_MAILS = 30;

/**
 * Counts them in one statement, whose row stays locked until the commit: however many ask at once, no more go out. The hour begins
 * with the first. What is refused or rolled back does not count.
 */
export async function countTestMails(tx: Tx, org: Id, mails: number): Promise<void> {
  const now = tx.clock.now();
  const over = sql`t.since <= ${new Date(now.getTime() - HOUR)}`;
  const counted = await tx.run(sql`
    insert into test_mails as t (org_id, since, mails) values (${org}, ${now}, ${mails})
    on conflict (org_id) do update set
      since = case when ${over} then excluded.since else t.since end,
      mails = case when ${over} then 0 else t.mails end + excluded.mails
    where case when ${over} then 0 else t.mails end + excluded.mails <= ${TEST_MAILS}`);
  if (counted > 0) return;
  const { since, mails: sent } = await tx.one<{ since: string; mails: number }>(
    sql`select since, mails from test_mails where org_id = ${org}`,
  );
  const wait = Math.max(1, Math.ceil((Date.parse(since) + HOUR - now.getTime()) / 1000));
  refuse('rate_limited', {
    message: `An organization can send ${TEST_MAILS} test mails an hour, and ${sent} went out in this one. Wait ${Math.ceil(wait / 60)} minutes for more.`,
    headers: { 'Retry-After': String(wait) },
  });
}
