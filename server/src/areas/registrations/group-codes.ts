import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { RegistrationState } from './state.ts';

/** The codes of groups by their ids. */
export async function groupCodes(tx: Tx, org: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.all<{ id: Id; code: string }>(
    sql`select id, code from groups where org_id = ${org} and id = any(${ids})`,
  );
  return new Map(rows.map((row) => [row.id, row.code]));
}

/** The codes of all groups that these registrations and their attendees name. */
export function groupCodesOf(
  tx: Tx,
  org: Id,
  registrations: readonly RegistrationState[],
): Promise<ReadonlyMap<Id, string>> {
  const ids = new Set(
    registrations.flatMap((one) => [one.group_id, ...one.attendees.map((attendee) => attendee.group_id)]),
  );
  ids.delete(null);
  return groupCodes(tx, org, [...ids] as Id[]);
}
