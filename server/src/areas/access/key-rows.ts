import type { ApiKey, Mode, Scope } from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import { reference } from '../../road/request/reference.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { inReach } from '../groups/index.ts';

export interface KeyRow {
  id: Id;
  name: string;
  mode: Mode;
  scopes: Scope[];
  group_id: Id | null;
  group_code: string | null;
  last4: string;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  allowed_addresses: string[] | null;
  requests_per_minute: number | null;
  created_by: string | null;
  created_at: string;
}

const COLUMNS = sql`k.id, k.name, k.mode, k.scopes, k.group_id, g.code as group_code, k.last4, k.expires_at, k.revoked_at,
  k.last_used_at, k.allowed_addresses, k.requests_per_minute, a.name as created_by, k.created_at`;
const FROM = sql`api_keys k
  left join groups g on g.org_id = k.org_id and g.id = k.group_id
  left join members m on m.org_id = k.org_id and m.id = k.created_by
  left join accounts a on a.id = m.account_id`;

/** The key `k` works now. */
export const isUsable = (now: Date): Sql =>
  sql`(k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now}::timestamptz))`;

const stateOf = ({ revoked_at, expires_at }: KeyRow, now: Date): ApiKey['state'] => {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && new Date(expires_at) <= now ? 'expired' : 'usable';
};

/** The last four characters of a secret are enough to tell which key a program uses. */
export const keyShape = (row: KeyRow, now: Date): ApiKey => ({
  id: toUlid(row.id),
  name: row.name,
  mode: row.mode,
  scopes: row.scopes,
  group: row.group_code,
  last4: row.last4,
  state: stateOf(row, now),
  expires_at: row.expires_at,
  revoked_at: row.revoked_at,
  last_used_at: row.last_used_at,
  allowed_addresses: row.allowed_addresses,
  requests_per_minute: row.requests_per_minute,
  created_by: row.created_by,
  created_at: row.created_at,
});

export const keyById = (tx: Tx, org: Id, id: Id): Promise<KeyRow | null> =>
  tx.maybe<KeyRow>(sql`select ${COLUMNS} from ${FROM} where k.org_id = ${org} and k.id = ${id}`);

/** Every key of the organization, newest first. */
export const allKeys = async (tx: Tx, org: Id): Promise<ApiKey[]> => {
  const rows = await tx.all<KeyRow>(sql`select ${COLUMNS} from ${FROM} where k.org_id = ${org} order by k.id desc`);
  return rows.map((row) => keyShape(row, tx.clock.now()));
};

/** How long a key that has ended is still listed. */
const SHOWN_AFTER_END = 90 * DAY;
/** Keys can be made and revoked without end, so the list has one. Usable keys, of which there are at most 500, are all in it. */
const MAX_LISTED_KEYS = 1000;

/**
 * The keys that work, and those that ended in the last 90 days; newest first. Who is limited to a group sees the keys that are
 * limited to that group or to one below it.
 */
export async function recentKeys(tx: Tx, caller: Caller): Promise<ApiKey[]> {
  const now = tx.clock.now();
  const since = new Date(now.getTime() - SHOWN_AFTER_END);
  const rows = await tx.all<KeyRow>(sql`
    select * from (
      select ${COLUMNS} from ${FROM}
      where k.org_id = ${caller.org.id} and ${inReach(caller, sql`k.group_id`)}
        and (${isUsable(now)} or least(k.revoked_at, k.expires_at) > ${since}::timestamptz)
      order by ${isUsable(now)} desc, k.id desc limit ${MAX_LISTED_KEYS}) listed
    order by id desc`);
  return rows.map((row) => keyShape(row, now));
}

export const aKey = reference<KeyRow>({
  kind: 'key',
  byCode: false,
  find: async ({ tx, org, caller }, ref) => {
    const { id } = parseRef(ref);
    if (id === null) return null;
    return tx.maybe<KeyRow>(sql`
      select ${COLUMNS} from ${FROM} where k.org_id = ${org} and k.id = ${id} and ${inReach(caller, sql`k.group_id`)}`);
  },
});
