import type { Membership } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { sql } from '../../store/sql.ts';

/** What the app needs to know to draw its frame. Most of it was read when the caller was identified. */
export async function getMembership({ tx, caller, license, outside }: Work): Promise<Membership> {
  const { actor, org, plan, group, usage } = caller;
  if (actor.kind !== 'member') throw new Error('a member was expected');
  const more = await tx.maybe<{ currency: string; accent: string | null; sandbox: boolean; door_pin: boolean }>(sql`
    select o.currency, o.accent, o.sandbox, m.pin_hash is not null as door_pin
    from organizations o join members m on m.org_id = o.id where o.id = ${org.id} and m.id = ${actor.id}`);
  if (more === null) return refuse('not_found'); // removed a moment ago
  return {
    member: {
      id: toUlid(actor.id),
      name: actor.name,
      email: actor.account.email,
      role: actor.role,
      permissions: [...actor.permissions],
      group: group?.code ?? null,
      door_pin: more.door_pin,
    },
    organization: {
      id: toUlid(org.id),
      code: org.code,
      name: org.name,
      timezone: org.timezone,
      currency: more.currency,
      accent: more.accent,
      sandbox: more.sandbox,
    },
    plan: { code: plan.code, entitlements: [...plan.entitlements], limits: plan.limits },
    usage: { month: usage.month, calls: usage.calls, allowance: plan.limits.api_calls_monthly },
    terminology: org.terminology,
    online_payments: outside.payments !== null,
    license: await license.status(),
  };
}
