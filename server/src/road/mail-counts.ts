import { HOUR } from '../clock.ts';
import type { Id } from '../store/ids.ts';
import { sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';
import { refuse } from './refusal.ts';

/** Mails that somebody may send by hand, to addresses that somebody chooses: so many an hour, then no more. */
export interface MailCap {
  /** Under which name they are counted. */
  what: string;
  /** Of an organization in an hour. */
  most: number;
  /** What they are, for whoever is refused. */
  mails: string;
}

/**
 * Counts them in one statement, whose row stays locked until the commit: however many ask at once, no more go out. The hour begins
 * with the first. What is refused or rolled back does not count.
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
  refuse('rate_limited', {
    message: `An organization can send ${most} ${words} an hour, and ${sent} went out in this one. Wait ${Math.ceil(wait / 60)} minutes for more.`,
    headers: { 'Retry-After': String(wait) },
  });
}
