import { arrayOf } from '../../store/bulk.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** How many attempts run at once: in all, for one organization, for one endpoint, and for one that has been failing. */
export interface Caps {
  all: number;
  organization: number;
  endpoint: number;
  troubled: number;
  /** So many rounds of all those places are claimed at once: claiming and recording pay by the transaction more than by the row. */
  ahead: number;
}
export const CAPS: Caps = { all: 512, organization: 128, endpoint: 16, troubled: 2, ahead: 32 };
/** So many failures in a row and an endpoint has few places, and nothing is claimed ahead: what hangs must not fill the house. */
const TROUBLED = 3;
const isTroubled = (endpoint: Ready): boolean => endpoint.failures_in_a_row >= TROUBLED;

/**
 * Places of an endpoint, one of `siblings` at work of an organization that runs `running` attempts. All it can have while half of
 * the organization's places are free; then its part of them, or a few endpoints would have all places and the others would wait,
 * and each would need that many connections in its turn (a hundred endpoints: 1,600 handshakes instead of 200 [m]).
 */
export function atOnce(endpoint: Ready, siblings: number, running: number, caps: Caps): number {
  const most = isTroubled(endpoint) ? caps.troubled : caps.endpoint;
  return running < caps.organization / 2 ? most : Math.min(most, Math.ceil(caps.organization / siblings));
}

/**
 * One process at a time sends to an endpoint: a lease on the endpoint instead of one on every delivery, which cost the database
 * a third of all it did [m]. It is renewed while there is something to send; when its process dies, others take over after this.
 */
export const LEASE = 30_000;

export interface Ready {
  org_id: Id;
  id: Id;
  url: string;
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: string | null;
  failures_in_a_row: number;
  /** Then only test events go. */
  paused: boolean;
}

/** Nobody else has it, or not any more. */
const free = (worker: Id, now: Date) =>
  sql`(e.worker = ${worker} or e.leased_until is null or e.leased_until <= ${now})`;

/** Endpoints that have something due: one step of the index for each endpoint in the queue, however much waits for it. */
export const readyEndpoints = (tx: Tx, worker: Id, now: Date): Promise<Ready[]> =>
  tx.all<Ready>(sql`
    with recursive waiting as (
      (select org_id, endpoint_id from webhook_queue order by org_id, endpoint_id limit 1)
      union all
      select n.org_id, n.endpoint_id from waiting w cross join lateral (
        select q.org_id, q.endpoint_id from webhook_queue q where (q.org_id, q.endpoint_id) > (w.org_id, w.endpoint_id)
        order by q.org_id, q.endpoint_id limit 1) n
    )
    select e.org_id, e.id, e.url, e.secret, e.old_secret, e.old_secret_until, e.failures_in_a_row, e.status like 'paused%' as paused
    from waiting w join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id and e.deleted_at is null
    where ${free(worker, now)} and case when e.status like 'paused%' then
      exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.test_event and q.due_at <= ${now})
      else exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and not q.retry and q.due_at <= ${now})
        or exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.retry and q.due_at <= ${now})
      end`);

/** Takes the endpoints, or keeps them; answers which. What another process is taking at this moment is left to it. */
export async function lease(tx: Tx, worker: Id, endpoints: readonly Id[], now: Date): Promise<Set<Id>> {
  const rows = await tx.all<{ id: Id }>(sql`
    update webhook_endpoints t set worker = ${worker}, leased_until = ${new Date(now.getTime() + LEASE)}
    where t.id in (
      select e.id from webhook_endpoints e where e.id = any(${endpoints}) and ${free(worker, now)} order by e.id for update skip locked)
    returning t.id`);
  return new Set(rows.map((row) => row.id));
}

export const release = (tx: Tx, worker: Id, endpoints: readonly Id[]): Promise<number> =>
  tx.run(sql`
    update webhook_endpoints set worker = null, leased_until = null where id = any(${endpoints}) and worker = ${worker}`);

/** How many of each, by organization and by endpoint. */
export class Tally {
  readonly #counts = new Map<string, { count: number }>();
  all = 0;
  of(name: Id): number {
    return this.#counts.get(name)?.count ?? 0;
  }
  add(org: Id, endpoint: Id, by: 1 | -1): void {
    this.all += by;
    this.#add(org, by);
    this.#add(endpoint, by);
  }
  #add(name: Id, by: 1 | -1): void {
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, { count: by });
    else {
      known.count += by;
      if (known.count === 0) this.#counts.delete(name);
    }
  }
}

/**
 * What an endpoint may hold: what its organization may, divided among its endpoints, as many as have a place. The only one gets
 * half of it, enough to send from while the next ones are read (a quarter more deliveries than with an eighth [m]).
 */
const shareOf = (endpoint: Ready, endpoints: number, caps: Caps): number =>
  isTroubled(endpoint)
    ? caps.troubled
    : Math.floor((caps.organization * caps.ahead) / Math.max(2, Math.min(endpoints, caps.organization)));

/** Half of a share is used up. */
export const wantsMore = (unsent: number, share: number): boolean => unsent <= half(share);
export const half = (share: number): number => Math.floor(share / 2);

export interface Share {
  endpoint: Ready;
  /** So many it may hold, and so many of them are still free. */
  share: number;
  free: number;
}

/**
 * How many deliveries of each endpoint to claim, where `unsent` are claimed already. In rounds: the first endpoint of every
 * organization, then the second …, so that an organization with a hundred endpoints does not go before one that has a single
 * one.
 */
export function shares(ready: readonly Ready[], unsent: Tally, caps: Caps): Share[] {
  const taken = new Map<Id, number>();
  const endpoints = Map.groupBy(ready, (one) => one.org_id);
  let left = caps.all * caps.ahead - unsent.all;
  const chosen: Share[] = [];
  for (const endpoint of inRounds(ready)) {
    const share = shareOf(endpoint, endpoints.get(endpoint.org_id)!.length, caps);
    if (!isTroubled(endpoint) && !wantsMore(unsent.of(endpoint.id), share)) continue;
    const ofOrg = taken.get(endpoint.org_id) ?? unsent.of(endpoint.org_id);
    const free = Math.min(share - unsent.of(endpoint.id), caps.organization * caps.ahead - ofOrg, left);
    if (free <= 0) continue;
    taken.set(endpoint.org_id, ofOrg + free);
    left -= free;
    chosen.push({ endpoint, share, free });
  }
  return chosen;
}

function inRounds(ready: readonly Ready[]): Ready[] {
  const rounds: Ready[][] = [];
  const seen = new Map<Id, number>();
  for (const endpoint of shuffled(ready)) {
    const round = seen.get(endpoint.org_id) ?? 0;
    seen.set(endpoint.org_id, round + 1);
    rounds[round] ??= [];
    rounds[round].push(endpoint);
  }
  return rounds.flat();
}

function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}

export interface Claimed extends Place {
  org_id: Id;
  endpoint_id: Id;
  envelope_id: Id;
  /** Of a reduced envelope: the id that it is known under. */
  occurrence_id: Id | null;
  test_event: boolean;
  attempts: number;
  /** One for all endpoints that get this envelope. */
  body: Buffer;
  /** Its place in the queue's table. */
  ctid: string;
}

export interface Wanted {
  endpoint: Ready;
  /** So many more. */
  free: number;
  /** Deliveries at work already. */
  held: Iterable<Id>;
  /** Where to begin: behind this first attempt. */
  after: Place;
}
/** A place in an endpoint's line of first attempts. */
export interface Place {
  due_at: string;
  delivery_id: Id;
}
export const BEGINNING: Place = { due_at: '-infinity', delivery_id: '00000000-0000-0000-0000-000000000000' as Id };

/**
 * The oldest due deliveries of each endpoint: three first attempts to one retry where both wait, so that neither starves the
 * other. Passing over those that are at work already. What an erased person was in is not sent: its envelope is empty.
 */
export async function dueOf(tx: Tx, wanted: readonly Wanted[], now: Date): Promise<Claimed[]> {
  const rows = await tx.all<Omit<Claimed, 'org_id' | 'endpoint_id' | 'body'> & { line: number }>(sql`
    with held as materialized (select unnest(${arrayOf(wanted.flatMap(({ held }) => [...held]))}::uuid[]) as id)
    select w.line::int, d.delivery_id, d.envelope_id, d.occurrence_id, d.test_event, d.attempts, d.due_at::text as due_at, d.ctid::text as ctid
    from unnest(${wanted.map((one) => one.endpoint.org_id)}::uuid[], ${wanted.map((one) => one.endpoint.id)}::uuid[],
      ${wanted.map((one) => one.endpoint.paused)}::boolean[], ${wanted.map((one) => one.free)}::int[],
      ${wanted.map((one) => one.after.due_at)}::timestamptz[], ${wanted.map((one) => one.after.delivery_id)}::uuid[])
      with ordinality as w(org_id, endpoint_id, paused, free, after_due, after_id, line)
    cross join lateral (
      select * from (
        (select f.ctid, f.delivery_id, f.envelope_id, f.occurrence_id, f.test_event, f.attempts, f.due_at,
            row_number() over (order by f.due_at, f.delivery_id) as turn from webhook_queue f
         where f.org_id = w.org_id and f.endpoint_id = w.endpoint_id and not f.retry and f.due_at <= ${now} and not w.paused
           and (f.due_at, f.delivery_id) > (w.after_due, w.after_id) and f.delivery_id not in (select id from held)
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
  const endpointOf = (line: number) => wanted[line - 1]!.endpoint;
  const bodies = await envelopesOf(tx, new Map(rows.map((row) => [row.envelope_id, endpointOf(row.line).org_id])));
  return rows.flatMap(({ line, delivery_id, envelope_id, occurrence_id, test_event, attempts, due_at, ctid }) => {
    const body = bodies.get(envelope_id);
    const { org_id, id } = endpointOf(line);
    return body === undefined
      ? []
      : { org_id, endpoint_id: id, delivery_id, envelope_id, occurrence_id, test_event, attempts, due_at, ctid, body };
  });
}

/**
 * As text: the same bytes, half of what they are in hex. Many behind one another: with a row for each, a delivery took
 * Node 27 µs instead of 24, the sending aside [m]. Their ids are close together, so an index finds them by a list at once.
 */
async function envelopesOf(tx: Tx, orgs: ReadonlyMap<Id, Id>): Promise<Map<Id, Buffer>> {
  const lists = [...Map.groupBy(orgs.keys(), (id) => orgs.get(id)!)].flatMap(([org, ids]) => {
    const sorted = ids.sort();
    return Array.from({ length: Math.ceil(ids.length / TOGETHER) }, (_, i) => ({
      org,
      ids: sorted.slice(i * TOGETHER, (i + 1) * TOGETHER),
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
const TOGETHER = 64;
