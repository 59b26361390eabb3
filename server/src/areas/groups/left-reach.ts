import type { Id } from '../../common/ids.ts';
import { audiencesOf, noteRemoved, type Removal } from '../../road/read/removed.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/*
 * What callers limited to a group no longer see, for lists with `include=removed`. Attendees, registrations, tickets and payments are
 * noted where they are saved (areas/registrations/left-groups.ts).
 */

/** Notes that an object of a group, or of no group, was deleted from a list of the organization. */
export async function noteDeleted(
  tx: Tx,
  org: Id,
  stamp: string,
  list: Removal['list'],
  objects: readonly { id: Id; group_id: Id | null; test?: boolean }[],
): Promise<void> {
  const paths = await pathsOf(
    tx,
    org,
    objects.map((object) => object.group_id),
  );
  noteRemoved(
    tx,
    org,
    stamp,
    objects.flatMap(({ id, group_id, test = false }) =>
      audiencesOf(org, group_id === null ? [] : (paths.get(group_id) ?? [])).map((audience) => ({
        list,
        id,
        audience,
        test,
      })),
    ),
  );
}

/** Each group with those above it. */
async function pathsOf(tx: Tx, org: Id, groups: readonly (Id | null)[]): Promise<Map<Id, Id[]>> {
  const ids = [...new Set(groups.filter((group) => group !== null))];
  if (ids.length === 0) return new Map();
  const rows = await tx.all<{ id: Id; path: Id[] }>(
    sql`select id, path from groups where org_id = ${org} and id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, path }) => [id, path]));
}

/** Notes who no longer sees a webhook endpoint that went from one group to another, or to none. */
export async function noteEndpointLeft(
  tx: Tx,
  org: Id,
  stamp: string,
  endpoint: Id,
  { was, is }: { was: Id | null; is: Id | null },
): Promise<void> {
  const paths = await pathsOf(tx, org, [was, is]);
  const pathOf = (group: Id | null): Id[] => (group === null ? [] : (paths.get(group) ?? []));
  const audiences = pathOf(was).filter((group) => !pathOf(is).includes(group));
  noteRemoved(
    tx,
    org,
    stamp,
    audiences.map((audience) => ({ list: 'webhooks', id: endpoint, audience })),
  );
}

/** Whether callers limited to the group `g` see an event of `group`: it lies in one line with theirs, or is null. */
const seesEventOf = (org: Id, group: Id | null): Sql =>
  group === null
    ? sql`true`
    : sql`(${group}::uuid = any(g.path) or g.id = any((
        select o.path from groups o where o.org_id = ${org} and o.id = ${group})::uuid[]))`;

/** Notes who no longer sees an event: it went from one group to another, or was deleted. */
export async function noteEventLeft(
  tx: Tx,
  org: Id,
  stamp: string,
  event: Id,
  { was, is }: { was: Id | null; is: Id | null | 'deleted' },
): Promise<void> {
  const stays = is === 'deleted' ? sql`false` : seesEventOf(org, is);
  const groups = await tx.all<{ id: Id }>(
    sql`select g.id from groups g where g.org_id = ${org} and ${seesEventOf(org, was)} and not ${stays}`,
  );
  const audiences = [...groups.map(({ id }) => id), ...(is === 'deleted' ? [org] : [])];
  noteRemoved(
    tx,
    org,
    stamp,
    audiences.map((audience) => ({ list: 'events', id: event, audience })),
  );
}

/**
 * Notes what a move of a group takes out of sight. Whoever is limited to a group that is no longer above it loses the group and those
 * below it, with their events and webhook endpoints; whoever is limited to one of these loses the events of the groups that were above.
 */
export async function noteGroupMoved(
  tx: Tx,
  org: Id,
  stamp: string,
  { group, was, is }: { group: Id; was: readonly Id[]; is: readonly Id[] },
): Promise<void> {
  const left = was.filter((above) => !is.includes(above));
  if (left.length === 0) return;
  const below = sql`select g.id from groups g where g.org_id = ${org} and ${group} = any(g.path)`;
  const rows = await tx.all<{ list: Removal['list']; id: Id; audience: Id }>(sql`
    select 'groups' as list, g.id, a.id as audience from (${below}) g, unnest(${left}::uuid[]) a(id)
    union all select 'events', e.id, a.id from events e, unnest(${left}::uuid[]) a(id)
      where e.org_id = ${org} and e.group_id in (${below})
    union all select 'webhooks', w.id, a.id from webhook_endpoints w, unnest(${left}::uuid[]) a(id)
      where w.org_id = ${org} and w.group_id in (${below}) and w.deleted_at is null
    union all select 'events', e.id, g.id from events e, (${below}) g
      where e.org_id = ${org} and e.group_id = any(${left}::uuid[])`);
  noteRemoved(tx, org, stamp, rows);
}
