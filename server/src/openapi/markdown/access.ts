import type { Operation } from '../../road/operation.ts';
import { GENERATED, row, table } from './table.ts';

/** docs/reference/access.md: who may call what. Whoever reviews a change sees a change of access as a line of this file. */
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
        operation.visitor === true ? 'yes' : 'no',
        operation.method === 'GET' ? '' : operation.whenReadOnly === 'allowed' ? 'yes' : 'no',
        operation.audit ?? '',
      ]),
    );
  return `# Access

${GENERATED}

Every operation and who may call it. A key needs the scope, and the organization's plan the entitlement; hosts are \`api\` (\`/v1\`)
and \`scanner\` (\`/api/v1\`). A member needs the permission and calls it in the admin app. A paired device calls it on the scanner host.
The registration pages call it for their visitors: with a form that anybody can fill in, or with a link that was opened.

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
    'Visitor',
    'When read-only',
    'Audit',
  ],
  rows,
)}
`;
}
