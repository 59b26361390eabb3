import { type Entitlement, minimumPlan } from '@turnout/contract';
import type { Caller } from './caller.ts';
import { refuse } from './refusal.ts';

/** What the API costs applies to keys; what a feature costs applies to whoever uses it. */
const OF_THE_API: readonly Entitlement[] = ['api_read', 'api_write', 'api_scanner'];

export function requireEntitlement(caller: Caller, entitlement: Entitlement): void {
  if (caller.actor.kind !== 'key' && OF_THE_API.includes(entitlement)) return;
  if (caller.plan.entitlements.includes(entitlement)) return;
  const plan = minimumPlan(entitlement);
  refuse('entitlement_required', {
    message: `The plan of this organization (${caller.plan.code}) does not include \`${entitlement}\`; the plan ${plan} does.`,
    fields: { key: entitlement, upgrade_plan: plan },
  });
}

/** `X-Service-Client` names an automation app; any request that sends it needs the entitlement (contract, authentication 4). */
export function requireClientApps(caller: Caller, client: string | null): void {
  if (client !== null) requireEntitlement(caller, 'client_apps');
}
