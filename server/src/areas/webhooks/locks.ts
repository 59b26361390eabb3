import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * Whoever queues a replay holds the endpoint's group until the commit, and whoever changes that group drops what waits outside of it
 * in one statement (endpoints.ts): without turns, a replay that had asked for the old group would be queued behind that statement
 * and sent. Not a lock on the endpoint's row: sending locks that to keep its lease, and would wait for every batch of a replay.
 * Before the organization's clock, where both are taken.
 */
export const holdGroup = (tx: Tx, org: Id, endpoint: Id): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`endpoint ${org} ${endpoint}`}, 0))`);
