import type { Operation } from '../../road/operation.ts';
import { GENERATED, row, table } from './table.ts';

/** docs/reference/access.md: who reaches what. A line that changes here is access that changed: it is meant to be seen in a review. */
export function accessPage(operations: readonly Operation[]): string {
  const rows = [...operations]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((operation) =>
      row([
        `\`${operation.id}\``,
        `${operation.method} \`${operation.path}\``,
        (operation.hosts ?? ['api']).join(', ') || 'none',
        operation.keysRefused === undefined ? operation.scope : `none: \`${operation.keysRefused}\``,
        operation.organizationWide === true ? 'whole organization' : 'any group',
        operation.entitlement ?? 'none',
        operation.member ?? 'no',
        operation.device === true ? 'yes' : 'no',
        operation.method === 'GET' ? '' : operation.whenReadOnly === 'allowed' ? 'yes' : 'no',
        operation.audit ?? '',
      ]),
    );
  return `# Access

${GENERATED}

Every operation and who reaches it: keys on \`api\` (\`/v1\`) and \`scanner\` (\`/api/v1\`) with the scope, the entitlement of the
plan, members of the organization in the admin app with the permission, paired devices on the scanner host.

${table(
  [
    'Operation',
    'Call',
    'Hosts',
    'Scope of a key',
    'Key of',
    'Entitlement',
    'Member',
    'Device',
    'When read-only',
    'Audit',
  ],
  rows,
)}
`;
}
