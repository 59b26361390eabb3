import type { AccountLanguage, InvitationOffer, Role, SignedIn } from '@turnout/contract';
import { languageOf } from '../../outside/locale.ts';
import { hashSecret } from '../../road/authenticate.ts';
import { writeAudit } from '../../road/record.ts';
import { invalidRequest, refuse } from '../../road/refusal.ts';
import { Again } from '../../store/clocks.ts';
import { type Id, newId } from '../../store/ids.ts';
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
  findByEmail,
  lockByEmail,
  passwordFaults,
  proveEmail,
  type SignedInSession,
} from '../accounts/index.ts';
import { STANDS } from './invitation-queries.ts';
import { MOST_MEMBERS } from './queries.ts';

interface Opened {
  org_id: Id;
  id: Id;
  /** Whether the token is the one that was mailed: whoever has it reads the mails of the address. */
  mailed: boolean;
  email: string;
  role: Role;
  group_id: Id | null;
  group_code: string | null;
  group_name: string | null;
  org_code: string;
  org_name: string;
  org_language: string;
  invited_by: string | null;
  expires_at: string;
}

/** The open invitation that a token belongs to. The organization is not known before. */
async function acrossOrganizationsOpen(tx: Tx, token: string): Promise<Opened> {
  const hash = hashSecret(token);
  const found = await tx.maybe<Opened>(sql`
    select i.org_id, i.id, i.mailed_hash is not distinct from ${hash} as mailed, i.email, i.role, i.group_id, g.code as group_code,
      g.name as group_name, o.code as org_code, o.name as org_name, o.language as org_language, a.name as invited_by, i.expires_at
    from invitations i join organizations o on o.id = i.org_id
    left join groups g on g.org_id = i.org_id and g.id = i.group_id
    left join members m on m.org_id = i.org_id and m.id = i.invited_by
    left join accounts a on a.id = m.account_id
    where (i.mailed_hash = ${hash} or i.copied_hash = ${hash}) and ${STANDS} and i.expires_at > ${tx.clock.now()}`);
  return found ?? refuse('link_not_valid');
}

/** What has to happen for the invitation to be accepted by whoever has opened it. */
function standing(
  { mailed }: Opened,
  account: AccountRow | null,
  session: SignedInSession | null,
): InvitationOffer['account'] {
  if (session !== null) return session.account === account?.id ? 'signed_in' : 'other';
  if (account === null) return 'none';
  return mailed ? 'joins' : 'sign_in_first';
}

export async function lookAtInvitation(call: AccountCall<{ token: string }, 'none'>): Promise<InvitationOffer> {
  const session = await call.signedIn();
  return call.work(async (tx) => {
    const found = await acrossOrganizationsOpen(tx, call.body.token);
    return {
      organization: { code: found.org_code, name: found.org_name },
      email: found.email,
      role: found.role,
      group: found.group_name,
      invited_by: found.invited_by,
      expires_at: found.expires_at,
      account: standing(found, await findByEmail(tx, found.email), session),
    };
  });
}

interface Wanted {
  token: string;
  name?: string;
  language?: AccountLanguage;
  password?: string;
}

/** Makes whoever has opened the invitation a member, and signs them in unless they are. */
export async function acceptInvitation(call: AccountCall<Wanted, 'none'>): Promise<SignedIn> {
  const { token, password } = call.body;
  const faults = password === undefined ? [] : passwordFaults(password);
  if (faults.length > 0) throw invalidRequest(faults);
  const session = await call.signedIn();
  // The token is looked at first, so that nobody can have hashes computed without one.
  const offer = await lookAtInvitation({ ...call, body: { token } });
  const hash = offer.account === 'none' && password !== undefined ? await call.passwords.hash(password) : null;
  const { result, cleared, organization } = await call.work(async (tx) => {
    const found = await lockInvitation(tx, token);
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

/** Whoever changes who has access takes turns (queries.ts); of two who accept at once, the second finds the link used. */
async function lockInvitation(tx: Tx, token: string): Promise<Opened> {
  const { org_id } = await acrossOrganizationsOpen(tx, token);
  await tx.run(sql`select from organizations where id = ${org_id} for no key update`);
  return acrossOrganizationsOpen(tx, token);
}

async function accountFor(
  tx: Tx,
  call: AccountCall<Wanted, 'none'>,
  found: Opened,
  session: SignedInSession | null,
  passwordHash: string | null,
): Promise<{ account: AccountRow; cleared: boolean }> {
  const account = await lockByEmail(tx, found.email);
  // Whoever has the printed link is this account, and would be in the organization with it.
  if (account?.sandbox === true) return refuse('sandbox_account');
  switch (standing(found, account, session)) {
    case 'none':
      return { account: await newAccount(tx, call, found, passwordHash), cleared: false };
    case 'joins':
      return { account: account!, cleared: await proveEmail(tx, account!) };
    case 'signed_in':
      // The same person is signed in and reads the mails of the address, so nothing that they have set is in doubt.
      if (found.mailed) {
        await tx.run(sql`update accounts set email_proved_at = ${tx.clock.now()} where id = ${account!.id}`);
      }
      return { account: account!, cleared: false };
    case 'sign_in_first':
      return refuse('sign_in_required', {
        message: `${found.email} has an account already. Sign in with it, then open the link again.`,
      });
    case 'other':
      return refuse('invalid_state', {
        message: `The invitation is for ${found.email}, and you are signed in with another address. Sign out, then open the link again.`,
      });
  }
}

async function newAccount(
  tx: Tx,
  { body }: AccountCall<Wanted, 'none'>,
  { email, mailed, org_language }: Opened,
  passwordHash: string | null,
): Promise<AccountRow> {
  const { name, language = languageOf(org_language) } = body;
  if (name === undefined)
    throw invalidRequest([{ path: 'name', message: 'is required for a new account', rule: 'required' }]);
  const made = await createAccount(tx, { email, proved: mailed, name, language, passwordHash });
  if (made === null) throw new Again('the address has got an account in the meantime');
  return made;
}

async function join(tx: Tx, { request }: AccountCall, found: Opened, account: AccountRow): Promise<void> {
  const { org_id, role, group_id } = found;
  const now = tx.clock.now();
  await tx.run(sql`
    update invitations set accepted_at = ${now}, updated_at = ${now}, group_id = null where org_id = ${org_id} and id = ${found.id}`);
  const { members, already } = await tx.one<{ members: number; already: boolean }>(sql`
    select count(*)::int as members, coalesce(bool_or(account_id = ${account.id}), false) as already
    from members where org_id = ${org_id}`);
  // They became a member in another way in the meantime. Their role stays.
  if (already) return;
  if (members >= MOST_MEMBERS) {
    refuse('invalid_state', {
      message: `${found.org_name} has as many members as an organization can have (${MOST_MEMBERS}). Ask whoever invited you to make room.`,
    });
  }
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
