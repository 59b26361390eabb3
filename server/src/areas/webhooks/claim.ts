import { MINUTE } from '../../clock.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

/** How many attempts run at once: in all, for one organization, for one endpoint, and for one that has been failing. */
export interface Caps {
  all: number;
  organization: number;
  endpoint: number;
  troubled: number;
}
export const CAPS: Caps = { all: 512, organization: 128, endpoint: 16, troubled: 2 };
/** So many failures in a row and an endpoint has few places: what hangs must not fill the house. */
const TROUBLED = 3;
/** A claimed delivery is claimable again after this, should its worker die. An attempt takes 15 s at most. */
export const LEASE = MINUTE;

export interface Ready {
  org_id: Id;
  id: Id;
  url: string;
  secret: Buffer;
  old_secret: Buffer | null;
  old_secret_until: string | null;
  failures_in_a_row: number;
}

/** Endpoints that have something due: one step of the index for each endpoint in the queue, however much waits for it. */
export const readyEndpoints = (tx: Tx, now: Date): Promise<Ready[]> =>
  tx.all<Ready>(sql`
    with recursive waiting as (
      (select org_id, endpoint_id from webhook_queue order by org_id, endpoint_id limit 1)
      union all
      select n.org_id, n.endpoint_id from waiting w cross join lateral (
        select q.org_id, q.endpoint_id from webhook_queue q where (q.org_id, q.endpoint_id) > (w.org_id, w.endpoint_id)
        order by q.org_id, q.endpoint_id limit 1) n
    )
    select e.org_id, e.id, e.url, e.secret, e.old_secret, e.old_secret_until, e.failures_in_a_row
    from waiting w join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id and e.deleted_at is null
    where case when e.status in ('healthy', 'failing')
      then exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and not q.retry
             and q.claimable_at <= ${now})
        or exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.retry
             and q.claimable_at <= ${now})
      else exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.test_event
             and q.claimable_at <= ${now}) end`);

/** What is running, counted. */
export class Running {
  readonly #counts = new Map<string, number>();
  all = 0;
  of(name: Id): number {
    return this.#counts.get(name) ?? 0;
  }
  add(org: Id, endpoint: Id, by: 1 | -1): void {
    this.all += by;
    for (const name of [org, endpoint]) {
      const count = this.of(name) + by;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }
}

/**
 * How many deliveries each endpoint may begin now. In rounds: the first endpoint of every organization, then the second …, so
 * that an organization with a hundred endpoints does not go before one that has a single one.
 */
export function places(ready: readonly Ready[], running: Running, caps: Caps): { endpoint: Ready; free: number }[] {
  const taken = new Map<Id, number>();
  let free = caps.all - running.all;
  const chosen: { endpoint: Ready; free: number }[] = [];
  for (const endpoint of inRounds(ready)) {
    const cap = endpoint.failures_in_a_row >= TROUBLED ? caps.troubled : caps.endpoint;
    const ofOrg = taken.get(endpoint.org_id) ?? running.of(endpoint.org_id);
    const own = Math.min(cap - running.of(endpoint.id), caps.organization - ofOrg, free);
    if (own <= 0) continue;
    taken.set(endpoint.org_id, ofOrg + own);
    free -= own;
    chosen.push({ endpoint, free: own });
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

export interface Claimed {
  org_id: Id;
  endpoint_id: Id;
  delivery_id: Id;
  envelope_id: Id;
  test_event: boolean;
  attempts: number;
  body: Buffer;
}

/**
 * Takes the oldest due deliveries of each endpoint under a lease: three first attempts to one retry where both wait, so that
 * neither starves the other. What another worker holds is skipped.
 */
export const claim = (
  tx: Tx,
  wanted: readonly { endpoint: Ready; free: number }[],
  now: Date,
  lease: Date,
): Promise<Claimed[]> =>
  tx.all<Claimed>(sql`
    with taken as (
      update webhook_queue t set claimable_at = ${lease}
      where (t.org_id, t.endpoint_id, t.delivery_id) in (
        select q.org_id, q.endpoint_id, q.delivery_id
        from unnest(${wanted.map((one) => one.endpoint.org_id)}::uuid[], ${wanted.map((one) => one.endpoint.id)}::uuid[],
          ${wanted.map((one) => one.free)}::int[]) as w(org_id, endpoint_id, free)
        join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id
        cross join lateral (
          select due.delivery_id from (
            (select f.delivery_id, row_number() over (order by f.claimable_at, f.delivery_id) as turn from webhook_queue f
             where f.org_id = w.org_id and f.endpoint_id = w.endpoint_id and not f.retry and f.claimable_at <= ${now}
               and (e.status in ('healthy', 'failing') or f.test_event)
             order by f.claimable_at, f.delivery_id limit w.free)
            union all
            (select r.delivery_id, 3 * row_number() over (order by r.claimable_at, r.delivery_id) from webhook_queue r
             where r.org_id = w.org_id and r.endpoint_id = w.endpoint_id and r.retry and r.claimable_at <= ${now}
               and e.status in ('healthy', 'failing')
             order by r.claimable_at, r.delivery_id limit w.free)
          ) due order by due.turn limit w.free
        ) d
        join webhook_queue q on q.org_id = w.org_id and q.endpoint_id = w.endpoint_id and q.delivery_id = d.delivery_id
        where q.claimable_at <= ${now}
        for update of q skip locked)
      returning t.org_id, t.endpoint_id, t.delivery_id, t.envelope_id, t.test_event, t.attempts
    )
    select taken.*, v.body from taken join webhook_envelopes v on v.org_id = taken.org_id and v.id = taken.envelope_id
    where v.body is not null
    order by taken.delivery_id`);
