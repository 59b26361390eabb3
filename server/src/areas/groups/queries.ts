import type { Group } from '@turnout/contract';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import type { Coded } from '../../road/request/reference.ts';
import { type Sql, sql, unprepared } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { inReach } from './reach.ts';

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

export function findGroup(tx: Tx, org: Id, ref: string, caller: Caller): Promise<GroupRow | null> {
  const { id, code } = parseRef(ref);
  return tx.maybe<GroupRow>(sql`
    select ${COLUMNS} from ${FROM}
    where g.org_id = ${org} and ${id !== null ? sql`g.id = ${id}` : sql`lower(g.code) = lower(${code})`}
      and ${inReach(caller, sql`g.id`)}`);
}

/** Not prepared, so that PostgreSQL knows the lists and looks them up by hash. */
export const findGroups = (tx: Tx, caller: Caller, { ids, codes }: { ids: Id[]; codes: string[] }): Promise<Coded[]> =>
  tx.all(
    unprepared(sql`
    select g.id, g.code from groups g
    where g.org_id = ${caller.org.id} and (g.id = any(${ids}::uuid[]) or lower(g.code) = any(${codes})) and ${inReach(caller, sql`g.id`)}`),
  );

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

/** What still refers to a group, in words ("1 group below it, 2 events"); null when nothing does. */
export async function usedBy(tx: Tx, org: Id, group: Id): Promise<string | null> {
  const row = await tx.one<Record<keyof typeof USERS, number>>(sql`
    select (select count(*)::int from groups where org_id = ${org} and parent_id = ${group}) as groups,
      (select count(*)::int from events where org_id = ${org} and group_id = ${group}) as events,
      (select count(*)::int from check_in_points where org_id = ${org} and ${group} = any(group_ids)) as points,
      (select count(*)::int from webhook_endpoints where org_id = ${org} and group_id = ${group} and deleted_at is null) as endpoints,
      (select count(*)::int from discounts where org_id = ${org} and group_id = ${group}) as discounts,
      (select count(*)::int from communications where org_id = ${org} and group_id = ${group}) as communications,
      (select count(*)::int from members where org_id = ${org} and group_id = ${group}) as members,
      (select count(*)::int from invitations where org_id = ${org} and group_id = ${group}) as invitations,
      (select count(*)::int from api_keys where org_id = ${org} and group_id = ${group}) as keys`);
  const used = (Object.keys(USERS) as (keyof typeof USERS)[]).filter((user) => row[user] > 0);
  return used.length === 0
    ? null
    : used.map((user) => `${row[user]} ${USERS[user][row[user] === 1 ? 0 : 1]}`).join(', ');
}

/** Singular and plural. */
const USERS = {
  groups: ['group below it', 'groups below it'],
  events: ['event', 'events'],
  points: ['check-in point', 'check-in points'],
  endpoints: ['webhook endpoint', 'webhook endpoints'],
  discounts: ['discount', 'discounts'],
  communications: ['communication', 'communications'],
  members: ['member', 'members'],
  invitations: ['invitation', 'invitations'],
  keys: ['API key', 'API keys'],
} as const satisfies Record<string, readonly [string, string]>;

/** Whether attendees, registrations or contacts belong to the group. */
export async function hasPeople(tx: Tx, org: Id, group: Id): Promise<boolean> {
  const of = sql`where org_id = ${org} and group_id = ${group}`;
  const { some } = await tx.one<{ some: boolean }>(sql`
    select exists (select from attendees ${of}) or exists (select from registrations ${of})
      or exists (select from contacts ${of}) as some`);
  return some;
}
