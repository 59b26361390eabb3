import type { Member, Role } from '@turnout/contract';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Caller } from '../../road/caller.ts';
import type { Work } from '../../road/operation.ts';
import { reference } from '../../road/request/reference.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { inReach } from '../groups/index.ts';

export const MAX_MEMBERS = 500;

export interface MemberRow {
  id: Id;
  account_id: Id;
  email: string;
  name: string;
  role: Role;
  group_id: Id | null;
  group_code: string | null;
  second_factor: boolean;
  door_pin: boolean;
  last_seen_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The members that the caller reaches: those of its group and of the groups below it, or all. */
export const members = (tx: Tx, caller: Caller, where: Sql): Promise<MemberRow[]> =>
  tx.all<MemberRow>(sql`
    select m.id, m.account_id, a.email, a.name, m.role, m.group_id, g.code as group_code,
      a.has_totp or exists (select from account_passkeys k where k.account_id = a.id) as second_factor,
      m.pin_hash is not null as door_pin, m.last_seen_at,
      m.created_at, m.updated_at
    from members m join accounts a on a.id = m.account_id
    left join groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = ${caller.org.id} and ${inReach(caller, sql`m.group_id`)} and ${where}
    order by lower(a.name), m.id`);

export const memberShape = (row: MemberRow, { actor }: Caller): Member => ({
  id: toUlid(row.id),
  email: row.email,
  name: row.name,
  role: row.role,
  group: row.group_code,
  second_factor: row.second_factor,
  door_pin: row.door_pin,
  you: row.id === actor.id,
  last_seen_at: row.last_seen_at,
  ...stamps(row),
});

export const aMember = reference<MemberRow>({
  kind: 'member',
  byCode: false,
  find: async ({ tx, caller }, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : ((await members(tx, caller, sql`m.id = ${id}`))[0] ?? null);
  },
});

/**
 * Changes of who has access take turns in an organization: two owners who lower each other at the same time must not both
 * succeed, and limits are counted exactly. The caller's own role was read before the lock was taken, so it is compared here.
 * Returns the role by which the caller acts; the operator acts as an owner.
 */
export async function takeTurn({ tx, org, caller }: Work): Promise<Role> {
  // `no key`: a stronger lock would block every insert of a row that refers to the organization.
  await tx.run(sql`select from organizations where id = ${org} for no key update`);
  const { actor, group } = caller;
  if (actor.kind === 'system') return 'owner';
  if (actor.kind !== 'member') throw new Error('only members and the operator change who has access');
  const self = await tx.maybe<{ role: Role; group_id: Id | null }>(sql`
    select role, group_id from members where org_id = ${org} and id = ${actor.id}`);
  if (self?.role !== actor.role || self.group_id !== (group?.id ?? null)) {
    refuse('permission_required', { message: 'Your own access was changed a moment ago. Load the page again.' });
  }
  return actor.role;
}
