import { FORMATS } from '../../road/formats.ts';
import type { OidcIdentity } from '../../outside/oidc.ts';
import { OidcFault } from '../../outside/oidc.ts';
import { type Id, newId } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { isVisible } from '../../unicode.ts';
import { hashToken } from './tokens.ts';

export interface OidcAccount {
  id: Id;
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
  invitation: string | null,
): Promise<OidcAccount> {
  const known = await linkedAccount(tx, identity);
  if (known !== null) return { id: known, linked: false };
  const email = verifiedAddress(identity);
  const invited = invitation === null ? null : await acrossOrganizationsInvited(tx, invitation);
  if (invited !== null && invited.toLowerCase() !== email.toLowerCase())
    throw new OidcFault('oidc_other_address', 'the invitation is for another address');
  const account = (await findAccount(tx, email)) ?? (invited === null ? null : await makeAccount(tx, email, identity));
  if (account === null) throw new OidcFault('oidc_no_account', 'no account has this address');
  if (account.sandbox) throw new OidcFault('oidc_no_account', 'the address is that of the sandbox');
  if (account.email_proved_at === null)
    throw new OidcFault('oidc_address_not_proved', 'the account’s address was never proved');
  return link(tx, identity, account.id);
}

const linkedAccount = async (tx: Tx, { issuer, subject }: OidcIdentity): Promise<Id | null> =>
  (
    await tx.maybe<{ account_id: Id }>(
      sql`select account_id from account_identities where issuer = ${issuer} and subject = ${subject}`,
    )
  )?.account_id ?? null;

function verifiedAddress({ email, emailVerified }: OidcIdentity): string {
  if (email === null || !emailVerified)
    throw new OidcFault('oidc_email_not_verified', `email_verified is ${emailVerified}, the address is ${email === null ? 'missing' : 'there'}`);
  if (email.length > 254 || !FORMATS.email!.is(email))
    throw new OidcFault('oidc_email_not_verified', 'the address is not valid');
  return email;
}

/** The address of an open invitation, by either of its tokens. */
async function acrossOrganizationsInvited(tx: Tx, token: string): Promise<string | null> {
  const hash = hashToken(token);
  const row = await tx.maybe<{ email: string }>(sql`
    select email from invitations
    where (mailed_hash = ${hash} or copied_hash = ${hash}) and accepted_at is null and withdrawn_at is null
      and expires_at > ${tx.clock.now()}`);
  return row?.email ?? null;
}

interface AccountRow {
  id: Id;
  email_proved_at: string | null;
  sandbox: boolean;
}

/** Locked, so that the account is not removed or its address changed before the identity is linked to it. */
const findAccount = (tx: Tx, email: string): Promise<AccountRow | null> =>
  tx.maybe<AccountRow>(sql`
    select id, email_proved_at, sandbox from accounts where lower(email) = lower(${email}) for update`);

/** If two do this at once, the second one waits here and then finds the account of the first. */
async function makeAccount(tx: Tx, email: string, identity: OidcIdentity): Promise<AccountRow | null> {
  const now = tx.clock.now();
  await tx.run(sql`
    insert into accounts (id, email, email_proved_at, name, created_at, updated_at)
    values (${newId(now)}, ${email}, ${now}, ${nameOf(identity, email)}, ${now}, ${now})
    on conflict (lower(email)) do nothing`);
  return findAccount(tx, email);
}

function nameOf({ name }: OidcIdentity, email: string): string {
  const given = (name ?? '').trim();
  const fits = given.length <= 200 && isVisible(given) && given.isWellFormed() && !given.includes('\0');
  return fits ? given : email.split('@')[0]!;
}

/** Of two links of one identity at once, one writes the row and the other one finds it. */
async function link(tx: Tx, identity: OidcIdentity, account: Id): Promise<OidcAccount> {
  const { issuer, subject } = identity;
  const written = await tx.run(sql`
    insert into account_identities (issuer, subject, account_id, created_at)
    values (${issuer}, ${subject}, ${account}, ${tx.clock.now()}) on conflict do nothing`);
  if (written === 1) return { id: account, linked: true };
  return { id: (await linkedAccount(tx, identity))!, linked: false };
}
