import type { AccountLanguage } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { isVisible } from '../../common/unicode.ts';
import { OidcFault, type OidcIdentity } from '../../outside/oidc.ts';
import { FORMATS } from '../../road/request/formats.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { INVITATION_BACKED, STANDS } from '../groups/index.ts';
import { type AccountRow, createAccount, lockAccount, lockByEmail } from './accounts.ts';
import { hashToken } from './tokens.ts';

export interface OidcAccount {
  /** Locked. */
  account: AccountRow;
  /** The identity was linked to the account just now. */
  linked: boolean;
}

/**
 * The account of somebody whom the provider has identified. The rules, in this order:
 *
 * | what is known                                                      | then                                       |
 * |--------------------------------------------------------------------|--------------------------------------------|
 * | issuer and subject are linked to an account                        | that account, whatever the address says    |
 * | the provider does not say that the address was verified            | `oidc_email_not_verified`                  |
 * | it comes from an invitation of another address                     | `oidc_other_address`                       |
 * | the address has an account, and it was proved here as well         | linked to it                               |
 * | the address has an account, and it was never proved here           | `oidc_address_not_proved`                  |
 * | no account, and it comes from an open invitation of this address   | a new account, linked; not yet a member    |
 * | no account                                                         | `oidc_no_account`                          |
 *
 * An account whose address was never proved may have been made by somebody else, who would share it from then on. Therefore it has
 * to be proved by a mail first, which removes whatever was set up before.
 */
export async function acrossOrganizationsOidcAccount(
  tx: Tx,
  identity: OidcIdentity,
  { invitation, language }: { invitation: string | null; language: AccountLanguage },
): Promise<OidcAccount> {
  const known = await linkedAccount(tx, identity);
  if (known !== null) return { account: known, linked: false };
  const email = verifiedAddress(identity);
  const invited = invitation === null ? null : await acrossOrganizationsInvited(tx, invitation);
  if (invited !== null && invited.toLowerCase() !== email.toLowerCase())
    throw new OidcFault('oidc_other_address', 'the invitation is for another address');
  let account = await lockByEmail(tx, email);
  if (account === null && invited !== null) {
    const name = nameOf(identity, email);
    const made = await createAccount(tx, { email, proved: true, name, language, passwordHash: null });
    account = made ?? (await lockByEmail(tx, email)); // somebody else made it in the same moment
  }
  if (account === null || account.sandbox) throw new OidcFault('oidc_no_account', 'no account has this address');
  if (account.email_proved_at === null)
    throw new OidcFault('oidc_address_not_proved', 'the account’s address was never proved');
  return link(tx, identity, account);
}

async function linkedAccount(tx: Tx, { issuer, subject }: OidcIdentity): Promise<AccountRow | null> {
  const row = await tx.maybe<{ account_id: Id }>(
    sql`select account_id from account_identities where issuer = ${issuer} and subject = ${subject}`,
  );
  return row === null ? null : lockAccount(tx, row.account_id);
}

function verifiedAddress({ email, emailVerified }: OidcIdentity): string {
  if (email === null) throw new OidcFault('oidc_email_not_verified', 'the provider tells no address');
  if (!emailVerified) throw new OidcFault('oidc_email_not_verified', 'the provider does not say email_verified');
  if (email.length > 254 || !FORMATS.email!.is(email))
    throw new OidcFault('oidc_email_not_verified', 'the provider’s address is not valid');
  return email;
}

/** The address of an open invitation, by either of its tokens. */
async function acrossOrganizationsInvited(tx: Tx, token: string): Promise<string | null> {
  const hash = hashToken(token);
  const row = await tx.maybe<{ email: string }>(sql`
    select i.email from invitations i
    where (i.mailed_hash = ${hash} or i.copied_hash = ${hash}) and ${STANDS} and ${INVITATION_BACKED}
      and i.expires_at > ${tx.clock.now()}`);
  return row?.email ?? null;
}

function nameOf({ name }: OidcIdentity, email: string): string {
  const given = (name ?? '').trim();
  const fits = given.length <= 200 && isVisible(given) && given.isWellFormed() && !given.includes('\0');
  return fits ? given : email.split('@')[0]!;
}

/**
 * Of two links of one identity at once, the second one waits here until the first has committed and then finds its row, which may
 * belong to another account if the address was moved meanwhile.
 */
async function link(tx: Tx, identity: OidcIdentity, account: AccountRow): Promise<OidcAccount> {
  const { issuer, subject } = identity;
  const written = await tx.run(sql`
    insert into account_identities (issuer, subject, account_id, created_at)
    values (${issuer}, ${subject}, ${account.id}, ${tx.clock.now()}) on conflict do nothing`);
  if (written === 1) return { account, linked: true };
  const first = await linkedAccount(tx, identity);
  if (first === null) throw new OidcFault('oidc_failed', 'the identity was unlinked in the same moment');
  return { account: first, linked: false };
}
