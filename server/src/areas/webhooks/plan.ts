import type { Id } from '../../common/ids.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * Pauses or resumes the endpoints of an organization after its plan has changed.
 *
 * If the plan no longer includes `webhooks`, every endpoint is paused. Once it includes them again, those that were paused for this
 * reason come back, enabled and healthy. One that had been paused before stays paused, for the same reason and with the same health.
 */
export async function followPlan(tx: Tx, org: Id): Promise<void> {
  const { allowed } = await tx.one<{ allowed: boolean }>(sql`
    select 'webhooks' = any(p.entitlements) as allowed from organizations o join plans p on p.code = o.plan where o.id = ${org}`);
  const stamp = await stampOrganization(tx, org);
  await tx.run(
    allowed
      ? sql`update webhook_endpoints set status = case when was_paused then 'paused' else 'healthy' end, was_paused = false,
          failures_in_a_row = case when was_paused then failures_in_a_row else 0 end,
          failing_since = case when was_paused then failing_since end, updated_at = ${stamp}
        where org_id = ${org} and status = 'paused_plan'`
      : sql`update webhook_endpoints set was_paused = status = 'paused', status = 'paused_plan', updated_at = ${stamp}
        where org_id = ${org} and status <> 'paused_plan'`,
  );
}
