import type { AccountLanguage, SignedIn, StartOffer } from '@turnout/contract';
import { invalidRequest, refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { createOrganization } from '../access/index.ts';
import { type AccountRow, addToOrganization, createAccount, findByEmail } from './accounts.ts';
import { auditIn } from './audit.ts';
import type { AccountCall } from './call.ts';
import { enter, entered } from './enter.ts';
import { LIFETIME, type LinkRow, lookAtLink, makeLink, takeLink } from './links.ts';
import { takeMail } from './mail-sign-in.ts';
import { queueAccountMail } from './mails.ts';
import { lockOwnAccount } from './own-account.ts';
import { passwordFaults } from './passwords.ts';
import { hasSecondFactor, type SignedInSession } from './sessions.ts';

/** Whoever runs an installation has all of it; an organization that signs up begins with the smallest plan. */
const PLAN = { first: 'scale', sign_up: 'free' } as const;

/** Whether somebody has begun to use the installation: it has an organization beside the sandbox. */
const acrossOrganizationsAny = async (tx: Tx): Promise<boolean> =>
  (await tx.maybe(sql`select 1 from organizations where not sandbox limit 1`)) !== null;

/** The link of the first person. A new start replaces it. Null once there is an organization. */
export async function makeFirstLink(tx: Tx): Promise<string | null> {
  await tx.run(sql`delete from account_links where kind = 'first'`);
  return (await acrossOrganizationsAny(tx)) ? null : makeLink(tx, { kind: 'first', account: null, email: null });
}

/** Mails a link to make an organization, where anybody may. The answer is the same for every address. */
export async function sendSignUpLink(call: AccountCall<{ email: string }, 'none'>): Promise<undefined> {
  if (call.settings.signup !== 'open') return refuse('signup_closed');
  const { email } = call.body;
  await call.work(async (tx) => {
    const account = await findByEmail(tx, email);
    await takeMail(tx, call, email, account);
    const token = await makeLink(tx, { kind: 'sign_up', account: null, email: account?.email ?? email });
    await queueAccountMail(tx, call.secrets, {
      kind: 'sign_up',
      to: account?.email ?? email,
      toName: account?.name ?? null,
      language: account?.language ?? call.request.language,
      path: `/start#${token}`,
      until: new Date(tx.clock.now().getTime() + LIFETIME.sign_up),
      toNobody: account?.sandbox === true,
    });
  });
  call.wakeMails();
  return undefined;
}

/** The first link is over as soon as there is an organization, however that was made. */
async function requireUsable(tx: Tx, call: AccountCall, link: LinkRow | null): Promise<LinkRow> {
  if (link === null) return refuse('link_not_valid');
  if (link.kind === 'first' && (await acrossOrganizationsAny(tx))) return refuse('link_not_valid');
  if (link.kind === 'sign_up' && call.settings.signup !== 'open') return refuse('signup_closed');
  return link;
}

export const lookAtStart = (call: AccountCall<{ token: string }, 'none'>): Promise<StartOffer> =>
  call.work(async (tx) => {
    const link = await requireUsable(tx, call, await lookAtLink(tx, call.body.token, ['first', 'sign_up']));
    return { first: link.kind === 'first', email: link.email };
  });

interface StartInput {
  token: string;
  organization: { code: string; name: string; timezone: string };
  name: string;
  email: string;
  language?: AccountLanguage;
  password?: string;
}

/**
 * Makes the organization, its owner and their session in one transaction. If two people use one link, the second waits for the first
 * and is then refused.
 */
export async function startOrganization(call: AccountCall<StartInput, 'none'>): Promise<SignedIn> {
  const { token, organization, password } = call.body;
  const faults = password === undefined ? [] : passwordFaults(password);
  if (faults.length > 0) throw invalidRequest(faults);
  // Before a hash is computed, the link is looked at, so that nobody can have hashes computed without one.
  await lookAtStart({ ...call, body: { token } });
  const passwordHash = password === undefined ? null : await call.passwords.hash(password);
  const session = await call.signedIn();
  const result = await call.work(async (tx) => {
    const link = await requireUsable(tx, call, await takeLink(tx, token, ['first', 'sign_up']));
    const owner = await ownerOf(tx, call, link, session, passwordHash);
    const plan = PLAN[link.kind as keyof typeof PLAN];
    const made = await createOrganization(tx, { ...organization, plan });
    await addToOrganization(tx, made.id, owner.id, 'owner');
    await auditIn(tx, made.id, owner, 'organization.created', call.request, { details: { link: link.kind } });
    const secondFactor = session?.account === owner.id && (await hasSecondFactor(tx, session));
    return enter(tx, call, owner, { method: 'link', secondFactor, organization: made.code });
  });
  return entered(call, result);
}

/** The account that will own the organization: a new one, or the one that the person is signed in with. */
async function ownerOf(
  tx: Tx,
  { body }: AccountCall<StartInput, 'none'>,
  link: LinkRow,
  session: SignedInSession | null,
  passwordHash: string | null,
): Promise<AccountRow> {
  const email = link.email ?? body.email;
  if (body.email.toLowerCase() !== email.toLowerCase()) {
    throw invalidRequest([{ path: 'email', message: 'must be the e-mail that the link was sent to' }]);
  }
  const { name, language = 'en' } = body;
  const made = await createAccount(tx, { email, proved: link.email !== null, name, language, passwordHash });
  if (made !== null) return made;
  const existing = await findByEmail(tx, email);
  if (existing === null || session === null || session.account !== existing.id || existing.sandbox) {
    return refuse('sign_in_required', {
      message: 'This address has an account already. Sign in with it, then open the link again.',
    });
  }
  return lockOwnAccount(tx, session);
}
