import { type Permission, ROLE_PERMISSIONS, type Role } from '@turnout/contract';
import type { Caller } from '../../road/caller.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { RosterReach } from './roster.ts';

/**
 * For whom a link to the roster was made. The link works without credentials, so it must stop working as soon as the key,
 * device or member it was made for loses access.
 */
export type Holder = readonly [kind: Caller['actor']['kind'], id: Id | null];

export const holderOf = ({ actor }: Caller): Holder => [actor.kind, actor.id];

/** Whether the holder may still read this roster. A link that names no holder does not work. */
export async function mayStillRead(tx: Tx, { org, event, group }: RosterReach, holder: Holder | undefined) {
  const [kind, id] = holder ?? [];
  if (kind === 'key') {
    const key = await tx.maybe(sql`
      select 1 from api_keys where org_id = ${org} and id = ${id} and revoked_at is null
        and (expires_at is null or expires_at > ${tx.clock.now()})`);
    return key !== null;
  }
  if (kind === 'device') {
    const device = await tx.maybe(sql`
      select 1 from devices where org_id = ${org} and id = ${id} and event_id = ${event} and revoked_at is null
        and group_id is not distinct from ${group}::uuid`);
    return device !== null;
  }
  if (kind !== 'member') return false;
  const member = await tx.maybe<{ role: Role; group_id: Id | null }>(
    sql`select role, group_id from members where org_id = ${org} and id = ${id}`,
  );
  const scans: Permission = 'door.scan';
  return member !== null && member.group_id === group && ROLE_PERMISSIONS[member.role].includes(scans);
}
