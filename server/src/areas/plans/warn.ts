import type { Caller } from '../../road/caller.ts';
import { queueMail } from '../../road/mail.ts';
import type { Warning } from '../../road/quota.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** Tells the owners that the month's calls are at 80 % or 100 %: once each, whichever process notices first. */
export async function warnOwners(tx: Tx, caller: Caller, warning: Warning): Promise<boolean> {
  const { org, usage, plan } = caller;
  const now = tx.clock.now();
  const column = warning === 80 ? sql`warned_80_at` : sql`warned_100_at`;
  const first = await tx.run(sql`
    insert into api_usage as u (org_id, month, ${column}) values (${org.id}, ${usage.month}, ${now})
    on conflict (org_id, month) do update set ${column} = excluded.${column} where u.${column} is null`);
  if (first === 0) return false;
  const allowance = plan.limits.api_calls_monthly!;
  const owners = await tx.all<{ email: string; name: string }>(sql`
    select email, name from members where org_id = ${org.id} and role = 'owner' order by id`);
  for (const owner of owners) {
    await queueMail(tx, org.id, {
      kind: `api_calls_${warning}`,
      to: owner.email,
      toName: owner.name,
      subject: `${org.name}: ${warning} % of this month's API calls are used`,
      text: [
        `Hello ${owner.name},`,
        '',
        `the integrations of ${org.name} have made ${warning} % of the ${allowance.toLocaleString('en')} API calls that the plan ${plan.code} includes for ${usage.month}.`,
        '',
        warning === 100
          ? 'Nothing stops: calls go on until 150 % of the allowance. Past that they are refused until the 1st of next month (UTC).'
          : 'Nothing stops at 100 %. Past 150 % calls are refused until the 1st of next month (UTC).',
        'A larger plan raises the allowance at once.',
        '',
        'Turnout',
      ].join('\n'),
    });
  }
  return true;
}
