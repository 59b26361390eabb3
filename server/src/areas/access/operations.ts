import { Profile } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { toUlid } from '../../store/ids.ts';

export const operations = [
  operation({
    id: 'getMe',
    method: 'GET',
    path: '/me',
    scope: 'read',
    entitlement: 'api_read',
    member: 'tenant.profile',
    at: {},
    reply: Profile,
    refusals: [],
    tag: 'Profile',
    summary: 'Who am I?',
    description:
      'The organization, what this key may do, what the plan allows, and the organization’s own words for things.',
    // Authentication has read all of it already, so this answers without a query of its own.
    handle: async ({ caller: { actor, org, plan, group, mode, usage } }) => ({
      organization: { id: toUlid(org.id), code: org.code, name: org.name, timezone: org.timezone },
      key:
        actor.kind !== 'key'
          ? null
          : {
              id: toUlid(actor.id),
              name: actor.name,
              mode,
              scopes: [...actor.scopes],
              group: group?.code ?? null,
              expires_at: actor.expiresAt,
              requests_per_minute: actor.requestsPerMinute,
            },
      plan: { code: plan.code, entitlements: [...plan.entitlements], limits: plan.limits },
      usage: { month: usage.month, calls: usage.calls, allowance: plan.limits.api_calls_monthly },
      terminology: org.terminology,
    }),
  }),
];
