import { randomBytes } from 'node:crypto';
import type { Invitation, InvitationCreate, InvitationMade } from '@turnout/contract';
import type { Static } from 'typebox';
import { type Id, newId } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { queueToRender } from '../../road/for-areas/mail.ts';
import { countMails } from '../../road/for-areas/mail-counts.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import type { Work } from '../../road/operation.ts';
import { diff } from '../../road/write/diff.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { endInvitations } from '../groups/index.ts';
import { groupOf, requireMayGive } from './authority.ts';
import { INVITATION_MAIL, sealedToken } from './invitation-mail.ts';
import {
  INVITATION_LASTS,
  type InvitationRow,
  invitationShape,
  invitations,
  MAX_INVITATIONS,
} from './invitation-queries.ts';
import { MAX_MEMBERS, takeTurn } from './queries.ts';

/** Invitations go to addresses of the inviter's choice, so they are limited. */
const MAILS = { what: 'invitations', most: 100, mails: 'invitations' };

export const listInvitations = async ({ tx, caller }: Work): Promise<Invitation[]> =>
  (await invitations(tx, caller, sql`true`)).map((row) => invitationShape(row, tx.clock.now()));

export async function createInvitation(work: Work, body: Static<typeof InvitationCreate>): Promise<InvitationMade> {
  const { tx, org } = work;
  requireMayGive(await takeTurn(work), null, body.role);
  const group = await groupOf(work, body.group);
  await requireInvitable(work, body.email);
  const now = tx.clock.now();
  const id = newId(now);
  const { links, ...tokens } = makeTokens(work, body.send ?? true);
  await insertRow(tx, 'invitations', {
    org_id: org,
    id,
    email: body.email,
    role: body.role,
    group_id: group,
    invited_by: work.caller.actor.id,
    created_at: now,
    updated_at: now,
    ...tokens,
  });
  return finishInvitation(work, id, null, links);
}

/** Gives an invitation new links and new time, and mails one of them unless told otherwise. The links before are dead. */
export async function sendInvitation(work: Work, found: InvitationRow, send = true): Promise<InvitationMade> {
  const { tx, org } = work;
  const own = await takeTurn(work);
  const before = await reread(work, found.id);
  // The answer shows a link with which an account of this role can be made.
  requireMayGive(own, null, before.role);
  const { links, ...tokens } = makeTokens(work, send);
  await tx.run(sql`
    update invitations set mailed_hash = ${tokens.mailed_hash}, copied_hash = ${tokens.copied_hash}, expires_at = ${tokens.expires_at},
      invited_by = ${work.caller.actor.id}, updated_at = greatest(${tx.clock.now()}::timestamptz, updated_at + interval '1 microsecond')
    where org_id = ${org} and id = ${before.id}`);
  return finishInvitation(work, before.id, before, links);
}

export async function withdrawInvitation(work: Work, found: InvitationRow): Promise<undefined> {
  const { tx, org } = work;
  const own = await takeTurn(work);
  const before = await reread(work, found.id);
  requireMayGive(own, null, before.role);
  await endInvitations(tx, org, sql`i.id = ${before.id}`);
  const { email, role, group } = invitationShape(before, tx.clock.now());
  work.changed({
    kind: 'invitation',
    id: before.id,
    group: before.group_id,
    changes: diff({ email, role, group }, null),
  });
  return undefined;
}

const reread = async (work: Work, id: Id): Promise<InvitationRow> =>
  (await invitations(work.tx, work.caller, sql`i.id = ${id}`))[0] ?? refuse('not_found');

/** An address is a member once and is invited once, in the whole organization; and there is a limit to both. */
async function requireInvitable({ tx, org }: Work, email: string): Promise<void> {
  const of = sql`lower(i.email) = lower(${email})`;
  await endInvitations(tx, org, sql`${of} and i.expires_at <= ${tx.clock.now()}`);
  const { member, invited, members, open } = await tx.one<Record<string, boolean | number>>(sql`
    select exists (select from members m join accounts a on a.id = m.account_id
        where m.org_id = ${org} and lower(a.email) = lower(${email})) as member,
      exists (select from invitations i where i.org_id = ${org} and ${of}
        and i.accepted_at is null and i.withdrawn_at is null) as invited,
      (select count(*)::int from members where org_id = ${org}) as members,
      (select count(*)::int from invitations where org_id = ${org} and accepted_at is null and withdrawn_at is null) as open`);
  const no = (message: string) => refuse('invalid_state', { message });
  if (member) no(`${email} is already a member of this organization.`);
  if (invited) no(`${email} is already invited. Send that invitation again, or withdraw it first.`);
  if ((open as number) >= MAX_INVITATIONS) {
    no(`At most ${MAX_INVITATIONS} invitations can be open at the same time. Withdraw some first.`);
  }
  if ((members as number) >= MAX_MEMBERS) {
    no(`An organization has at most ${MAX_MEMBERS} members. Remove some first.`);
  }
}

interface NewLinks {
  copied: string;
  mailed: string | null;
}

/** The token that is mailed proves the address, the one that is shown to the inviter does not, so they are two. */
function makeTokens({ tx }: Work, send: boolean) {
  const token = () => randomBytes(32).toString('base64url');
  const links: NewLinks = { copied: token(), mailed: send ? token() : null };
  return {
    links,
    copied_hash: hashSecret(links.copied),
    mailed_hash: links.mailed === null ? null : hashSecret(links.mailed),
    expires_at: new Date(tx.clock.now().getTime() + INVITATION_LASTS),
  };
}

async function finishInvitation(
  work: Work,
  id: Id,
  before: InvitationRow | null,
  { copied, mailed }: NewLinks,
): Promise<InvitationMade> {
  const { tx, org, caller } = work;
  const row = await reread(work, id);
  if (mailed !== null) {
    await countMails(tx, org, MAILS, 1);
    const data = { sealed: sealedToken(work.secrets, mailed) };
    await queueToRender(tx, org, {
      kind: INVITATION_MAIL,
      to: row.email,
      subject: caller.org.name,
      object: id,
      data: { invitation: id, ...data },
    });
  }
  const now = tx.clock.now();
  const shape = invitationShape(row, now);
  work.changed({
    kind: 'invitation',
    id,
    group: row.group_id,
    changes: diff(before === null ? null : invitationShape(before, now), shape),
    details: { mailed: mailed !== null, ...(before !== null && { email: row.email }) },
  });
  return { ...shape, link: work.links.screen('invitation', copied), mailed: mailed !== null };
}
