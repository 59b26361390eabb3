import type { DeliveryStatus } from '@turnout/contract';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import type { Attempt } from '../../outside/https.ts';
import { arrayOf } from '../../store/bulk.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { QueuedDelivery } from './claim.ts';
import { countAttempts } from './health.ts';

/** How long to wait after the first failed attempt, the second, and so on. After one more failure the delivery is dead. */
export const RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, DAY, DAY];

/** An attempt that has ended. */
export interface Outcome {
  row: QueuedDelivery;
  at: Date;
  endedAt: Date;
  /** Null if the delivery could not be signed. */
  signature: string | null;
  result: Attempt;
}

/**
 * What becomes of a delivery after an attempt.
 *
 * | state | moved by | next |
 * |---|---|---|
 * | pending, failed | the receiver answered 2xx | delivered |
 * | pending, failed | anything else | failed; the next attempt is due one interval after this one ended |
 * | failed | the ninth failure | dead |
 * | pending | a failure, if it is a test event: these are sent once | dead |
 */
export function nextState({ row, endedAt, result }: Pick<Outcome, 'row' | 'endedAt' | 'result'>): {
  status: Exclude<DeliveryStatus, 'pending'>;
  due: Date | null;
} {
  if (result.cause === null) return { status: 'delivered', due: null };
  const wait = row.test_event ? undefined : RETRIES[row.attempts];
  return wait === undefined
    ? { status: 'dead', due: null }
    : { status: 'failed', due: new Date(endedAt.getTime() + wait) };
}

/**
 * Writes the attempts, moves the deliveries in the queue or out of it, and counts for the endpoints' health, in one transaction.
 *
 * A delivery is left alone unless its row in the queue is still as it was read. If another process has taken the endpoint over and
 * sent the same delivery, the outcome that is written first counts. Returns the outcomes that count.
 */
export async function record(tx: Tx, outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  const states = outcomes.map(nextState);
  const valuesOf = (readValue: (outcome: Outcome, i: number) => unknown) => arrayOf(outcomes.map(readValue));
  const { some } = await tx.one<{ some: number[] | null }>(sql`
    with ended as materialized (
      select * from unnest(
        ${valuesOf(({ row }) => row.ctid)}::tid[], ${valuesOf(({ row }) => row.org_id)}::uuid[],
        ${valuesOf(({ row }) => row.endpoint_id)}::uuid[], ${valuesOf(({ row }) => row.delivery_id)}::uuid[],
        ${valuesOf(({ row }) => row.attempts)}::int[], ${valuesOf(({ at }) => at.getTime())}::float8[],
        ${valuesOf(({ result }) => Math.round(result.durationMs))}::int[], ${valuesOf(({ result }) => result.status)}::int[],
        ${valuesOf(({ result }) => result.cause)}::text[], ${valuesOf(({ signature }) => signature)}::text[],
        ${valuesOf(({ result }) => result.answer?.toString('hex') ?? null)}::text[],
        ${valuesOf((_, i) => states[i]!.due)}::timestamptz[], ${valuesOf((_, i) => states[i]!.status === 'dead')}::boolean[]
      ) with ordinality as r(place, org_id, endpoint_id, delivery_id, attempts, at, duration_ms, status_code, cause, signature, answer,
        due, dead, n)
    ), over as (
      delete from webhook_queue q using ended r
      where r.due is null and q.ctid = r.place and q.delivery_id = r.delivery_id and q.attempts = r.attempts returning r.*
    ), later as (
      update webhook_queue q set attempts = r.attempts + 1, due_at = r.due from ended r
      where r.due is not null and q.ctid = r.place and q.delivery_id = r.delivery_id and q.attempts = r.attempts returning r.*
    ), mine as (
      select * from over union all select * from later
    ), logged as (
      insert into webhook_attempts (org_id, endpoint_id, delivery_id, number, at, duration_ms, status_code, cause, signature, answer)
      select org_id, endpoint_id, delivery_id, attempts + 1, to_timestamp(at / 1000), duration_ms, status_code, cause, signature, decode(answer, 'hex')
      from mine
    ), died as (
      update webhook_deliveries d set dead = true from mine r where r.dead and d.org_id = r.org_id and d.id = r.delivery_id
    )
    select case when count(*) < ${outcomes.length} then coalesce(array_agg(n::int), '{}') end as some from mine`);
  const mine = some === null ? outcomes : some.sort((a, b) => a - b).map((n) => outcomes[n - 1]!);
  await countAttempts(
    tx,
    mine
      .filter(({ row }) => !row.test_event)
      .map(({ row: { org_id, endpoint_id }, endedAt, result }) => ({
        org_id,
        endpoint_id,
        succeeded: result.cause === null,
        at: endedAt,
      })),
  );
  return mine;
}
