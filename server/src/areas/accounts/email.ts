import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { acrossOrganizationsAudit } from './audit.ts';
import type { AccountCall } from './call.ts';
import { dropLinks, LIFETIME, makeLink, takeLink } from './links.ts';
import { takeMail } from './mail-sign-in.ts';
import { queueAccountMail } from './mails.ts';
import { lockOwnAccount } from './own-account.ts';

/**
 * Mails a link to the new address. It is sent whether or not another account has the address, so that nobody finds out here who has
 * one; `confirmEmail` then says so to whoever reads the mails of that address. The own address can be given again: opening its link
 * while signed in proves it, without the loss of what was set before.
 */
export async function changeEmail(call: AccountCall<{ email: string }, 'proved'>): Promise<undefined> {
  const { email } = call.body;
  await call.work(async (tx) => {
    const account = await lockOwnAccount(tx, call.session);
    await takeMail(tx, call, email, null);
    await tx.run(sql`delete from account_links where account_id = ${account.id} and kind = 'email'`);
    const token = await makeLink(tx, { kind: 'email', account: account.id, email });
    await queueAccountMail(tx, call.secrets, {
      kind: 'email',
      to: email,
      toName: null,
      language: account.language,
      path: `/email#${token}`,
      until: new Date(tx.clock.now().getTime() + LIFETIME.email),
    });
  });
  call.wakeMails();
  return undefined;
}

/**
 * Gives the account the address that the link was mailed to. Only somebody who is signed in with that account can do it: otherwise a
 * stranger could enter the address of somebody else, who opens the link without thinking and from then on shares an account with
 * them.
 */
export async function confirmEmail(call: AccountCall<{ token: string }, 'none'>): Promise<undefined> {
  const session = await call.signedIn();
  if (session === null) {
    return refuse('sign_in_required', {
      message: 'Sign in with the account whose address is to change, then open the link again.',
    });
  }
  if (session.sandbox) return refuse('sandbox_account');
  await call.work(async (tx) => {
    const account = await lockOwnAccount(tx, session);
    const link = await takeLink(tx, call.body.token, ['email']);
    if (link === null || link.account !== account.id || link.email === null) return refuse('link_not_valid');
    const { email } = link;
    const now = tx.clock.now();
    const taken = await tx.maybe(
      sql`select 1 from accounts where lower(email) = lower(${email}) and id <> ${account.id}`,
    );
    if (taken !== null) refuse('invalid_state', { message: `Another account has the address ${email} already.` });
    await tx.run(sql`
      update accounts set email = ${email}, email_proved_at = ${now}, updated_at = ${now} where id = ${account.id}`);
    await dropLinks(tx, account.id);
    if (email === account.email) {
      await acrossOrganizationsAudit(tx, account, 'account.email_proved', call.request);
      return;
    }
    await queueAccountMail(tx, call.secrets, {
      kind: 'email_changed',
      to: account.email,
      toName: account.name,
      language: account.language,
      path: null,
      email,
      until: null,
    });
    await acrossOrganizationsAudit(tx, account, 'account.email_changed', call.request, {
      changes: { email: [account.email, email] },
    });
  });
  call.wakeMails();
  return undefined;
}
