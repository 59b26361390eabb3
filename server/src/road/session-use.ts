import { type Clock, MINUTE } from '../clock.ts';
import type { Id } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { transaction } from '../store/tx.ts';

/** The time of last use is written at most this often: a write for every click would cost more than the click. */
export const NOTED_EVERY_MS = 5 * MINUTE;

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
