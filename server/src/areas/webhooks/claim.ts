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
  /** So many rounds of an endpoint are claimed at once: claiming and recording pay by the transaction more than by the row. */
  ahead: number;
}
export const CAPS: Caps = { all: 512, organization: 128, endpoint: 16, troubled: 2, ahead: 32 };
/** So many failures in a row and an endpoint has few places, and nothing is claimed ahead: what hangs must not fill the house. */
const TROUBLED = 3;
const isTroubled = (endpoint: Ready): boolean => endpoint.failures_in_a_row >= TROUBLED;
export const atOnce = (endpoint: Ready, caps: Caps): number => (isTroubled(endpoint) ? caps.troubled : caps.endpoint);

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
  /** Then only test events go. */
  paused: boolean;
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
    select e.org_id, e.id, e.url, e.secret, e.old_secret, e.old_secret_until, e.failures_in_a_row, e.status like 'paused%' as paused
    from waiting w join webhook_endpoints e on e.org_id = w.org_id and e.id = w.endpoint_id and e.deleted_at is null
    where exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and not q.retry
            and q.claimable_at <= ${now} and (e.status not like 'paused%' or q.test_event))
      or exists (select 1 from webhook_queue q where q.org_id = e.org_id and q.endpoint_id = e.id and q.retry
            and q.claimable_at <= ${now} and e.status not like 'paused%')`);

/** How many of each, by organization and by endpoint. */
export class Tally {
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

/** An endpoint that has half of its share is left alone until it has used it up. */
export const wantsMore = (endpoint: Id, held: Tally, caps: Caps): boolean =>
  held.of(endpoint) <= (caps.endpoint * caps.ahead) / 2;

/**
 * How many deliveries of each endpoint to claim, where `held` are claimed already. In rounds: the first endpoint of every
 * organization, then the second …, so that an organization with a hundred endpoints does not go before one that has a single
 * one.
 */
export function shares(ready: readonly Ready[], held: Tally, caps: Caps): { endpoint: Ready; free: number }[] {
  const taken = new Map<Id, number>();
  let left = caps.all * caps.ahead - held.all;
  const chosen: { endpoint: Ready; free: number }[] = [];
  for (const endpoint of inRounds(ready)) {
    const share = isTroubled(endpoint) ? caps.troubled : caps.endpoint * caps.ahead;
    if (!isTroubled(endpoint) && !wantsMore(endpoint.id, held, caps)) continue;
    const ofOrg = taken.get(endpoint.org_id) ?? held.of(endpoint.org_id);
    const free = Math.min(share - held.of(endpoint.id), caps.organization * caps.ahead - ofOrg, left);
    if (free <= 0) continue;
    taken.set(endpoint.org_id, ofOrg + free);
    left -= free;
    chosen.push({ endpoint, free });
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
  /** Its place in the queue's table: nobody moves it while it is ours. */
  ctid: string;
}
/** Claimed, and where it goes. */
export interface Held {
  row: Claimed;
  endpoint: Ready;
  lease: Date;
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
    with due as materialized (
      select d.row from unnest(${wanted.map((one) => one.endpoint.org_id)}::uuid[], ${wanted.map((one) => one.endpoint.id)}::uuid[],
        ${wanted.map((one) => one.endpoint.paused)}::boolean[], ${wanted.map((one) => one.free)}::int[])
        as w(org_id, endpoint_id, paused, free)
      cross join lateral (
        select row from (
          (select f.ctid as row, row_number() over (order by f.claimable_at, f.delivery_id) as turn from webhook_queue f
           where f.org_id = w.org_id and f.endpoint_id = w.endpoint_id and not f.retry and f.claimable_at <= ${now}
             and (not w.paused or f.test_event)
           order by f.claimable_at, f.delivery_id limit w.free)
          union all
          (select r.ctid, 3 * row_number() over (order by r.claimable_at, r.delivery_id) from webhook_queue r
           where r.org_id = w.org_id and r.endpoint_id = w.endpoint_id and r.retry and r.claimable_at <= ${now} and not w.paused
           order by r.claimable_at, r.delivery_id limit w.free)
        ) both_kinds order by turn limit w.free
      ) d
    ), locked as materialized (
      select l.row from due cross join lateral (
        select q.ctid as row from webhook_queue q where q.ctid = due.row and q.claimable_at <= ${now} for update skip locked) l
    ), taken as (
      update webhook_queue t set claimable_at = ${lease} from locked where t.ctid = locked.row
      returning t.org_id, t.endpoint_id, t.delivery_id, t.envelope_id, t.test_event, t.attempts, t.ctid::text as ctid
    )
    select taken.*, v.body from taken join webhook_envelopes v on v.org_id = taken.org_id and v.id = taken.envelope_id
    where v.body is not null
    order by taken.delivery_id`);

/** Those of the queue that are still ours: nobody has taken them over, nobody has erased or removed them. */
export const ours = (held: readonly Pick<Held, 'row' | 'lease'>[]) => sql`
  unnest(${held.map(({ row }) => row.ctid)}::tid[], ${held.map(({ row }) => row.delivery_id)}::uuid[],
    ${held.map(({ lease }) => lease)}::timestamptz[]) as m(row, delivery_id, lease)`;

/** Gives back what was claimed and not sent. */
export const release = (tx: Tx, held: readonly Held[]): Promise<number> =>
  tx.run(sql`
    update webhook_queue q set claimable_at = ${tx.clock.now()} from ${ours(held)}
    where q.ctid = m.row and q.delivery_id = m.delivery_id and q.claimable_at = m.lease`);
