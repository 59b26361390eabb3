import type { DeliveryStatus } from '@turnout/contract';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import type { Attempt } from '../../outside/https.ts';
import { rowsOf } from '../../store/bulk.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Claimed } from './claim.ts';
import { count } from './health.ts';

/** After the n-th failed attempt; then the delivery is dead. */
export const RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR, DAY, DAY, DAY];

/** An attempt that ended. */
export interface Outcome {
  row: Claimed;
  at: Date;
  endedAt: Date;
  signature: string;
  result: Attempt;
}

/**
 * A delivery.
 *
 * pending → delivered     any 2xx
 * pending → failed        anything else; the next attempt is due its interval after this one ended
 * failed → delivered, failed …
 * failed → dead           the ninth failure
 * pending → dead          a test event that failed: it is sent once
 */
export function fate({ row, endedAt, result }: Pick<Outcome, 'row' | 'endedAt' | 'result'>): {
  status: DeliveryStatus;
  due: Date | null;
} {
  if (result.cause === null) return { status: 'delivered', due: null };
  const wait = row.test_event ? undefined : RETRIES[row.attempts];
  return wait === undefined
    ? { status: 'dead', due: null }
    : { status: 'failed', due: new Date(endedAt.getTime() + wait) };
}

/**
 * Delivery, attempt, place in the queue and the endpoint's health, in one transaction. Only of what stands in the queue as it
 * was read: where another process has taken over meanwhile, the first to write has the say.
 */
export async function record(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const held = await tx.all<{ delivery_id: Id }>(sql`
    select q.delivery_id from unnest(${outcomes.map(({ row }) => row.ctid)}::tid[],
      ${outcomes.map(({ row }) => row.delivery_id)}::uuid[], ${outcomes.map(({ row }) => row.attempts)}::int[])
      as m(row, delivery_id, attempts)
    cross join lateral (
      select q.delivery_id from webhook_queue q
      where q.ctid = m.row and q.delivery_id = m.delivery_id and q.attempts = m.attempts for update) q`);
  const kept = new Set(held.map((row) => row.delivery_id));
  const mine = outcomes.filter(({ row }) => kept.has(row.delivery_id));
  if (mine.length === 0) return;
  await count(
    tx,
    mine
      .filter(({ row }) => !row.test_event)
      .map(({ row, endedAt, result }) => ({ ...row, succeeded: result.cause === null, at: endedAt })),
  );
  write(tx, mine);
}

const ENDED = {
  org_id: 'uuid',
  endpoint_id: 'uuid',
  delivery_id: 'uuid',
  ctid: 'tid',
  number: 'int',
  at: 'timestamptz',
  duration_ms: 'int',
  status_code: 'int',
  cause: 'text',
  status: 'text',
  due: 'timestamptz',
  signature: 'text',
  answer: 'text',
} as const;

function write(tx: Tx, outcomes: readonly Outcome[]): void {
  const rows = outcomes.map((outcome) => {
    const { row, at, signature, result } = outcome;
    const { status, due } = fate(outcome);
    return {
      org_id: row.org_id,
      endpoint_id: row.endpoint_id,
      delivery_id: row.delivery_id,
      ctid: row.ctid,
      number: row.attempts + 1,
      at,
      duration_ms: Math.round(result.durationMs),
      status_code: result.status,
      cause: result.cause,
      status,
      due,
      signature,
      answer: result.answer?.toString('hex') ?? null,
    };
  });
  tx.send(sql`
    with ended as materialized (${rowsOf(ENDED, rows)}), logged as (
      insert into webhook_attempts (org_id, delivery_id, number, at, duration_ms, status_code, cause)
      select org_id, delivery_id, number, at, duration_ms, status_code, cause from ended
    ), over as (
      delete from webhook_queue q using ended r where r.due is null and q.ctid = r.ctid
    ), later as (
      update webhook_queue q set attempts = r.number, due_at = r.due from ended r where r.due is not null and q.ctid = r.ctid
    )
    update webhook_deliveries d set status = r.status, attempts = r.number, next_attempt_at = r.due, last_attempt_at = r.at,
      last_status_code = r.status_code, last_signature = r.signature, last_answer = decode(r.answer, 'hex')
    from ended r where d.org_id = r.org_id and d.endpoint_id = r.endpoint_id and d.id = r.delivery_id`);
}
