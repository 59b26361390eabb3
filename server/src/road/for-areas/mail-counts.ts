import { HOUR } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** A limit on mails that somebody sends by hand to addresses of their choice: so many an hour. */
export interface MailCap {
  /** The name under which they are counted. */
  what: string;
  /** The most that an organization may send in an hour. */
  most: number;
  /** What these mails are called in the refusal, in the plural. */
  mails: string;
}

/**
 * Counts mails, or refuses if there would be too many. The count is one statement whose row stays locked until the commit, so
 * however many calls ask at once, no more mails than allowed go out. The hour begins with the first mail. Mails of a call that is
 * refused or rolled back do not count.
 */
export async function countMails(tx: Tx, org: Id, { what, most, mails: words }: MailCap, mails: number): Promise<void> {
  const now = tx.clock.now();
  const over = sql`c.since <= ${new Date(now.getTime() - HOUR)}`;
  const counted = await tx.run(sql`
    insert into mail_counts as c (org_id, what, since, mails) values (${org}, ${what}, ${now}, ${mails})
    on conflict (org_id, what) do update set
      since = case when ${over} then excluded.since else c.since end,
      mails = case when ${over} then 0 else c.mails end + excluded.mails
    where case when ${over} then 0 else c.mails end + excluded.mails <= ${most}`);
  if (counted > 0) return;
  const { since, mails: sent } = await tx.one<{ since: string; mails: number }>(
    sql`select since, mails from mail_counts where org_id = ${org} and what = ${what}`,
  );
  const wait = Math.max(1, Math.ceil((Date.parse(since) + HOUR - now.getTime()) / 1000));
  const minutes = Math.ceil(wait / 60);
  refuse('rate_limited', {
    message: `An organization can send ${most} ${words} an hour and has sent ${sent} in this one. Wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    headers: { 'Retry-After': String(wait) },
  });
}
