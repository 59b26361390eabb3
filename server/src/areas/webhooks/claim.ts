import type { Id } from '../../common/ids.ts';
import { arrayOf } from '../../store/bulk.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/**
 * How long a lease on an endpoint lasts, in milliseconds.
 *
 * One process at a time sends to an endpoint. It holds a lease on the endpoint, which it renews while there is something to send.
 * When the process dies, others take the endpoint over once the lease has run out. A lease on every single delivery instead cost
 * the database a third of all its work (measured).
 */
export const LEASE = 30_000;

/** An endpoint that has something to send now. */
export interface DueEndpoint {
  org_id: Id;
  id: Id;
  url: string;
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: string | null;
  failures_in_a_row: number;
  /** While an endpoint is paused, only test events are sent to it. */
  paused: boolean;
}

/** Whether this process has the lease on endpoint `e`, or nobody has. */
const leasable = (worker: Id, now: Date) =>
  sql`(e.worker = ${worker} or e.leased_until is null or e.leased_until <= ${now})`;

/** How many endpoints of the queue one survey looks at, besides those that it is told of. */
export const SURVEYED = 1000;

/** A place among the endpoints of the queue, which are ordered by these two values. */
export interface Place {
  org_id: Id;
  endpoint_id: Id;
}

/** What a survey looks at. */
export interface Look {
  /** It goes on behind this place. Null: from the beginning. */
  after: Place | null;
  /** The endpoints that this process sends to are always looked at, */
  ours: readonly Place[];
  /** and those of organizations of which something was just raised. */
  raised: readonly Id[];
}

/**
 * The endpoints that have something due and that no other process has leased. The query takes one step of the index for each
 * endpoint in the queue, however many deliveries wait for it. Where very many endpoints are in the queue (of most of them nothing is due:
 * they are paused, or wait for a retry), it looks at some of them, and `next` says where to go on. Looking at all of 10,000 took PostgreSQL
 * 144 ms, four times a second in every process; at 1,000 it takes 14 ms (measured).
 *
 * `offset 0` keeps PostgreSQL from reading everything that is due, or every endpoint, once instead of looking at these one by one.
 */
export async function dueEndpoints(
  tx: Tx,
  worker: Id,
  now: Date,
  { after, ours, raised }: Look,
  most = SURVEYED,
): Promise<{ due: DueEndpoint[]; next: Place | null }> {
  const from = after ?? { org_id: NOWHERE, endpoint_id: NOWHERE };
  const rows = await tx.all<DueEndpoint & { looked: number; last_org: Id | null; last_endpoint: Id | null }>(sql`
    with recursive waiting as (
      (select org_id, endpoint_id from webhook_queue where (org_id, endpoint_id) > (${from.org_id}::uuid, ${from.endpoint_id}::uuid)
       order by org_id, endpoint_id limit 1)
      union all
      select n.org_id, n.endpoint_id from waiting w cross join lateral (
        select q.org_id, q.endpoint_id from webhook_queue q where (q.org_id, q.endpoint_id) > (w.org_id, w.endpoint_id)
        order by q.org_id, q.endpoint_id limit 1) n
    ), looked as materialized (
      select org_id, endpoint_id, row_number() over () as n from (select * from waiting limit ${most}) first
    ), named as (
      select org_id, endpoint_id from looked
      union
      select * from unnest(${ours.map((one) => one.org_id)}::uuid[], ${ours.map((one) => one.endpoint_id)}::uuid[])
      union
      select t.org_id, t.id from webhook_endpoints t where t.org_id = any(${raised}::uuid[])
    ), due as (
      select e.org_id, e.id, e.url, e.secret, e.old_secret, e.old_secret_until, e.failures_in_a_row, e.status like 'paused%' as paused
      from named w cross join lateral (
        select * from webhook_endpoints e where e.org_id = w.org_id and e.id = w.endpoint_id and e.deleted_at is null offset 0) e
      where ${leasable(worker, now)} and case when e.status like 'paused%' then
        exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.test_event and q.due_at <= ${now} offset 0)
        else exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and not q.retry and q.due_at <= ${now} offset 0)
          or exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.retry and q.due_at <= ${now} offset 0)
        end
    )
    select l.looked, l.last_org, l.last_endpoint, due.*
    from (select count(*)::int as looked, (array_agg(org_id order by n desc))[1] as last_org,
        (array_agg(endpoint_id order by n desc))[1] as last_endpoint from looked) l
    left join due on true`);
  const { looked, last_org, last_endpoint } = rows[0]!;
  const next = looked < most ? null : { org_id: last_org!, endpoint_id: last_endpoint! };
  return { due: rows.filter((row) => row.id !== null), next };
}

const NOWHERE = '00000000-0000-0000-0000-000000000000' as Id;

/**
 * Takes leases on these endpoints, or renews them, and answers which endpoints this process now has. An endpoint whose row another
 * process has locked is left to that process.
 */
export async function lease(tx: Tx, worker: Id, endpoints: readonly Id[], now: Date): Promise<Set<Id>> {
  const rows = await tx.all<{ id: Id }>(sql`
    update webhook_endpoints t set worker = ${worker}, leased_until = ${new Date(now.getTime() + LEASE)}
    where t.id in (
      select e.id from webhook_endpoints e where e.id = any(${endpoints}) and ${leasable(worker, now)} order by e.id for update skip locked)
    returning t.id`);
  return new Set(rows.map((row) => row.id));
}

export const release = (tx: Tx, worker: Id, endpoints: readonly Id[]): Promise<number> =>
  tx.run(sql`
    update webhook_endpoints set worker = null, leased_until = null where id = any(${endpoints}) and worker = ${worker}`);

/** A position in an endpoint's first attempts, which are ordered by these two values. */
export interface Position {
  due_at: string;
  delivery_id: Id;
}
export const BEGINNING: Position = { due_at: '-infinity', delivery_id: '00000000-0000-0000-0000-000000000000' as Id };

/** A delivery as it was read from the queue. */
export interface QueuedDelivery extends Position {
  org_id: Id;
  endpoint_id: Id;
  envelope_id: Id;
  /** The id that receivers know the envelope by, where it was reduced for endpoints of a group (fan-out-reduced.ts). */
  occurrence_id: Id | null;
  test_event: boolean;
  attempts: number;
  /** Shared by all endpoints that get this envelope. */
  body: Buffer;
  /** Where its row is in the queue's table. */
  ctid: string;
}

/** What to read for one endpoint. */
export interface ReadRequest {
  endpoint: DueEndpoint;
  /** How many deliveries at most. */
  free: number;
  /** Deliveries that this process has read already and not yet recorded. They are not read again. */
  held: Iterable<Id>;
  /** First attempts are read from behind this position. Retries and test events are always read from the beginning. */
  behind: Position;
}

/**
 * Reads the oldest due deliveries of each endpoint. Where both first attempts and retries wait, it takes three first attempts to
 * one retry, so that neither has to wait for the other. A delivery whose envelope was emptied, because an attendee in it was
 * erased, is left out.
 */
export async function readDue(tx: Tx, requests: readonly ReadRequest[], now: Date): Promise<QueuedDelivery[]> {
  const rows = await tx.all<Omit<QueuedDelivery, 'org_id' | 'endpoint_id' | 'body'> & { line: number }>(sql`
    with held as materialized (select unnest(${arrayOf(requests.flatMap(({ held }) => [...held]))}::uuid[]) as id)
    select w.line::int, d.delivery_id, d.envelope_id, d.occurrence_id, d.test_event, d.attempts, d.due_at::text as due_at, d.ctid::text as ctid
    from unnest(${requests.map((one) => one.endpoint.org_id)}::uuid[], ${requests.map((one) => one.endpoint.id)}::uuid[],
      ${requests.map((one) => one.endpoint.paused)}::boolean[], ${requests.map((one) => one.free)}::int[],
      ${requests.map((one) => one.behind.due_at)}::timestamptz[], ${requests.map((one) => one.behind.delivery_id)}::uuid[])
      with ordinality as w(org_id, endpoint_id, paused, free, behind_due, behind_id, line)
    cross join lateral (
      select * from (
        (select f.ctid, f.delivery_id, f.envelope_id, f.occurrence_id, f.test_event, f.attempts, f.due_at,
            row_number() over (order by f.due_at, f.delivery_id) as turn from webhook_queue f
         where f.org_id = w.org_id and f.endpoint_id = w.endpoint_id and not f.retry and f.due_at <= ${now} and not w.paused
           and (f.due_at, f.delivery_id) > (w.behind_due, w.behind_id) and f.delivery_id not in (select id from held)
         order by f.due_at, f.delivery_id limit w.free)
        union all
        (select t.ctid, t.delivery_id, t.envelope_id, t.occurrence_id, t.test_event, t.attempts, t.due_at,
            row_number() over (order by t.due_at, t.delivery_id) from webhook_queue t
         where t.org_id = w.org_id and t.endpoint_id = w.endpoint_id and t.test_event and t.due_at <= ${now} and w.paused
           and t.delivery_id not in (select id from held)
         order by t.due_at, t.delivery_id limit w.free)
        union all
        (select r.ctid, r.delivery_id, r.envelope_id, r.occurrence_id, r.test_event, r.attempts, r.due_at,
            3 * row_number() over (order by r.due_at, r.delivery_id) from webhook_queue r
         where r.org_id = w.org_id and r.endpoint_id = w.endpoint_id and r.retry and r.due_at <= ${now} and not w.paused
           and r.delivery_id not in (select id from held)
         order by r.due_at, r.delivery_id limit w.free)
      ) all_kinds order by turn, delivery_id limit w.free
    ) d`);
  const endpointOf = (line: number) => requests[line - 1]!.endpoint;
  const bodies = await envelopesOf(tx, new Map(rows.map((row) => [row.envelope_id, endpointOf(row.line).org_id])));
  return rows.flatMap(({ line, delivery_id, envelope_id, occurrence_id, test_event, attempts, due_at, ctid }) => {
    const body = bodies.get(envelope_id);
    const { org_id, id } = endpointOf(line);
    return body === undefined
      ? []
      : { org_id, endpoint_id: id, delivery_id, envelope_id, occurrence_id, test_event, attempts, due_at, ctid, body };
  });
}

/** How many envelopes one row of the answer carries. */
const ENVELOPES_PER_ROW = 64;

/**
 * Reads envelopes, given the organization of each. Their bytes travel as text, which is half as long as the hex form of `bytea`.
 * Many of them are joined in one row: with a row for each, reading and recording a delivery took Node 27 µs instead of 24 µs
 * (measured). The ids of one list are close together, so the index finds them quickly.
 */
async function envelopesOf(tx: Tx, orgs: ReadonlyMap<Id, Id>): Promise<Map<Id, Buffer>> {
  const lists = [...Map.groupBy(orgs.keys(), (id) => orgs.get(id)!)].flatMap(([org, ids]) => {
    const sorted = ids.sort();
    return Array.from({ length: Math.ceil(ids.length / ENVELOPES_PER_ROW) }, (_, i) => ({
      org,
      ids: sorted.slice(i * ENVELOPES_PER_ROW, (i + 1) * ENVELOPES_PER_ROW),
    }));
  });
  const rows = await tx.all<{ ids: string; lengths: number[]; bodies: string }>(sql`
    select g.* from unnest(${lists.map((list) => list.org)}::uuid[], ${lists.map((list) => `{${list.ids}}`)}::text[]) as l(org_id, ids)
    cross join lateral (
      select string_agg(v.id::text, ',') as ids, array_agg(octet_length(v.body)) as lengths,
        string_agg(convert_from(v.body, 'UTF8'), '') as bodies
      from webhook_envelopes v where v.org_id = l.org_id and v.id = any(l.ids::uuid[]) and v.body is not null
    ) g where g.ids is not null`);
  const found = new Map<Id, Buffer>();
  for (const { ids, lengths, bodies } of rows) {
    const bytes = Buffer.from(bodies);
    let start = 0;
    for (const [i, id] of ids.split(',').entries()) {
      const end = start + lengths[i]!;
      found.set(id as Id, bytes.subarray(start, end));
      start = end;
    }
  }
  return found;
}
