import type { Member, MemberChange, Role } from '@turnout/contract';
import type { Static } from 'typebox';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { diff } from '../../road/write/diff.ts';
import { updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { withdrawUnbacked } from '../groups/index.ts';
import { groupOf, requireMayGive } from './authority.ts';
import { type MemberRow, memberShape, members, takeTurn } from './queries.ts';

export const listMembers = async ({ tx, caller }: Work): Promise<Member[]> =>
  (await members(tx, caller, sql`true`)).map((row) => memberShape(row, caller));

/** The member as they are now that it is our turn: they may have changed since the path was resolved. */
const reread = async (work: Work, id: Id): Promise<MemberRow> =>
  (await members(work.tx, work.caller, sql`m.id = ${id}`))[0] ?? refuse('not_found');

interface Access {
  role: Role;
  group_id: Id | null;
}

/**
 * An organization keeps an owner. One who is limited to a group does not count, because nobody would be left who can change the
 * organization itself.
 */
async function requireOwnerLeft({ tx, org }: Work, before: MemberRow, after: Access | null): Promise<void> {
  const isWhole = (one: Access | null) => one?.role === 'owner' && one.group_id === null;
  if (!isWhole(before) || isWhole(after)) return;
  const other = await tx.maybe(sql`
    select 1 from members where org_id = ${org} and role = 'owner' and group_id is null and id <> ${before.id} limit 1`);
  if (other === null) refuse('last_owner');
}

export async function changeMember(work: Work, found: MemberRow, body: Static<typeof MemberChange>): Promise<Member> {
  const { tx, org, caller } = work;
  const own = await takeTurn(work);
  const before = await reread(work, found.id);
  const after: Access = {
    role: body.role ?? before.role,
    group_id: body.group === undefined ? before.group_id : await groupOf(work, body.group),
  };
  requireMayGive(own, before.role, after.role);
  await requireOwnerLeft(work, before, after);
  await updateRow(tx, 'members', sql`org_id = ${org} and id = ${before.id}`, {
    ...after,
    updated_at: sql`greatest(${tx.clock.now()}::timestamptz, updated_at + interval '1 microsecond')`,
  });
  const same = after.role === before.role && after.group_id === before.group_id;
  const withdrawn = same ? [] : await withdrawUnbacked(work);
  const was = memberShape(before, caller);
  const changed = memberShape(await reread(work, before.id), caller);
  // They may have been here in the meantime, which is no change of their access.
  const changes = diff({ ...was, last_seen_at: null }, { ...changed, last_seen_at: null });
  work.changed({
    kind: 'member',
    id: before.id,
    group: after.group_id ?? before.group_id,
    changes,
    ...(Object.keys(changes).length > 0 && { details: { email: before.email } }),
    objects: withdrawn.map(({ id }) => ({ kind: 'invitation', id })),
    was,
  });
  return changed;
}

/** Sessions stay, because they belong to the account; the organization is gone for it from the next request on. */
export async function removeMember(work: Work, found: MemberRow): Promise<undefined> {
  const own = await takeTurn(work);
  const before = await reread(work, found.id);
  requireMayGive(own, before.role, null);
  await remove(work, before);
  return undefined;
}

/** Everybody may leave, except the last owner, and the sandbox's made-up manager, who belongs to everybody. */
export async function leaveOrganization(work: Work): Promise<undefined> {
  await takeTurn(work);
  const before = await reread(work, work.caller.actor.id!);
  const { sandbox } = await work.tx.one<{ sandbox: boolean }>(
    sql`select sandbox from accounts where id = ${before.account_id}`,
  );
  if (sandbox) refuse('sandbox_account');
  await remove(work, before);
  return undefined;
}

async function remove(work: Work, before: MemberRow): Promise<void> {
  const { tx, org, caller } = work;
  await requireOwnerLeft(work, before, null);
  await tx.run(sql`delete from members where org_id = ${org} and id = ${before.id}`);
  // Nobody answers for their invitations any more. Keys and devices stay: programs and gates go on working.
  const withdrawn = await withdrawUnbacked(work);
  const { email, name, role, group } = memberShape(before, caller);
  work.changed({
    kind: 'member',
    id: before.id,
    group: before.group_id,
    changes: diff({ email, name, role, group }, null),
    objects: withdrawn.map(({ id }) => ({ kind: 'invitation', id })),
  });
}
