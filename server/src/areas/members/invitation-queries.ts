import type { Invitation, Role } from '@turnout/contract';
import { HOUR } from '../../clock.ts';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import { reference } from '../../road/request/reference.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { inReach, STANDS } from '../groups/index.ts';

export const INVITATION_LASTS = 72 * HOUR;
export const MAX_INVITATIONS = 200;

/**
 * | an invitation | moved by | next |
 * |---|---|---|
 * | open | 72 hours pass | expired: it is still listed, and its links are dead |
 * | open, expired | somebody sends it again | open, with new links and 72 new hours |
 * | open | somebody accepts it | accepted: gone from the list |
 * | open, expired | somebody withdraws it, or whoever made it could no longer make it (groups/given.ts) | withdrawn: gone from the list |
 * | expired | the address is invited anew | withdrawn |
 */
export interface InvitationRow {
  id: Id;
  email: string;
  role: Role;
  group_id: Id | null;
  group_code: string | null;
  invited_by: string | null;
  expires_at: string;
  created_at: string;
  updated_at: string;
}

/** The open and expired invitations that the caller reaches. */
export const invitations = (tx: Tx, caller: Caller, where: Sql): Promise<InvitationRow[]> =>
  tx.all<InvitationRow>(sql`
    select i.id, i.email, i.role, i.group_id, g.code as group_code, a.name as invited_by, i.expires_at, i.created_at, i.updated_at
    from invitations i
    left join groups g on g.org_id = i.org_id and g.id = i.group_id
    left join members m on m.org_id = i.org_id and m.id = i.invited_by
    left join accounts a on a.id = m.account_id
    where i.org_id = ${caller.org.id} and ${STANDS} and ${inReach(caller, sql`i.group_id`)} and ${where}
    order by i.created_at desc, i.id`);

export const invitationShape = (row: InvitationRow, now: Date): Invitation => ({
  id: toUlid(row.id),
  email: row.email,
  role: row.role,
  group: row.group_code,
  invited_by: row.invited_by,
  state: Date.parse(row.expires_at) > now.getTime() ? 'open' : 'expired',
  expires_at: row.expires_at,
  ...stamps(row),
});

export const anInvitation = reference<InvitationRow>({
  kind: 'invitation',
  byCode: false,
  find: async ({ tx, caller }, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : ((await invitations(tx, caller, sql`i.id = ${id}`))[0] ?? null);
  },
});
