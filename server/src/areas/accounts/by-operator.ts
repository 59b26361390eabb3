import { refuse } from '../../common/refusal.ts';
import { writeAudit } from '../../road/write/record.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, acrossOrganizationsMemberships, lockByEmail } from './accounts.ts';
import { dropLinks } from './links.ts';
import { endSessions } from './sessions.ts';

/** What the operator of the installation does for somebody who cannot help themselves. Every organization of theirs is told. */
const accountWith = async (tx: Tx, email: string): Promise<AccountRow> =>
  (await lockByEmail(tx, email)) ?? refuse('not_found', { message: `There is no account with the address ${email}.` });

async function audit(tx: Tx, account: AccountRow, action: string, details: Record<string, unknown>): Promise<void> {
  for (const { org_id, member_id } of await acrossOrganizationsMemberships(tx, account.id)) {
    writeAudit(tx, org_id, [
      {
        action,
        kind: 'member',
        id: member_id,
        details,
        caller: { actor: { kind: 'system', id: null, name: 'operator' }, mode: 'live' },
        source: 'cli',
        client: null,
        requestId: null,
      },
    ]);
  }
}

/** Ends all sessions of an account, sign-ins that are under way, and links that were mailed. Returns the number of sessions. */
async function endAll(tx: Tx, account: AccountRow): Promise<number> {
  await tx.run(sql`delete from sign_in_steps where account_id = ${account.id}`);
  await dropLinks(tx, account.id);
  return endSessions(tx, account.id);
}

export async function signOutAccount(tx: Tx, email: string) {
  const account = await accountWith(tx, email);
  const sessions = await endAll(tx, account);
  await audit(tx, account, 'account.sessions_ended', { sessions });
  return { email: account.email, sessions_ended: sessions };
}

/**
 * Removes the authenticator app, its recovery codes and the passkeys, for somebody who has lost them. They sign in with their
 * password or a link by mail, and set a new second factor up.
 */
export async function resetFactors(tx: Tx, email: string) {
  const account = await accountWith(tx, email);
  const totp = account.totp_secret !== null;
  await tx.run(sql`
    update accounts set totp_secret = null, totp_step = null, updated_at = ${tx.clock.now()} where id = ${account.id}`);
  await tx.run(sql`delete from account_recovery_codes where account_id = ${account.id}`);
  const passkeys = await tx.run(sql`delete from account_passkeys where account_id = ${account.id}`);
  const sessions = await endAll(tx, account);
  await audit(tx, account, 'account.factors_reset', { totp, passkeys, sessions });
  return { email: account.email, totp_removed: totp, passkeys_removed: passkeys, sessions_ended: sessions };
}
