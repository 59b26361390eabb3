/** What keys and members may do: the scopes of keys, and the permissions and roles of members. */
export const SCOPES = ['read', 'write', 'admin', 'scanner'] as const;
export type Scope = (typeof SCOPES)[number];

export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

export const PERMISSIONS = [
  'tenant.api_keys',
  'tenant.integrations',
  'tenant.groups',
  'tenant.audit',
  'tenant.profile',
  'tenant.settings',
  'events.read',
  'events.write',
  'events.delete',
  'people.read',
  'people.write',
  'people.bulk',
  'people.erase',
  'door.scan',
  'door.override',
  'door.clear_tests',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const ROLES = ['owner', 'admin', 'developer', 'manager', 'door', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

const everything: readonly Permission[] = PERMISSIONS;
/** As the contract says, keys and webhooks are managed by owners, admins and developers. */
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
    'door.scan',
    'door.override',
  ],
  door: ['tenant.profile', 'events.read', 'door.scan', 'door.override'],
  viewer: ['tenant.profile', 'events.read', 'people.read'],
};
