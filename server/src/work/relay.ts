import type { Clock } from '../clock.ts';
import type { FanOut } from '../road/record.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { transaction } from '../store/tx.ts';

/** Occurrences a step; one that takes fewer has found all. */
export const RELAYED_AT_ONCE = 500;

/**
 * Claims with `skip locked`, never by "id greater than the last seen": a transaction that began earlier may commit later.
 * Several processes share the work; what a killed one had claimed is free again with its transaction. Its commit does not wait
 * for the disk: lost with a power cut, the rows are in the outbox again and go out under the same ids.
 */
export const relayStep =
  (pool: Pool, clock: Clock, fanOut: FanOut, atOnce = RELAYED_AT_ONCE) =>
  () =>
    transaction(pool, clock, { role: 'system' }, async (tx) => {
      tx.send(sql`set local synchronous_commit = off`);
      const { claimed, held, found } = await tx.one<{ claimed: string | null; held: string | null; found: number }>(sql`
        select array_agg(ctid)::text as claimed, (array_agg(ctid) filter (where mixed))::text as held, count(*)::int as found
        from (select ctid, held is not null as mixed from outbox order by id limit ${atOnce} for update skip locked) as o`);
      if (claimed === null) return 0;
      await fanOut(tx, claimed, held);
      await tx.run(sql`delete from outbox where ctid = any(${claimed}::tid[])`);
      return found;
    });
