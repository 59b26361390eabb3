import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { diff } from '../../road/write/diff.ts';
import { writeAudit } from '../../road/write/record.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { acrossOrganizationsFind } from '../access/index.ts';
import { claimHost } from './hosts.ts';
import { hostName } from './names.ts';
import { prove, removeClaim, unprove } from './proof.ts';
import { auditedOf, type HostRow, hostShape, listHosts } from './queries.ts';

/* What the operator decides about hosts, across organizations. */

const nameOf = (text: string): string =>
  hostName(text) ?? refuse('validation_failed', { message: `${text} is not the name of a host.` });

function audit(tx: Tx, org: Id, action: string, before: HostRow | null, after: HostRow | null): void {
  const changes = diff(before && auditedOf(before), after && auditedOf(after));
  const row = after ?? before!;
  writeAudit(tx, org, [
    {
      action,
      kind: 'tenant_host',
      id: row.id,
      changes,
      details: { host: row.host },
      caller: { actor: { kind: 'system', id: null, name: 'operator' }, mode: 'live' },
      source: 'cli',
      client: null,
      requestId: null,
    },
  ]);
}

/** Every host of every organization, or of one of them. Those that wait for a decision come first. */
export async function acrossOrganizationsHosts(tx: Tx, org?: string) {
  const only = org === undefined ? null : (await acrossOrganizationsFind(tx, org)).id;
  const rows = await tx.all<HostRow & { org: string }>(sql`
    select h.*, o.code as org, h.host is not distinct from o.page_host as is_primary
    from tenant_hosts h join organizations o on o.id = h.org_id
    where ${only}::uuid is null or h.org_id = ${only}
    order by h.state = 'contested' desc, h.host, o.code`);
  return rows.map((row) => ({ org: row.org, ...hostShape(row) }));
}

export interface Decision {
  host: string;
  org: string;
  /** The organization that it is taken from. */
  insteadOf?: string | undefined;
  /** Whether it is a host of the installation itself. */
  isOwn: (host: string) => boolean;
}

/** Says that a host belongs to an organization. If it is proved for another one, the operator has to name that one. */
export async function acrossOrganizationsProveHost(tx: Tx, { host: text, org, insteadOf, isOwn }: Decision) {
  const host = nameOf(text);
  if (isOwn(host)) refuse('validation_failed', { message: `${host} is a host of this installation itself.` });
  const to = await acrossOrganizationsFind(tx, org);
  const from = insteadOf === undefined ? null : await acrossOrganizationsFind(tx, insteadOf);
  // In order of their ids, as everywhere else where several are taken.
  for (const id of [...new Set([to.id, ...(from === null ? [] : [from.id])])].sort()) await stampOrganization(tx, id);
  const owner = await tx.maybe<{ id: Id; code: string }>(sql`
    select o.id, o.code from tenant_hosts h join organizations o on o.id = h.org_id
    where h.host = ${host} and h.state = 'proved' and h.org_id <> ${to.id}`);
  if (owner !== null && owner.id !== from?.id) {
    refuse('invalid_state', {
      message: `${host} is proved for ${owner.code}. To give it to ${to.code}, add --instead-of ${owner.code}.`,
    });
  }
  if (owner !== null) await takeAway(tx, owner.id, host);
  const { row, isNew } = await claimHost(tx, to.id, host);
  const proved = await prove(tx, row, 'operator', await stampOrganization(tx, to.id));
  if (proved.state !== 'proved') {
    // Somebody else has proved it in this moment.
    refuse('invalid_state', {
      message: `${host} was proved for another organization just now. Look at the list again.`,
    });
  }
  audit(tx, to.id, 'tenant_host.proved', isNew ? null : row, proved);
  return { org: to.code, ...hostShape(proved) };
}

async function takeAway(tx: Tx, org: Id, host: string): Promise<void> {
  const [before] = await listHosts(tx, org, sql`h.host = ${host} and h.state = 'proved'`);
  if (before === undefined) return;
  const stamp = await stampOrganization(tx, org);
  // From now on the daily check looks for its record, too, also if the operator had proved it.
  await tx.run(sql`
    update tenant_hosts set checked_at = coalesce(checked_at, ${tx.clock.now()}) where org_id = ${org} and id = ${before.id}`);
  audit(tx, org, 'tenant_host.dropped', before, await unprove(tx, before, 'contested', stamp));
}

/** Removes a host from an organization. */
export async function acrossOrganizationsDropHost(tx: Tx, { host: text, org }: Pick<Decision, 'host' | 'org'>) {
  const host = nameOf(text);
  const { id, code } = await acrossOrganizationsFind(tx, org);
  await stampOrganization(tx, id);
  const [row] = await listHosts(tx, id, sql`h.host = ${host}`);
  if (row === undefined) return refuse('not_found', { message: `${host} is not a host of ${code}.` });
  await removeClaim(tx, row);
  audit(tx, id, 'tenant_host.removed', row, null);
  return { org: code, host, removed: true };
}
