import { ownerTexts } from '@turnout/words/mails';
import { type Clock, monthOf } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { type Caller, type OrganizationColumns, organizationOf } from '../../road/caller.ts';
import { queueMail } from '../../road/for-areas/mail.ts';
import { type Warning, warningsDue } from '../../road/gate/quota.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { membersToTell } from '../groups/index.ts';

interface UsageRow extends OrganizationColumns {
  calls: number;
  warned_80: boolean;
  warned_100: boolean;
}

/**
 * Mails the owners of those organizations whose calls this month have passed a threshold; gives the number of warnings. It runs
 * after the counts of all processes were written to the database, because the call that was counted knows only the count of its
 * own process.
 */
export async function warnOfUsage(pool: Pool, clock: Clock, orgs: readonly Id[]): Promise<number> {
  const month = monthOf(clock.now());
  const rows = await jobTransaction(
    pool,
    clock,
    { role: 'system' },
    (tx) =>
      tx.all<UsageRow>(sql`
        select o.id as org_id, o.code as org_code, o.name as org_name, o.timezone as org_timezone,
          o.terminology as org_terminology, o.limits, p.code as plan, p.entitlements, p.limits as plan_limits,
          u.calls, u.warned_80_at is not null as warned_80, u.warned_100_at is not null as warned_100
        from api_usage u join organizations o on o.id = u.org_id join plans p on p.code = o.plan
        where u.month = ${month} and u.org_id = any(${orgs})
          and (u.warned_80_at is null or u.warned_100_at is null)`),
    { readOnly: true },
  );
  let warned = 0;
  for (const row of rows) {
    const { org, plan } = organizationOf(row);
    const due = warningsDue(row.calls, plan.limits.api_calls_monthly, { 80: row.warned_80, 100: row.warned_100 });
    for (const warning of due) {
      const about = { org, plan, usage: { month, calls: row.calls } };
      if (await jobTransaction(pool, clock, { role: 'app', org: org.id }, (tx) => warnOwners(tx, about, warning)))
        warned += 1;
    }
  }
  return warned;
}

/** Warns the owners that 80 % or 100 % of the month's calls are used. Only the first process that notices sends the mails. */
async function warnOwners(tx: Tx, about: Pick<Caller, 'org' | 'plan' | 'usage'>, warning: Warning): Promise<boolean> {
  const { org, usage, plan } = about;
  const now = tx.clock.now();
  const column = warning === 80 ? sql`warned_80_at` : sql`warned_100_at`;
  const first = await tx.run(sql`
    insert into api_usage as u (org_id, month, ${column}) values (${org.id}, ${usage.month}, ${now})
    on conflict (org_id, month) do update set ${column} = excluded.${column} where u.${column} is null`);
  if (first === 0) return false;
  const allowance = plan.limits.api_calls_monthly!;
  const owners = await membersToTell(tx, org.id, { kind: 'api_calls', group: null });
  for (const owner of owners) {
    const { t } = ownerTexts(owner.language);
    const about = { org: org.name, percent: String(warning) };
    await queueMail(tx, org.id, {
      kind: `api_calls_${warning}`,
      to: owner.email,
      toName: owner.name,
      subject: t('calls.subject', about),
      text: [
        t('hello', { owner: owner.name }),
        '',
        t('calls.used', { ...about, calls: allowance, plan: plan.code, month: usage.month }),
        '',
        warning === 100 ? t('calls.all') : t('calls.some'),
        t('calls.plan'),
        '',
        'Turnout',
      ].join('\n'),
    });
  }
  return true;
}
