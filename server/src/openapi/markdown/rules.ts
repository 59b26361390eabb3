/** Rules of the contract that apply to all operations: the section, the rule, the files that implement it. */
export const RULES: readonly (readonly [section: string, rule: string, ...files: string[]])[] = [
  [
    'Identifiers and formats',
    'ids, codes, times, money',
    'server/src/common/ids.ts',
    'packages/contract/src/formats.ts',
  ],
  ['Authentication 1, 2, 6', 'keys, looked up on every request', 'server/src/road/gate/authenticate.ts'],
  ['Authentication 6', 'addresses a key may come from', 'server/src/common/addresses.ts'],
  ['Authentication 3', 'exact scopes', 'server/src/road/gate/access.ts', 'packages/contract/src/access.ts'],
  ['Authentication 4, 7', 'entitlements', 'server/src/road/gate/entitlements.ts', 'packages/contract/src/plans.ts'],
  ['Behavior rule 1', 'a retried POST gets the first answer', 'server/src/road/write/idempotency.ts'],
  [
    'Behavior rule 4',
    'a group-limited key',
    'server/src/areas/groups/groups.ts',
    'server/src/road/request/reference.ts',
  ],
  ['Errors', 'the envelope and its codes', 'packages/contract/src/refusals.ts', 'server/src/common/refusal.ts'],
  ['Errors', 'the license of a self-hosted installation', 'server/src/road/gate/license.ts'],
  ['Events', 'raised after the commit, once', 'server/src/road/write/record.ts', 'server/src/work/relay.ts'],
  ['Limits', 'requests per minute', 'server/src/road/gate/rates.ts'],
  ['Limits', 'calls per month', 'server/src/road/gate/quota.ts', 'server/src/areas/plans/warn.ts'],
  ['What the service does', 'every change is in the audit log', 'server/src/road/write/record.ts'],
  ['What the service does', 'the sandbox and its public key', 'server/src/areas/sandbox/sandbox.ts'],
  [
    'What the service does',
    'the check-in decision and its golden cases',
    'packages/checkin/src/decide.ts',
    'packages/checkin/golden/scan-cases.json',
  ],
  ['Versioning', 'v1 loses no field and no operation', 'test/openapi.test.ts', 'test/support/compatible.ts'],
];
