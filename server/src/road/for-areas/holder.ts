import { type Permission, ROLE_PERMISSIONS, type Role } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Caller } from '../caller.ts';

/**
 * For whom a signed link was made. The link works without credentials, so it must stop working as soon as the key, device or member it
 * was made for loses access.
 */
export type Holder = readonly [kind: Caller['actor']['kind'], id: Id | null];

export const holderOf = ({ actor }: Caller): Holder => [actor.kind, actor.id];

/** What the holder of a link is now. A key keeps its scopes and its group for as long as it exists. */
export type Standing =
  | { kind: 'system' | 'key' }
  | { kind: 'device'; event: Id; group: Id | null }
  | { kind: 'member'; permissions: readonly Permission[]; group: Id | null };

/** Null if the holder is gone, or if the link names none because an older build made it. */
export async function standingOf(tx: Tx, org: Id, holder: Holder | undefined): Promise<Standing | null> {
  const [kind, id] = holder ?? [];
  switch (kind) {
    case 'system':
      return { kind };
    case 'key': {
      const key = await tx.maybe(sql`
        select 1 from api_keys where org_id = ${org} and id = ${id} and revoked_at is null
          and (expires_at is null or expires_at > ${tx.clock.now()})`);
      return key === null ? null : { kind };
    }
    case 'device': {
      const device = await tx.maybe<{ event: Id; group: Id | null }>(sql`
        select event_id as event, group_id as "group" from devices where org_id = ${org} and id = ${id} and revoked_at is null`);
      return device === null ? null : { kind, ...device };
    }
    case 'member': {
      const member = await tx.maybe<{ role: Role; group: Id | null }>(
        sql`select role, group_id as "group" from members where org_id = ${org} and id = ${id}`,
      );
      return member === null ? null : { kind, permissions: ROLE_PERMISSIONS[member.role], group: member.group };
    }
    default:
      return null;
  }
}
