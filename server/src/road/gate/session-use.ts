import { type Clock, MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';

/** The time of last use is written at most this often: a write for every click would cost more than the click. */
export const NOTED_EVERY_MS = 5 * MINUTE;

/** Writes when a member last used the organization, unless that was written a moment ago. It tells nothing of other organizations. */
export async function noteMemberSeen(
  pool: Pool,
  clock: Clock,
  member: { id: Id; org: Id; last_seen_at: string | null },
): Promise<void> {
  const now = clock.now();
  const seen = member.last_seen_at;
  if (seen !== null && now.getTime() - Date.parse(seen) < NOTED_EVERY_MS) return;
  await transaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`
      update members set last_seen_at = ${now}
      where org_id = ${member.org} and id = ${member.id} and last_seen_at is not distinct from ${seen}::timestamptz`),
  );
}

/** Writes when and from where a session was last used, unless that was written a moment ago. */
export async function noteSessionUse(
  pool: Pool,
  clock: Clock,
  session: { id: Id; last_used_at: string },
  address: string,
): Promise<void> {
  const now = clock.now();
  if (now.getTime() - Date.parse(session.last_used_at) < NOTED_EVERY_MS) return;
  await transaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`
      update account_sessions set last_used_at = ${now}, address = ${address.slice(0, 45)}
      where id = ${session.id} and last_used_at = ${session.last_used_at}::timestamptz`),
  );
}
