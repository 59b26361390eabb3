import type { HostProof } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type HostRow, hostById } from './queries.ts';

/*
 * Which hosts are proved, and at which of them an organization's pages are. Whoever calls these holds the organization's clock, so an
 * organization's hosts are changed by one transaction at a time.
 */

/**
 * Proves a host, unless it is proved for another organization; then it is contested. The row of the other organization cannot be seen
 * from here, but an insert steps back from it, and waits for one that is not committed yet. An update can do neither.
 */
export async function prove(tx: Tx, row: HostRow, by: HostProof, stamp: string): Promise<HostRow> {
  const { org_id, id, host, token, checked_at, found, created_at } = row;
  await tx.run(sql`delete from tenant_hosts where org_id = ${org_id} and id = ${id}`);
  const proved = await tx.run(sql`
    insert into tenant_hosts (org_id, id, host, token, state, proved_at, proved_by, checked_at, found, created_at, updated_at)
    values (${org_id}, ${id}, ${host}, ${token}, 'proved', ${tx.clock.now()}, ${by}, ${checked_at}, ${found}, ${created_at}, ${stamp})
    on conflict (host) where state = 'proved' do nothing`);
  if (proved === 0) {
    const columns = { org_id, id, host, token, checked_at, found, created_at, updated_at: stamp };
    await insertRow(tx, 'tenant_hosts', { ...columns, state: 'contested' });
  }
  // A host that was proved before may have been contested just now, by a decision of the operator.
  if (proved > 0 || row.state === 'proved') await keepPageHost(tx, org_id);
  return (await hostById(tx, row.org_id, row.id))!;
}

/** The host is no longer proved; its claim stays. */
export async function unprove(tx: Tx, row: HostRow, state: 'waiting' | 'contested', stamp: string): Promise<HostRow> {
  await tx.run(sql`
    update tenant_hosts set state = ${state}, proved_at = null, proved_by = null, missing_since = null, updated_at = ${stamp}
    where org_id = ${row.org_id} and id = ${row.id}`);
  if (row.state === 'proved') await keepPageHost(tx, row.org_id);
  return (await hostById(tx, row.org_id, row.id))!;
}

export async function removeClaim(tx: Tx, row: HostRow): Promise<boolean> {
  const removed = await tx.run(sql`delete from tenant_hosts where org_id = ${row.org_id} and id = ${row.id}`);
  if (removed > 0 && row.state === 'proved') await keepPageHost(tx, row.org_id);
  return removed > 0;
}

/** Leads the addresses of an organization's pages to this host. */
export const setPageHost = (tx: Tx, org: Id, host: string): Promise<number> =>
  tx.run(sql`
    update organizations set page_host = ${host},
      updated_at = greatest(${tx.clock.now()}::timestamptz, updated_at + interval '1 microsecond')
    where id = ${org}`);

/** The pages stay where they are as long as that host is proved. Otherwise they move to the one that was proved first, if any. */
async function keepPageHost(tx: Tx, org: Id): Promise<void> {
  await tx.run(sql`
    update organizations o set page_host = first.host,
      updated_at = greatest(${tx.clock.now()}::timestamptz, o.updated_at + interval '1 microsecond')
    from (select (
      select h.host from tenant_hosts h join organizations at on at.id = h.org_id
      where h.org_id = ${org} and h.state = 'proved'
      order by h.host is not distinct from at.page_host desc, h.proved_at, h.id limit 1) as host) first
    where o.id = ${org} and o.page_host is distinct from first.host`);
}
