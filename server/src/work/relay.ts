import type { Clock } from '../clock.ts';
import type { Id } from '../common/ids.ts';
import { tracing } from '../common/tracing.ts';
import type { FanOut } from '../road/write/record.ts';
import type { Pool } from '../store/pool.ts';
import { type Sql, sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';

/** How many occurrences one step takes. */
export const RELAYED_AT_ONCE = 500;

export interface Relayed {
  /** How many occurrences this step has relayed. */
  relayed: number;
  /** Whether there may be more that this step could not take. */
  more: boolean;
  /** Whose occurrences they were. */
  orgs: Id[];
}

const BEGINNING = '00000000-0000-0000-0000-000000000000' as Id;

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
 * Organizations take turns. A step goes through those that have something in the outbox, beginning after the one that was last, and takes the
 * same number from each, in the order in which they were raised. So what one organization has raised waits for one step more at most for
 * every 500 other organizations, however much one of them has waiting. Taking the oldest of all instead, a single occurrence behind
 * 100,000 of another organization waited for 200 steps.
 *
 * The commit does not wait for the disk. If a power cut undoes it, the rows are in the outbox again and are relayed once more, with
 * the same ids.
 */
export function relayStep(pool: Pool, clock: Clock, fanOut: FanOut, atOnce = RELAYED_AT_ONCE): () => Promise<Relayed> {
  /** The organization that was last in the line. A process that begins anew begins with the first one. */
  let last = BEGINNING;
  return () =>
    jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
      tx.send(sql`set local synchronous_commit = off`);
      // The outbox is empty most of the time, and a plan made then reads it from end to end for each organization.
      tx.send(sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`);
      const after = last;
      const { claimed, held, relayed, orgs, full, line } = await tx.one<Claimed>(claim(after, atOnce));
      tx.send(sql`select set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'on', true)`);
      const wentToTheEnd = line.length < atOnce;
      // The next step begins after the last one in this line, or from the beginning again.
      last = wentToTheEnd ? BEGINNING : line.at(-1)!;
      const beginsAgain = after !== BEGINNING && (relayed > 0 || line.length === 0);
      const more = full || !wentToTheEnd || beginsAgain;
      if (claimed === null) return { relayed: 0, more, orgs: [] };
      if (tracing === null) await relay(tx, fanOut, claimed, held);
      else {
        // A step that finds nothing has no span, so the span begins after the look.
        const span = tracing.begin('relay', { parent: null, told: { 'turnout.occurrences': relayed } });
        await tracing.during(span, relay, tx, fanOut, claimed, held);
      }
      return { relayed, more, orgs: orgs ?? [] };
    });
}

async function relay(tx: Tx, fanOut: FanOut, claimed: string, held: string | null): Promise<void> {
  await fanOut(tx, claimed, held);
  await tx.run(sql`delete from outbox where ctid = any(${claimed}::tid[])`);
}

interface Claimed {
  claimed: string | null;
  held: string | null;
  relayed: number;
  orgs: Id[] | null;
  /** Whether an organization had as many as it was allowed. */
  full: boolean;
  /** The organizations that have something in the outbox, claimed by somebody or not. */
  line: Id[];
}

/** Takes one step of the key for each organization, and then the first rows of each. */
const claim = (after: Id, atOnce: number): Sql => sql`
  with recursive walk as (
    (select org_id from outbox where org_id > ${after} order by org_id limit 1)
    union all
    select n.org_id from walk w cross join lateral (
      select o.org_id from outbox o where o.org_id > w.org_id order by o.org_id limit 1) n
  ), line as materialized (
    select org_id from walk limit ${atOnce}
  ), share as materialized (
    select greatest(${atOnce} / greatest(count(*), 1), 1)::int as rows, array(select org_id from line order by org_id) as line from line
  ), mine as materialized (
    select o.* from line l cross join share s cross join lateral (
      select r.ctid, r.org_id, r.held is not null as mixed from outbox r where r.org_id = l.org_id
      order by r.id limit s.rows for update skip locked) o
  )
  select array_agg(ctid)::text as claimed, (array_agg(ctid) filter (where mixed))::text as held, count(*)::int as relayed,
    array_agg(distinct org_id) as orgs, (select line from share) as line,
    exists (select from mine group by org_id having count(*) >= (select rows from share)) as full
  from mine`;
