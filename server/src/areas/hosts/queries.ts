import type { HostCheck, HostProof, HostState, TenantHost } from '@turnout/contract';
import { DAY } from '../../clock.ts';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import { reference } from '../../road/request/reference.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { iso, stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import { recordName } from './names.ts';

/** How long the record of a proved host may be missing before the host is dropped. */
export const MISSING_TO_DROPPED = 7 * DAY;

export interface HostRow {
  org_id: Id;
  id: Id;
  host: string;
  token: string;
  state: HostState;
  proved_at: string | null;
  proved_by: HostProof | null;
  checked_at: string | null;
  found: HostCheck | null;
  missing_since: string | null;
  is_primary: boolean;
  created_at: string;
  updated_at: string;
}

export const hostShape = (row: HostRow): TenantHost => ({
  id: toUlid(row.id),
  host: row.host,
  state: row.state,
  primary: row.is_primary,
  record: { type: 'TXT', name: recordName(row.host), value: row.token },
  proved_at: row.proved_at,
  proved_by: row.proved_by,
  checked_at: row.checked_at,
  check: row.found,
  missing_since: row.missing_since,
  drops_at:
    row.missing_since === null ? null : iso(new Date(new Date(row.missing_since).getTime() + MISSING_TO_DROPPED)),
  ...stamps(row),
});

/** What the audit log shows of a host. */
export const auditedOf = ({ host, state, proved_by, missing_since, is_primary }: HostRow) => ({
  ...{ host, state, proved_by, missing_since },
  primary: is_primary,
});

export const listHosts = (tx: Tx, org: Id, where: Sql = sql`true`): Promise<HostRow[]> =>
  tx.all<HostRow>(sql`
    select h.org_id, h.id, h.host, h.token, h.state, h.proved_at, h.proved_by, h.checked_at, h.found, h.missing_since,
      h.host is not distinct from o.page_host as is_primary, h.created_at, h.updated_at
    from tenant_hosts h join organizations o on o.id = h.org_id
    where h.org_id = ${org} and ${where} order by h.id`);

export const hostById = async (tx: Tx, org: Id, id: Id): Promise<HostRow | null> =>
  (await listHosts(tx, org, sql`h.id = ${id}`))[0] ?? null;

export const aHost = reference<HostRow>({
  kind: 'tenant_host',
  byCode: false,
  find: async ({ tx, org }, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : hostById(tx, org, id);
  },
});
