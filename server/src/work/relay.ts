import type { Clock } from '../clock.ts';
import type { FanOut, OutboxRow } from '../road/record.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { transaction } from '../store/tx.ts';

/**
 * Claims with `skip locked`, never by "id greater than the last seen": a transaction that began earlier may commit later.
 * Several processes share the work; what a killed one had claimed is free again with its transaction.
 */
export const relayStep =
  (pool: Pool, clock: Clock, fanOut: FanOut, batch = 500) =>
  () =>
    transaction(pool, clock, { role: 'system' }, async (tx) => {
      const rows = await tx.all<OutboxRow>(sql`
      select org_id, id, type, event_id, group_id, livemode, created_at from outbox
      order by id limit ${batch} for update skip locked`);
      if (rows.length === 0) return 0;
      await fanOut(tx, rows);
      await tx.run(sql`
      delete from outbox where (org_id, id) in (
        select * from unnest(${rows.map((row) => row.org_id)}::uuid[], ${rows.map((row) => row.id)}::uuid[]))`);
      return rows.length;
    });
