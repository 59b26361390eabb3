import type { InvitationOffer, Role } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountCall, findByEmail, type SignedInSession } from '../accounts/index.ts';
import { INVITATION_BACKED, STANDS } from '../groups/index.ts';

export interface OpenInvitation {
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
export async function acrossOrganizationsOpen(tx: Tx, token: string): Promise<OpenInvitation> {
  const hash = hashSecret(token);
  const found = await tx.maybe<OpenInvitation>(sql`
    select i.org_id, i.id, i.mailed_hash is not distinct from ${hash} as mailed, i.email, i.role, i.group_id, g.code as group_code,
      g.name as group_name, o.code as org_code, o.name as org_name, o.language as org_language, a.name as invited_by, i.expires_at
    from invitations i join organizations o on o.id = i.org_id
    left join groups g on g.org_id = i.org_id and g.id = i.group_id
    left join members m on m.org_id = i.org_id and m.id = i.invited_by
    left join accounts a on a.id = m.account_id
    where (i.mailed_hash = ${hash} or i.copied_hash = ${hash}) and ${STANDS} and ${INVITATION_BACKED}
      and i.expires_at > ${tx.clock.now()}`);
  return found ?? refuse('link_not_valid');
}

/**
 * What has to happen for the invitation to be accepted by whoever has opened it. The copied link is shown to the inviter, who may have
 * typed any address. So for whoever has only that link, no account is looked for: neither the answer nor its time tells whether the
 * address has one.
 */
async function standing(
  tx: Tx,
  { mailed, email }: OpenInvitation,
  session: SignedInSession | null,
): Promise<InvitationOffer['account']> {
  if (session !== null) return session.email.toLowerCase() === email.toLowerCase() ? 'signed_in' : 'other';
  if (!mailed) return 'unproved';
  return (await findByEmail(tx, email)) === null ? 'none' : 'joins';
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
      account: await standing(tx, found, session),
    };
  });
}
