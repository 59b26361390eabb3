import { type Entitlement, minimumPlan } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import type { Caller } from '../caller.ts';

/** Entitlements to use the API apply to keys only. Entitlements to features apply to everybody. */
const OF_THE_API: readonly Entitlement[] = ['api_read', 'api_write', 'api_scanner'];

export function requireEntitlement(caller: Caller, entitlement: Entitlement): void {
  if (caller.actor.kind !== 'key' && OF_THE_API.includes(entitlement)) return;
  if (caller.plan.entitlements.includes(entitlement)) return;
  const plan = minimumPlan(entitlement);
  refuse('entitlement_required', {
    message: `The plan of this organization (${caller.plan.code}) does not include \`${entitlement}\`. Upgrade to the plan ${plan}, which does.`,
    fields: { key: entitlement, upgrade_plan: plan },
  });
}

/**
 * The header `X-Service-Client` names an automation app. Every request that sends it needs this entitlement (contract,
 * authentication 4).
 */
export function requireClientApps(caller: Caller, client: string | null): void {
  if (client !== null) requireEntitlement(caller, 'client_apps');
}
