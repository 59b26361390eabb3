import type { Group, GroupChange, GroupCreate, GroupMove } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { invalid, refuse } from '../../common/refusal.ts';
import { freeCode } from '../../road/for-areas/codes.ts';
import type { Work } from '../../road/operation.ts';
import { among, idsAndCodes, inBody, reference } from '../../road/request/reference.ts';
import { diff } from '../../road/write/diff.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { insertRow, updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { withdrawUnbacked } from './given.ts';
import { noteDeleted, noteGroupMoved } from './left-reach.ts';
import { findGroup, findGroups, type GroupRow, groupShape, hasPeople, usedBy } from './queries.ts';

/**
 * Groups form a tree. Each row holds its path from the top of the tree, so "is below" needs no recursion; moving a group
 * rewrites the paths of everything below it. The tree decides who is admitted where, so every change increases
 * `groups_version`, with which cached worlds are compared.
 */
export const aGroup = reference<GroupRow>({
  kind: 'group',
  byCode: true,
  find: ({ tx, org, caller }, ref) => findGroup(tx, org, ref, caller),
  findMany: async ({ tx, caller }, refs) => among(await findGroups(tx, caller, idsAndCodes(refs))),
});

const requireLive = (work: Work): void => {
  if (work.mode === 'test')
    refuse('test_key_live_object', {
      message: 'Groups are live objects, which a test key cannot change. Use a live key.',
    });
};

/** Takes the organization's clock, so that the tree is changed by one call at a time; gives the stamp. */
async function touchTree(work: Work): Promise<string> {
  requireLive(work);
  const stamp = await stampOrganization(work.tx, work.org);
  await work.tx.run(sql`update organizations set groups_version = groups_version + 1 where id = ${work.org}`);
  return stamp;
}

const codeTaken = (work: Work, except: Id | null) => async (code: string) =>
  (await work.tx.maybe(sql`
    select 1 from groups where org_id = ${work.org} and lower(code) = lower(${code}) and id is distinct from ${except}`)) !==
  null;

async function parentOf(work: Work, ref: string | null | undefined): Promise<GroupRow | null> {
  // A caller limited to a group cannot put anything at the top of the tree. What it creates lies below its group by default.
  if (ref === undefined || ref === null) {
    if (work.caller.group === null) return null;
    if (ref === null)
      return invalid({ path: 'parent', message: 'must not be null, because this key is limited to a group' });
    return (await findGroup(work.tx, work.org, work.caller.group.code, work.caller))!;
  }
  return inBody(work, aGroup, ref, 'parent', {});
}

export async function createGroup(work: Work, body: GroupCreate): Promise<Group> {
  const { tx, org } = work;
  const stamp = await touchTree(work);
  const parent = await parentOf(work, body.parent);
  const code = await freeCode({ code: body.code, name: body.name, fallback: 'group' }, codeTaken(work, null));
  const id = newId(tx.clock.now());
  await insertRow(tx, 'groups', {
    org_id: org,
    id,
    code,
    name: body.name,
    parent_id: parent?.id ?? null,
    path: [...(parent?.path ?? []), id],
    created_at: stamp,
    updated_at: stamp,
  });
  const group = groupShape((await findGroup(tx, org, code, work.caller))!);
  work.changed({ kind: 'group', id, group: id, changes: diff(null, group) });
  return group;
}

export async function changeGroup(work: Work, found: GroupRow, body: GroupChange): Promise<Group> {
  const { tx, org } = work;
  const stamp = await touchTree(work);
  const before = await reread(work, found);
  if (body.code !== undefined && body.code !== before.code) {
    await freeCode({ code: body.code, name: '', fallback: '' }, codeTaken(work, before.id));
    // Attendees, events and policies show the code, and would look different without having a new stamp. Other systems may know it.
    const used = (await usedBy(tx, org, before.id)) ?? ((await hasPeople(tx, org, before.id)) ? 'people' : null);
    if (used !== null)
      refuse('invalid_state', {
        message: `The group ${before.code} must keep its code, because it is in use: it has ${used}.`,
      });
  }
  await updateRow(tx, 'groups', sql`org_id = ${org} and id = ${before.id}`, { ...body, updated_at: stamp });
  return answerChanged(work, before);
}

export async function moveGroup(work: Work, found: GroupRow, body: GroupMove): Promise<Group> {
  const { tx, org } = work;
  const stamp = await touchTree(work);
  const before = await reread(work, found);
  if (work.caller.group?.id === before.id) {
    invalid({ path: 'parent', message: 'cannot be changed by a key that is limited to this group' });
  }
  const parent = await parentOf(work, body.parent);
  if (parent?.path.includes(before.id))
    invalid({ path: 'parent', message: 'must not be the group itself or a group below it' });
  const path = [...(parent?.path ?? []), before.id];
  await noteGroupMoved(tx, org, stamp, { group: before.id, was: before.path, is: path });
  await tx.run(sql`
    update groups set
      path = ${path}::uuid[] || path[${before.path.length + 1}:],
      parent_id = case when id = ${before.id} then ${parent?.id ?? null}::uuid else parent_id end,
      updated_at = ${stamp}
    where org_id = ${org} and ${before.id} = any(path)`);
  // Somebody who was above the group before may have invited people into it.
  await withdrawUnbacked(work);
  return answerChanged(work, before);
}

/** The group as it is now that the organization's clock is held: it may have changed since the path was resolved. */
async function reread(work: Work, found: GroupRow): Promise<GroupRow> {
  return (await findGroup(work.tx, work.org, toUlid(found.id), work.caller)) ?? refuse('not_found');
}

/** Reads the group once more, writes its audit entry and makes the answer. */
async function answerChanged(work: Work, before: GroupRow): Promise<Group> {
  const was = groupShape(before);
  const after = groupShape(await reread(work, before));
  work.changed({ kind: 'group', id: before.id, group: before.id, changes: diff(was, after), was });
  return after;
}

export async function deleteGroup(work: Work, group: GroupRow): Promise<undefined> {
  const { tx, org } = work;
  const stamp = await touchTree(work);
  const used = await usedBy(tx, org, group.id);
  if (used !== null)
    refuse('invalid_state', {
      message: `The group ${group.code} cannot be deleted, because it has ${used}. Move or delete those first.`,
    });
  await noteDeleted(tx, org, stamp, 'groups', [{ id: group.id, group_id: group.id }]);
  await tx.run(sql`delete from groups where org_id = ${org} and id = ${group.id}`);
  work.changed({ kind: 'group', id: group.id, changes: diff(groupShape(group), null) });
  return undefined;
}
