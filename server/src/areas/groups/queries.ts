import type { Group } from '@turnout/contract';
import type { Caller } from '../../road/caller.ts';
import { type Id, parseRef, toUlid } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';

export interface GroupRow {
  id: Id;
  code: string;
  name: string;
  parent_id: Id | null;
  parent_code: string | null;
  path: Id[];
  created_at: string;
  updated_at: string;
}

const COLUMNS = sql`g.id, g.code, g.name, g.parent_id, p.code as parent_code, g.path, g.created_at, g.updated_at`;
const FROM = sql`groups g left join groups p on p.org_id = g.org_id and p.id = g.parent_id`;

/** What lies in the caller's group or below it; everything, when the caller has none. */
export const inReach = (caller: Caller, column: Sql): Sql =>
  caller.group === null
    ? sql`true`
    : sql`${column} in (select r.id from groups r where r.org_id = ${caller.org.id} and ${caller.group.id} = any(r.path))`;

/** The caller's own group and those above it. */
export const aboveReach = (caller: Caller, column: Sql): Sql =>
  caller.group === null
    ? sql`false`
    : sql`${column} in (select unnest(r.path) from groups r where r.org_id = ${caller.org.id} and r.id = ${caller.group.id})`;

export function findGroup(tx: Tx, org: Id, ref: string, caller: Caller): Promise<GroupRow | null> {
  const { id, code } = parseRef(ref);
  return tx.maybe<GroupRow>(sql`
    select ${COLUMNS} from ${FROM}
    where g.org_id = ${org} and ${id !== null ? sql`g.id = ${id}` : sql`lower(g.code) = lower(${code})`}
      and ${inReach(caller, sql`g.id`)}`);
}

export const knownGroups = (
  tx: Tx,
  caller: Caller,
  { ids, codes }: { ids: Id[]; codes: string[] },
): Promise<{ id: Id; code: string }[]> =>
  tx.all(sql`
    select g.id, g.code from groups g
    where g.org_id = ${caller.org.id} and (g.id = any(${ids}::uuid[]) or lower(g.code) = any(${codes})) and ${inReach(caller, sql`g.id`)}`);

export const listGroups = (tx: Tx, org: Id, caller: Caller, where: Sql, order: Sql): Promise<GroupRow[]> =>
  tx.all<GroupRow>(sql`
    select ${COLUMNS} from ${FROM} where g.org_id = ${org} and ${inReach(caller, sql`g.id`)} and ${where} ${order}`);

export const groupShape = (row: GroupRow): Group => ({
  id: toUlid(row.id),
  code: row.code,
  name: row.name,
  parent: row.parent_code,
  ...stamps(row),
});

/** What still refers to a group, in words; null when nothing does. */
export async function usedBy(tx: Tx, org: Id, group: Id): Promise<string | null> {
  const row = await tx.one<Record<string, number>>(sql`
    select (select count(*)::int from groups where org_id = ${org} and parent_id = ${group}) as "groups below it",
      (select count(*)::int from events where org_id = ${org} and group_id = ${group}) as events,
      (select count(*)::int from check_in_points where org_id = ${org} and ${group} = any(group_ids)) as "check-in points",
      (select count(*)::int from webhook_endpoints where org_id = ${org} and group_id = ${group} and deleted_at is null) as "webhook endpoints",
      (select count(*)::int from communications where org_id = ${org} and group_id = ${group}) as communications,
      (select count(*)::int from members where org_id = ${org} and group_id = ${group}) as members,
      (select count(*)::int from api_keys where org_id = ${org} and group_id = ${group}) as "API keys"`);
  const used = Object.entries(row).filter(([, count]) => count > 0);
  return used.length === 0 ? null : used.map(([what, count]) => `${count} ${what}`).join(', ');
}

export async function hasPeople(tx: Tx, org: Id, group: Id): Promise<boolean> {
  const of = sql`where org_id = ${org} and group_id = ${group}`;
  const { some } = await tx.one<{ some: boolean }>(sql`
    select exists (select from attendees ${of}) or exists (select from registrations ${of})
      or exists (select from contacts ${of}) as some`);
  return some;
}
