import type { Clock } from '../clock.ts';
import { tracing } from '../common/tracing.ts';
import type { FanOut } from '../road/write/record.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';

/** How many occurrences one step takes. A step that takes fewer has found all there were. */
export const RELAYED_AT_ONCE = 500;

/**
 * The relay turns occurrences into deliveries, in steps of one transaction each. An occurrence has these states:
 *
 * | state | moved by | next |
 * |---|---|---|
 * | (none) | the transaction of the work that raised it commits | in the outbox |
 * | in the outbox | a step locks its row | claimed |
 * | claimed | the step commits: its deliveries are in the queue and its row is deleted | relayed |
 * | claimed | the step fails, or its process is killed, and its transaction rolls back | in the outbox |
 *
 * Several processes share the work: a step skips the rows that another one has locked. It never asks for "ids greater than the last
 * one seen", because a transaction that began earlier may commit later.
 *
 * The commit does not wait for the disk. If a power cut undoes it, the rows are in the outbox again and are relayed once more, with
 * the same ids.
 */
export const relayStep =
  (pool: Pool, clock: Clock, fanOut: FanOut, atOnce = RELAYED_AT_ONCE) =>
  () =>
    jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
      tx.send(sql`set local synchronous_commit = off`);
      const { claimed, held, found } = await tx.one<{ claimed: string | null; held: string | null; found: number }>(sql`
        select array_agg(ctid)::text as claimed, (array_agg(ctid) filter (where mixed))::text as held, count(*)::int as found
        from (select ctid, held is not null as mixed from outbox order by id limit ${atOnce} for update skip locked) as o`);
      if (claimed === null) return 0;
      if (tracing === null) await relay(tx, fanOut, claimed, held);
      else {
        // A step that finds nothing has no span, so the span begins after the look.
        const span = tracing.begin('relay', { parent: null, told: { 'turnout.occurrences': found } });
        await tracing.during(span, relay, tx, fanOut, claimed, held);
      }
      return found;
    });

async function relay(tx: Tx, fanOut: FanOut, claimed: string, held: string | null): Promise<void> {
  await fanOut(tx, claimed, held);
  await tx.run(sql`delete from outbox where ctid = any(${claimed}::tid[])`);
}
