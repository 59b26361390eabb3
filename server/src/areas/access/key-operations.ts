import { ApiKey, ApiKeyChange, ApiKeyCreate, ApiKeyList, ApiKeyMade } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { addressRule, changeKey, keyRules, makeKey, revokeKey } from './key-actions.ts';
import { aKey, recentKeys } from './key-rows.ts';

/** For members in the admin app only. Without a host, no API key can make or change keys. */
const managing = {
  hosts: [],
  scope: 'admin',
  entitlement: null,
  member: 'tenant.api_keys',
  tag: 'Keys',
} as const;

export const keyOperations = [
  operation({
    ...managing,
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    at: {},
    reply: ApiKeyList,
    refusals: [],
    summary: 'List API keys',
    description:
      'Newest first: all usable keys, and those that expired or were revoked in the last 90 days. A member who is limited to a group sees the keys that are limited to that group or to a group below it.',
    handle: async ({ tx, caller }) => ({ data: await recentKeys(tx, caller) }),
  }),
  operation({
    ...managing,
    id: 'createKey',
    method: 'POST',
    path: '/keys',
    audit: 'api_key.created',
    at: {},
    body: ApiKeyCreate,
    rules: keyRules,
    reply: ApiKeyMade,
    status: 201,
    secretAnswer: true,
    refusals: ['invalid_state'],
    summary: 'Create an API key',
    description:
      'The answer contains the secret, which is never shown again. A member may choose any scopes. The keys of a member who is limited to a group are limited to that group, or to one below it that the member names. The owners are mailed about each key with the scope `admin`. An organization has at most 500 usable keys.',
    handle: (call) => makeKey(call, call.body),
  }),
  operation({
    ...managing,
    id: 'changeKey',
    method: 'PATCH',
    path: '/keys/{key}',
    audit: 'api_key.changed',
    at: { key: aKey },
    body: ApiKeyChange,
    rules: [addressRule],
    reply: ApiKey,
    refusals: ['not_found', 'invalid_state'],
    summary: 'Change an API key',
    description:
      'Changes the name and the addresses of a usable key, from its next request on. What the key may do cannot be changed: make another key.',
    handle: (call) => changeKey(call, call.at.key, call.body),
  }),
  operation({
    ...managing,
    id: 'revokeKey',
    method: 'DELETE',
    path: '/keys/{key}',
    audit: 'api_key.revoked',
    at: { key: aKey },
    reply: null,
    status: 204,
    refusals: ['not_found'],
    summary: 'Revoke an API key',
    description: 'The key is refused from its next request on, and stays revoked. Revoking it again changes nothing.',
    handle: (call) => revokeKey(call, call.at.key),
  }),
];
