import type { Group, GroupChange, GroupCreate, GroupMove } from '@turnout/contract';
import { freeCode } from '../../road/codes.ts';
import { diff } from '../../road/diff.ts';
import type { Work } from '../../road/operation.ts';
import { among, inBody, reference, sought } from '../../road/reference.ts';
import { invalid, refuse } from '../../road/refusal.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { type Id, newId, toUlid } from '../../store/ids.ts';
import { insertRow, updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { findGroup, type GroupRow, groupShape, hasPeople, knownGroups, usedBy } from './queries.ts';

/**
 * Groups are a tree. Each row keeps its path from the top, so "is below" needs no recursion; a move rewrites the paths of the
 * whole subtree. Changes of the tree change who is admitted where: `groups_version` tells cached worlds.
 */
export const aGroup = reference<GroupRow>({
  kind: 'group',
  byCode: true,
  find: ({ tx, org, caller }, ref) => findGroup(tx, org, ref, caller),
  known: async ({ tx, caller }, refs) => among(await knownGroups(tx, caller, sought(refs))),
});

const requireLive = (work: Work): void => {
  if (work.mode === 'test')
    refuse('test_key_live_object', { message: 'Groups are live objects; a test key cannot change them.' });
};

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
  // What a limited key creates defaults to its group; the top of the tree is out of its reach.
  if (ref === undefined || ref === null) {
    if (work.caller.group === null) return null;
    if (ref === null)
      return invalid({ path: 'parent', message: 'this key is limited to a group and cannot reach the top' });
    return (await findGroup(work.tx, work.org, work.caller.group.code, work.caller))!;
  }
  return inBody(work, aGroup, ref, 'parent', {});
}

export async function createGroup(work: Work, body: GroupCreate): Promise<Group> {
  const { tx, org } = work;
  const stamp = await touchTree(work);
  const parent = await parentOf(work, body.parent);
  const code = await freeCode({ given: body.code, name: body.name, fallback: 'group' }, codeTaken(work, null));
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
  const before = await again(work, found);
  if (body.code !== undefined && body.code !== before.code) {
    await freeCode({ given: body.code, name: '', fallback: '' }, codeTaken(work, before.id));
    // People, events and policies show it, and would change without being touched; other systems know it by then.
    const used = (await usedBy(tx, org, before.id)) ?? ((await hasPeople(tx, org, before.id)) ? 'people' : null);
    if (used !== null)
      refuse('invalid_state', {
        message: `The group ${before.code} keeps its code, which others know by now: it has ${used}.`,
      });
  }
  await updateRow(tx, 'groups', sql`org_id = ${org} and id = ${before.id}`, { ...body, updated_at: stamp });
  return told(work, before);
}

export async function moveGroup(work: Work, found: GroupRow, body: GroupMove): Promise<Group> {
  const { tx, org } = work;
  const stamp = await touchTree(work);
  const before = await again(work, found);
  if (work.caller.group?.id === before.id) {
    invalid({ path: 'parent', message: 'this key is limited to this very group and cannot move it' });
  }
  const parent = await parentOf(work, body.parent);
  if (parent?.path.includes(before.id)) invalid({ path: 'parent', message: 'a group cannot lie below itself' });
  await tx.run(sql`
    update groups set
      path = ${[...(parent?.path ?? []), before.id]}::uuid[] || path[${before.path.length + 1}:],
      parent_id = case when id = ${before.id} then ${parent?.id ?? null}::uuid else parent_id end,
      updated_at = ${stamp}
    where org_id = ${org} and ${before.id} = any(path)`);
  return told(work, before);
}

/** The group as it is now that the tree's clock is held: what the path found may have changed since. */
async function again(work: Work, found: GroupRow): Promise<GroupRow> {
  return (await findGroup(work.tx, work.org, toUlid(found.id), work.caller)) ?? refuse('not_found');
}

async function told(work: Work, before: GroupRow): Promise<Group> {
  const was = groupShape(before);
  const after = groupShape(await again(work, before));
  work.changed({ kind: 'group', id: before.id, group: before.id, changes: diff(was, after), was });
  return after;
}

export async function deleteGroup(work: Work, group: GroupRow): Promise<undefined> {
  const { tx, org } = work;
  await touchTree(work);
  const used = await usedBy(tx, org, group.id);
  if (used !== null)
    refuse('invalid_state', { message: `The group ${group.code} still has ${used}. Move or delete them first.` });
  await tx.run(sql`delete from groups where org_id = ${org} and id = ${group.id}`);
  work.changed({ kind: 'group', id: group.id, changes: diff(groupShape(group), null) });
  return undefined;
}
