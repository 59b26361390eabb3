import { OrganizationChange, OrganizationSettings, Profile } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Actor } from '../../road/caller.ts';
import { operation } from '../../road/operation.ts';
import { keyOperations } from './key-operations.ts';
import { changeOrganization, organizationSettings, requireLiveSettings } from './settings.ts';

const settings = {
  path: '/organization',
  scope: 'admin',
  member: 'tenant.settings',
  at: {},
  reply: OrganizationSettings,
  refusals: [],
  tag: 'Profile',
} as const;

const ONLY_MEMBERS = 'Only a member can change `require_second_factor`, in the app.';

/**
 * Whoever turns the rule on must be able to turn it off again, so they must not lock themselves out with it. The rule guards what
 * members do, so a key that has been stolen must not be able to lift it.
 */
function requireMayChangeRule(actor: Actor, isOn: boolean): void {
  const who = actor.kind === 'member' ? actor : refuse('permission_required', { message: ONLY_MEMBERS });
  if (!isOn || who.session.secondFactor) return;
  refuse('second_factor_required', {
    message:
      'You are signed in without a second factor, so this rule would lock you out. Set one up in your account and sign in with it first.',
  });
}

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
    summary: 'Get the profile of the caller',
    description:
      'The organization, what this key may do, what the plan allows and how much of it is used, and the organization’s own words for things.',
    // Authentication has already read all of this, so no query is needed.
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
  operation({
    ...settings,
    id: 'getOrganization',
    method: 'GET',
    entitlement: 'api_read',
    summary: 'Get the organization’s settings',
    handle: ({ tx, org, links }) => organizationSettings(tx, org, links),
  }),
  operation({
    ...settings,
    id: 'changeOrganization',
    method: 'PATCH',
    entitlement: 'api_write',
    organizationWide: true,
    refusals: ['second_factor_required', 'test_key_live_object'],
    audit: 'organization.changed',
    body: OrganizationChange,
    summary: 'Change the organization’s settings',
    description:
      'Name, time zone, defaults for new events, the organization’s own words for things, what its registration pages show, and whether agents may work with its keys. Changes apply from the next request on, also to mails and tickets made from then on.',
    handle: async (call) => {
      requireLiveSettings(call);
      const { settings, changes } = await changeOrganization(call, call.body as OrganizationChange);
      const rule = changes.require_second_factor;
      if (rule !== undefined) requireMayChangeRule(call.caller.actor, rule[1] === true);
      const isSame = Object.keys(changes).length === 0;
      call.changed({ kind: 'organization', id: call.org, changes, ...(isSame && { was: settings }) });
      return settings;
    },
  }),
  ...keyOperations,
];
