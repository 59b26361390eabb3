import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, lockAccount } from './accounts.ts';
import { isOpen, type SignedInSession } from './sessions.ts';

/**
 * Locks the account that a session belongs to, and looks for the session once more. It may have ended while the call waited for the
 * lock, because the owner has changed the password, say; then it must change nothing any more.
 */
export async function lockOwnAccount(tx: Tx, session: Pick<SignedInSession, 'id' | 'account'>): Promise<AccountRow> {
  const account = await lockAccount(tx, session.account);
  return account === null || !(await isOpen(tx, session)) ? refuse('sign_in_required') : account;
}

/**
 * Whoever removes a factor stays signed in, but no longer with a factor that is gone. Call it after the removal, with the account
 * locked. What this session has shown follows from how it began:
 *
 * | it began with | it keeps `second_factor` |
 * |---|---|
 * | single sign-on | always: the provider vouches for it |
 * | a passkey | while the account has a passkey |
 * | anything else | when a passkey is removed, while an authenticator app (it was asked for) or another passkey is left; never when the app is removed |
 */
export const dropRemovedFactor = (tx: Tx, { id }: Pick<SignedInSession, 'id'>, removed: 'totp' | 'passkey') =>
  tx.run(sql`
    update account_sessions s set second_factor = false
    from accounts a,
      lateral (select exists (select from account_passkeys k where k.account_id = a.id) as passkeys) left_over
    where s.id = ${id} and a.id = s.account_id and not case s.method
      when 'oidc' then true
      when 'passkey' then left_over.passkeys
      else ${removed}::text = 'passkey' and (left_over.passkeys or a.totp_secret is not null)
    end`);
