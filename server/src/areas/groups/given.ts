import { mayInvite, ROLE_PERMISSIONS, ROLES, type Role } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import type { Change } from '../../road/write/audited.ts';
import { diff } from '../../road/write/diff.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * What a member has given to others who have not used it yet: an invitation, or a code that pairs a scanner. It holds for as long as
 * the member could give it anew, by their role and their group. It is backed by them, as we call it. Two things see to that:
 *
 * - Whatever changes a role, a group, a membership or the tree of groups calls `withdrawUnbacked` in its own transaction. Without
 *   that, a link would work again as soon as the member got the role back.
 * - Whoever uses it is asked for `INVITATION_BACKED` or `PAIRING_CODE_BACKED` once more. A code that was being made while the change
 *   was committed is found only here.
 *
 * What the operator of the installation has made needs nobody's backing.
 */

/** Invitations that were neither accepted nor withdrawn. They may have expired. */
export const STANDS = sql`i.accepted_at is null and i.withdrawn_at is null`;

const GIVING: readonly string[] = ROLES.flatMap((own) =>
  ROLES.filter((to) => mayInvite(own, to)).map((to) => `${own} ${to}`),
);
const PAIRING: readonly Role[] = ROLES.filter((role) => ROLE_PERMISSIONS[role].includes('door.devices'));

/** The member `by` of the organization reaches the group, by their own group, and has such a role. A null group is all of it. */
const backed = (org: Sql, by: Sql, group: Sql, role: Sql): Sql => sql`(${by} is null or exists (
  select from members b where b.org_id = ${org} and b.id = ${by} and ${role} and (b.group_id is null or exists (
    select from groups r where r.org_id = ${org} and r.id = ${group} and b.group_id = any(r.path)))))`;

export const INVITATION_BACKED = backed(
  sql`i.org_id`,
  sql`i.invited_by`,
  sql`i.group_id`,
  sql`b.role || ' ' || i.role = any(${GIVING})`,
);
export const PAIRING_CODE_BACKED = backed(
  sql`c.org_id`,
  sql`c.made_by`,
  sql`c.group_id`,
  sql`b.role = any(${PAIRING})`,
);

export interface EndedInvitation {
  id: Id;
  email: string;
  role: Role;
  group_id: Id | null;
  group_code: string | null;
  invited_by: Id | null;
}

/** Ends invitations. An ended one no longer names its group, so that the group can be deleted; the audit log says what it was. */
export const endInvitations = (tx: Tx, org: Id, where: Sql): Promise<EndedInvitation[]> => {
  const now = tx.clock.now();
  return tx.all<EndedInvitation>(sql`
    update invitations i set withdrawn_at = ${now}, updated_at = ${now}, group_id = null
    from (
      select i.id, i.group_id, g.code as group_code
      from invitations i left join groups g on g.org_id = i.org_id and g.id = i.group_id
      where i.org_id = ${org} and ${STANDS} and ${where}) ended
    where i.org_id = ${org} and i.id = ended.id and ${STANDS}
    returning i.id, i.email, i.role, ended.group_id, ended.group_code, i.invited_by`);
};

/** How the audit log tells of an invitation that ended because of something else than its own withdrawal. */
export const withdrawal = (one: EndedInvitation, because: string): Change & { action: string } => ({
  action: 'invitation.withdrawn',
  kind: 'invitation',
  id: one.id,
  group: one.group_id,
  changes: diff({ email: one.email, role: one.role, group: one.group_code }, null),
  details: { because },
  objects: one.invited_by === null ? [] : [{ kind: 'member', id: one.invited_by }],
});

/**
 * Ends whatever its maker could no longer give, and says so in the audit log. Returns the invitations. Call it after the change, in
 * its transaction, with the row of the organization locked: whoever accepts an invitation waits for that lock.
 */
export async function withdrawUnbacked({ tx, org, changed }: Pick<Work, 'tx' | 'org' | 'changed'>) {
  await tx.run(sql`
    delete from pairing_codes c where c.org_id = ${org} and c.used_at is null and not ${PAIRING_CODE_BACKED}`);
  const ended = await endInvitations(tx, org, sql`not ${INVITATION_BACKED}`);
  for (const one of ended) changed(withdrawal(one, 'The member who made it can no longer give it.'));
  return ended;
}
