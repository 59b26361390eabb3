import type { HostCheck } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { Change, Outside } from '../../road/operation.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { diff } from '../../road/write/diff.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { mailOwnersOfHost } from './mails.ts';
import { recordName } from './names.ts';
import { prove, unprove } from './proof.ts';
import { auditedOf, type HostRow, hostById, MISSING_TO_DROPPED } from './queries.ts';

/**
 * What a look at the record of a host changes.
 *
 * | state | the look finds | next |
 * |---|---|---|
 * | waiting, contested | the record | proved, or contested while the host is proved for another organization |
 * | contested | no record with the token | waiting |
 * | proved by DNS | the record | proved, and no longer missing |
 * | proved by DNS | no record with the token | missing; the owners get a mail |
 * | proved by DNS, missing for 7 days | no record with the token | waiting; the owners get a mail |
 * | proved by the operator | anything | as it was |
 * | any | no answer | as it was: a failure of DNS says nothing about the record |
 */

/** Whoever presses the button again and again asks DNS once in this time. */
const MIN_INTERVAL_MS = 5000;

export const isFresh = ({ checked_at }: HostRow, now: Date): boolean =>
  checked_at !== null && now.getTime() - new Date(checked_at).getTime() < MIN_INTERVAL_MS;

/** Looks for the record. DNS may take seconds, so no transaction is open meanwhile. */
export async function look({ dns }: Outside, { host, token }: Pick<HostRow, 'host' | 'token'>): Promise<HostCheck> {
  const texts = await dns.txt(recordName(host));
  if (texts === null) return 'no_answer';
  if (texts.some((text) => text.trim() === token)) return 'found';
  return texts.length === 0 ? 'none' : 'other_value';
}

export interface CheckedHost {
  row: HostRow;
  change: Change;
}

/** Records a look, and answers the host as it is now and what the audit log says of it. Null: the host was removed meanwhile. */
export async function recordCheck(tx: Tx, org: Id, id: Id, found: HostCheck): Promise<CheckedHost | null> {
  const stamp = await stampOrganization(tx, org);
  const before = await hostById(tx, org, id);
  if (before === null) return null;
  const now = tx.clock.now();
  await tx.run(sql`
    update tenant_hosts set checked_at = ${now}, found = ${found}, updated_at = ${stamp} where org_id = ${org} and id = ${id}`);
  const looked = (await hostById(tx, org, id))!;
  const row = found === 'no_answer' ? looked : await next(tx, looked, found === 'found', stamp);
  return { row, change: changeOf(before, row) };
}

async function next(tx: Tx, row: HostRow, isThere: boolean, stamp: string): Promise<HostRow> {
  if (row.proved_by === 'operator') return row;
  if (row.state !== 'proved') {
    if (isThere) return prove(tx, row, 'dns', stamp);
    return row.state === 'contested' ? unprove(tx, row, 'waiting', stamp) : row;
  }
  if (isThere) return row.missing_since === null ? row : setMissing(tx, row, null);
  if (row.missing_since === null) {
    const missing = await setMissing(tx, row, tx.clock.now());
    await mailOwnersOfHost(tx, missing, 'missing');
    return missing;
  }
  if (tx.clock.now().getTime() - new Date(row.missing_since).getTime() < MISSING_TO_DROPPED) return row;
  const dropped = await unprove(tx, row, 'waiting', stamp);
  await mailOwnersOfHost(tx, dropped, 'dropped');
  return dropped;
}

async function setMissing(tx: Tx, { org_id, id }: HostRow, since: Date | null): Promise<HostRow> {
  await tx.run(sql`update tenant_hosts set missing_since = ${since} where org_id = ${org_id} and id = ${id}`);
  return (await hostById(tx, org_id, id))!;
}

/** A look that finds what was there before is not in the audit log. */
function changeOf(before: HostRow, after: HostRow): Change {
  const changes = diff(auditedOf(before), auditedOf(after));
  if (Object.keys(changes).length === 0) return NOTHING;
  const dropped = before.state === 'proved' && after.state !== 'proved';
  const details = { host: after.host };
  return { ...(dropped && { action: 'tenant_host.dropped' }), kind: 'tenant_host', id: after.id, changes, details };
}
