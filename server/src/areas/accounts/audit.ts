import type { Id } from '../../common/ids.ts';
import { type AuditRow, writeAudit } from '../../road/write/record.ts';
import type { Tx } from '../../store/tx.ts';
import type { AccountRow, Membership } from './accounts.ts';
import { acrossOrganizationsMemberships } from './accounts.ts';
import { browserOf } from './browser.ts';
import type { RequestOrigin } from './origin.ts';

/**
 * What happens to an account concerns every organization that it is a member of, so each of them gets an audit row, with its own
 * member as the actor.
 */
export async function acrossOrganizationsAudit(
  tx: Tx,
  account: Pick<AccountRow, 'id' | 'name'>,
  action: string,
  request: RequestOrigin,
  more: Pick<AuditRow, 'changes' | 'details'> = {},
): Promise<void> {
  for (const member of await acrossOrganizationsMemberships(tx, account.id)) {
    writeRow(tx, member, action, request, { kind: 'member', id: member.member_id, name: account.name }, more);
  }
}

/** What an account does in one organization, which the others must not learn of. */
export async function auditIn(
  tx: Tx,
  org: Id,
  account: Pick<AccountRow, 'id' | 'name'>,
  action: string,
  request: RequestOrigin,
  more: Pick<AuditRow, 'changes' | 'details'> = {},
): Promise<void> {
  for (const member of await acrossOrganizationsMemberships(tx, account.id)) {
    if (member.org_id !== org) continue;
    writeRow(tx, member, action, request, { kind: 'member', id: member.member_id, name: account.name }, more);
  }
}

/** A failed try is a stranger's until the right person signs in, so its actor is not the member. */
export function auditFailedTry(
  tx: Tx,
  members: readonly Membership[],
  request: RequestOrigin,
  details: Record<string, unknown>,
): void {
  for (const member of members) {
    const somebody = { kind: 'system', id: null, name: 'somebody who is not signed in' } as const;
    writeRow(tx, member, 'account.sign_in_failed', request, somebody, { details });
  }
}

function writeRow(
  tx: Tx,
  { org_id, member_id }: Membership,
  action: string,
  request: RequestOrigin,
  actor: AuditRow['caller']['actor'],
  { changes, details }: Pick<AuditRow, 'changes' | 'details'>,
): void {
  const from = { address: request.address, browser: browserOf(request.userAgent) };
  writeAudit(tx, org_id, [
    {
      action,
      kind: 'member',
      id: member_id,
      changes,
      details: { ...details, ...from },
      caller: { actor, mode: 'live' },
      source: 'app',
      client: null,
      requestId: request.id,
    },
  ]);
}
