import { writeAudit } from '../../road/write/record.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { endInvitations, withdrawal } from '../groups/index.ts';
import { type AccountRow, acrossOrganizationsMemberships } from './accounts.ts';
import { dropLinks } from './links.ts';
import type { RequestOrigin } from './origin.ts';

/**
 * Notes that the address was proved. If that is the first time, whoever made the account may have been somebody else, so everything
 * that they could come back with is removed. Returns whether it was the first time.
 */
export async function proveEmail(tx: Tx, account: AccountRow, request: RequestOrigin): Promise<boolean> {
  const now = tx.clock.now();
  const first = account.email_proved_at === null;
  account.email_proved_at = now.toISOString();
  if (!first) {
    await tx.run(sql`update accounts set email_proved_at = ${now} where id = ${account.id}`);
    return false;
  }
  Object.assign(account, { password_hash: null, totp_secret: null, totp_step: null });
  await tx.run(sql`
    update accounts set email_proved_at = ${now}, password_hash = null, totp_secret = null, totp_step = null, updated_at = ${now}
    where id = ${account.id}`);
  await tx.run(sql`delete from account_recovery_codes where account_id = ${account.id}`);
  await tx.run(sql`delete from account_passkeys where account_id = ${account.id}`);
  await tx.run(sql`delete from account_identities where account_id = ${account.id}`);
  await tx.run(sql`delete from account_sessions where account_id = ${account.id}`);
  await tx.run(sql`delete from sign_in_steps where account_id = ${account.id}`);
  await dropLinks(tx, account.id);
  await acrossOrganizationsTakeBack(tx, account, request);
  return true;
}

/**
 * Takes back what gives access to the organizations of the account without being part of it: the PIN for the door, invitations, and
 * codes that pair a scanner. Whoever made the account could come back by each of them.
 */
async function acrossOrganizationsTakeBack(
  tx: Tx,
  account: AccountRow,
  { id: requestId }: RequestOrigin,
): Promise<void> {
  const now = tx.clock.now();
  for (const { org_id, member_id } of await acrossOrganizationsMemberships(tx, account.id)) {
    const own = sql`org_id = ${org_id} and id = ${member_id}`;
    const pins = await tx.run(sql`
      update members set pin_hash = null, pin_set_at = null, updated_at = ${now} where ${own} and pin_hash is not null`);
    await tx.run(
      sql`delete from pairing_codes where org_id = ${org_id} and made_by = ${member_id} and used_at is null`,
    );
    const ended = await endInvitations(tx, org_id, sql`i.invited_by = ${member_id}`);
    const by = {
      caller: { actor: { kind: 'member', id: member_id, name: account.name }, mode: 'live' },
      source: 'app',
      client: null,
      requestId,
    } as const;
    const because =
      'The address of the member was proved for the first time, and somebody else may have made the account.';
    const pin = { action: 'member.pin_removed', kind: 'member', id: member_id, details: { because } };
    writeAudit(tx, org_id, [
      ...(pins > 0 ? [{ ...pin, ...by }] : []),
      ...ended.map((one) => ({ ...withdrawal(one, because), ...by })),
    ]);
  }
}
