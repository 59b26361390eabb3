import type { AccountLanguage, SignedIn } from '@turnout/contract';
import { newId } from '../../common/ids.ts';
import { invalidRequest, refuse } from '../../common/refusal.ts';
import { languageOf } from '../../outside/locale.ts';
import { writeAudit } from '../../road/write/record.ts';
import { Again } from '../../store/clocks.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  type AccountCall,
  type AccountRow,
  createAccount,
  type Entered,
  enter,
  entered,
  isOpen,
  lockByEmail,
  passwordFaults,
  proveEmail,
  type SignedInSession,
  takeOfHour,
  throttled,
} from '../accounts/index.ts';
import { acrossOrganizationsOpen, lookAtInvitation, type OpenInvitation } from './offer.ts';
import { MAX_MEMBERS } from './queries.ts';

/**
 * Accepting a copied link ends differently for an address that has an account, because the link must not sign in to it. So an inviter
 * who accepts their own invitations could find out which addresses have one. Each such try uses the invitation up or is refused, and an
 * organization has so many of them in an hour.
 */
const COPIED_LINKS_AN_HOUR = 100;

interface AcceptInput {
  token: string;
  name?: string;
  language?: AccountLanguage;
  password?: string;
}

/** Makes whoever has opened the invitation a member, and signs them in unless they are. */
export async function acceptInvitation(call: AccountCall<AcceptInput, 'none'>): Promise<SignedIn> {
  const { token, password } = call.body;
  const faults = password === undefined ? [] : passwordFaults(password);
  if (faults.length > 0) throw invalidRequest(faults);
  const session = await call.signedIn();
  // The token is looked at first, so that nobody can have hashes computed without one.
  const offer = await lookAtInvitation({ ...call, body: { token } });
  if (offer.account === 'unproved') await countCopiedLink(call, offer.organization.code);
  const mayBeNew = offer.account === 'none' || offer.account === 'unproved';
  const hash = mayBeNew && password !== undefined ? await call.passwords.hash(password) : null;
  const { result, cleared, organization } = await call.work(async (tx) => {
    const found = await lockInvitation(tx, token);
    if (session === null && !found.mailed) {
      // Whatever could be refused for another reason is refused before it shows whether the address has an account.
      requireName(call.body);
      await requireRoom(tx, found);
    }
    const { account, cleared } = await accountFor(tx, call, found, session, hash);
    await join(tx, call, found, account);
    const organization = found.org_code;
    const method = found.mailed ? 'mail' : 'link';
    const result: Entered | null =
      session === null ? await enter(tx, call, account, { method, secondFactor: false, organization }) : null;
    return { result, cleared, organization };
  });
  return result === null ? { status: 'signed_in', organization, cleared } : entered(call, result, cleared);
}

/** In a transaction of its own, because a refused try counts as well. */
async function countCopiedLink(call: AccountCall, organization: string): Promise<void> {
  const of = `copied invitations ${organization.toLowerCase()}`;
  const wait = await call.work((tx) => takeOfHour(tx, call.secrets, of, COPIED_LINKS_AN_HOUR));
  if (wait > 0) throttled(wait, 'Many people have joined this organization by a copied link within the last hour');
}

/**
 * Whoever changes who has access takes turns (queries.ts). So of two who accept at once, the second finds the link used, and if the
 * inviter has lost the right to give this role meanwhile, the link is found withdrawn.
 */
async function lockInvitation(tx: Tx, token: string): Promise<OpenInvitation> {
  const { org_id } = await acrossOrganizationsOpen(tx, token);
  await tx.run(sql`select from organizations where id = ${org_id} for no key update`);
  return acrossOrganizationsOpen(tx, token);
}

async function accountFor(
  tx: Tx,
  call: AccountCall<AcceptInput, 'none'>,
  found: OpenInvitation,
  session: SignedInSession | null,
  passwordHash: string | null,
): Promise<{ account: AccountRow; cleared: boolean }> {
  const account = await lockByEmail(tx, found.email);
  // Whoever has the printed link is this account, and would be in the organization with it.
  if (account?.sandbox === true) return refuse('sandbox_account');
  if (session !== null) {
    if (session.account !== account?.id) {
      return refuse('invalid_state', {
        message: `The invitation is for ${found.email}, and you are signed in with another address. Sign out, then open the link again.`,
      });
    }
    if (!(await isOpen(tx, session))) return refuse('sign_in_required');
    // The same person is signed in and reads the mails of the address, so nothing that they have set is in doubt.
    if (found.mailed) {
      await tx.run(sql`update accounts set email_proved_at = ${tx.clock.now()} where id = ${account.id}`);
    }
    return { account, cleared: false };
  }
  if (account === null) return { account: await newAccount(tx, call, found, passwordHash), cleared: false };
  if (found.mailed) return { account, cleared: await proveEmail(tx, account, call.request) };
  return refuse('sign_in_required', {
    message: `${found.email} has an account already. Sign in with it, then open the link again.`,
  });
}

function requireName({ name }: AcceptInput): string {
  if (name !== undefined) return name;
  throw invalidRequest([{ path: 'name', message: 'is required for a new account', rule: 'required' }]);
}

async function requireRoom(tx: Tx, { org_id, org_name }: OpenInvitation): Promise<void> {
  const { members } = await tx.one<{ members: number }>(
    sql`select count(*)::int as members from members where org_id = ${org_id}`,
  );
  if (members < MAX_MEMBERS) return;
  refuse('invalid_state', {
    message: `${org_name} has ${MAX_MEMBERS} members, the most it can have. Ask the person who invited you to make room.`,
  });
}

async function newAccount(
  tx: Tx,
  { body }: AccountCall<AcceptInput, 'none'>,
  { email, mailed, org_language }: OpenInvitation,
  passwordHash: string | null,
): Promise<AccountRow> {
  const { language = languageOf(org_language) } = body;
  const name = requireName(body);
  const made = await createAccount(tx, { email, proved: mailed, name, language, passwordHash });
  if (made === null) throw new Again('the address has got an account in the meantime');
  return made;
}

async function join(tx: Tx, { request }: AccountCall, found: OpenInvitation, account: AccountRow): Promise<void> {
  const { org_id, role, group_id } = found;
  const now = tx.clock.now();
  await tx.run(sql`
    update invitations set accepted_at = ${now}, updated_at = ${now}, group_id = null where org_id = ${org_id} and id = ${found.id}`);
  const already = await tx.maybe(sql`select 1 from members where org_id = ${org_id} and account_id = ${account.id}`);
  // They became a member in another way in the meantime. Their role stays.
  if (already !== null) return;
  await requireRoom(tx, found);
  const id = newId(now);
  const row = { org_id, id, account_id: account.id, role, group_id, created_at: now, updated_at: now };
  await insertRow(tx, 'members', row);
  writeAudit(tx, org_id, [
    {
      action: 'member.joined',
      kind: 'member',
      id,
      group: group_id,
      changes: { role: [null, role], ...(group_id !== null && { group: [null, found.group_code] }) },
      details: { email: account.email, invited_by: found.invited_by, link: found.mailed ? 'mailed' : 'copied' },
      objects: [{ kind: 'invitation', id: found.id }],
      caller: { actor: { kind: 'member', id, name: account.name }, mode: 'live' },
      source: 'app',
      client: null,
      requestId: request.id,
    },
  ]);
}
