import type { SignedIn } from '@turnout/contract';
import { networkOf } from '../../common/network.ts';
import { refuse } from '../../common/refusal.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, findByEmail, lockAccount } from './accounts.ts';
import type { AccountCall } from './call.ts';
import { enter, entered } from './enter.ts';
import { knownBrowser } from './known-browser.ts';
import { LIFETIME, lookAtLink, makeLink, takeLink } from './links.ts';
import { queueAccountMail } from './mails.ts';
import { proveEmail } from './prove-email.ts';
import { takeOfHour, throttled } from './throttle.ts';

/** Mails that one address, and all addresses from one network, may be sent in an hour. */
const MAILS_AN_HOUR = { address: 5, network: 50 };

/** Counts a mail that somebody asks for, who need not be signed in. Known and unknown addresses count alike. */
export async function takeMail(
  tx: Tx,
  call: AccountCall,
  email: string,
  account: Pick<AccountRow, 'id'> | null,
): Promise<void> {
  const known = account === null ? null : knownBrowser(call, account.id);
  const who = known === null ? `address ${email.toLowerCase()}` : `known ${account!.id} ${known}`;
  const network = `mail network ${networkOf(call.request.address)}`;
  const waits = [
    await takeOfHour(tx, call.secrets, `mail ${who}`, MAILS_AN_HOUR.address),
    await takeOfHour(tx, call.secrets, network, MAILS_AN_HOUR.network),
  ];
  const wait = Math.max(...waits);
  if (wait > 0) throttled(wait, 'Several links were sent already. Check your e-mail.');
}

/**
 * Mails a link to sign in. For an address without an account the same statements run; the worker then drops the mail. So neither
 * the answer nor its time tells whether the address is known.
 */
export async function sendSignInLink(call: AccountCall<{ email: string }, 'none'>): Promise<undefined> {
  const { email } = call.body;
  await call.work(async (tx) => {
    const found = await findByEmail(tx, email);
    const account = found?.sandbox === true ? null : found;
    await takeMail(tx, call, email, account);
    const token = await makeLink(tx, { kind: 'sign_in', account: account?.id ?? null, email: account?.email ?? email });
    await queueAccountMail(tx, call.secrets, {
      kind: 'sign_in',
      to: account?.email ?? email,
      toName: account?.name ?? null,
      language: account?.language ?? call.request.language,
      path: `/link#${token}`,
      until: new Date(tx.clock.now().getTime() + LIFETIME.sign_in),
      toNobody: account === null,
    });
  });
  call.wakeMails();
  return undefined;
}

/** Signs in with a link that came by mail, which proves the address. A second factor is asked for if there is one. */
export async function signInWithLink(call: AccountCall<{ token: string }, 'none'>): Promise<SignedIn> {
  const { result, cleared } = await call.work(async (tx) => {
    // The account is locked before the link is used up, in the same order as where a new password drops the links.
    const seen = await lookAtLink(tx, call.body.token, ['sign_in']);
    if (seen?.account == null) return refuse('link_not_valid');
    const account = await lockAccount(tx, seen.account);
    const link = await takeLink(tx, call.body.token, ['sign_in']);
    if (link === null) return refuse('link_not_valid');
    // The address of the account may have changed since the mail was sent.
    if (account === null || account.email !== link.email) return refuse('link_not_valid');
    const cleared = await proveEmail(tx, account, call.request);
    return { result: await enter(tx, call, account, { method: 'mail', secondFactor: false }), cleared };
  });
  return entered(call, result, cleared);
}
