/** What keys and members may do: the scopes of keys, and the permissions and roles of members. */
export const SCOPES = ['read', 'write', 'admin', 'scanner'] as const;
export type Scope = (typeof SCOPES)[number];

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** The requests per minute of a key for which nobody chose another number. */
export const USUAL_RATE = 60;
/** The most that can be chosen for a key. */
export const MAX_RATE = 100_000;
/** How many requests a minute a key may make: what was chosen for it, and never more than the plan allows. A plan with null has no limit. */
export const rateOfKey = (chosen: number | null, plan: number | null): number =>
  Math.min(chosen ?? USUAL_RATE, plan ?? Number.POSITIVE_INFINITY);

export const PERMISSIONS = [
  'tenant.members',
  'tenant.settings',
  'tenant.api_keys',
  'tenant.integrations',
  'tenant.groups',
  'tenant.audit',
  'tenant.profile',
  'events.read',
  'events.write',
  'events.delete',
  'people.read',
  'people.write',
  'people.bulk',
  'people.export',
  'people.erase',
  'money.record',
  'money.refund',
  'door.scan',
  'door.override',
  'door.devices',
  'door.clear_tests',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'admin', 'developer', 'manager', 'desk', 'door', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const everything: readonly Permission[] = PERMISSIONS;
/** Roles are fixed sets of permissions. Owners and admins differ in one thing only: owners make and remove owners. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: everything,
  admin: everything,
  developer: ['tenant.api_keys', 'tenant.integrations', 'tenant.profile', 'tenant.audit', 'events.read', 'people.read'],
  manager: [
    'tenant.profile',
    'events.read',
    'events.write',
    'people.read',
    'people.write',
    'people.bulk',
    'people.export',
    'money.record',
    'money.refund',
    'door.scan',
    'door.override',
    'door.devices',
  ],
  desk: ['tenant.profile', 'events.read', 'people.read', 'people.write', 'money.record', 'door.scan', 'door.override'],
  door: ['tenant.profile', 'events.read', 'door.scan'],
  viewer: ['tenant.profile', 'events.read', 'people.read'],
};

/**
 * Nobody gives a role with more than they have, and only owners give or take the role of an owner. `from` is the role that the
 * other member has now; null for somebody who is invited.
 */
export function mayGiveRole(own: Role, from: Role | null, to: Role | null): boolean {
  const has = new Set(ROLE_PERMISSIONS[own]);
  const within = (role: Role | null) =>
    role === null || ROLE_PERMISSIONS[role].every((permission) => has.has(permission));
  return (own === 'owner' || (from !== 'owner' && to !== 'owner')) && within(from) && within(to);
}

/** Whether somebody with one role may invite into another: they manage members, and may give that role. */
export const mayInvite = (own: Role, to: Role): boolean =>
  ROLE_PERMISSIONS[own].includes('tenant.members') && mayGiveRole(own, null, to);
