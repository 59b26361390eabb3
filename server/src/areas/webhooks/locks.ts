import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * Locks the group of an endpoint until the commit.
 *
 * Two transactions must not overlap: one that queues a replay, having checked that it lies in the endpoint's group; and one that
 * changes this group and removes from the queue what lies outside of the new one (endpoints.ts). Otherwise the replay, checked
 * against the old group, could be queued after the removal and would be sent.
 *
 * This is an advisory lock and not a lock on the endpoint's row. The deliverer locks that row to renew its lease and would have to
 * wait for every batch of a replay. A transaction that also takes the organization's clock takes this lock first.
 */
export const lockEndpointGroup = (tx: Tx, org: Id, endpoint: Id): Promise<number> =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`endpoint ${org} ${endpoint}`}, 0))`);
