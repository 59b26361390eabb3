import { QUOTA_TAKEN } from '../../areas/events/index.ts';
import { TookTooLong } from '../../store/kinds.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Check } from './check.ts';
import { count, failed, NotChecked, ok, warning } from './verdict.ts';

/** Rows that contradict each other come from a fault of the program or from changes by hand. */
const RESTORE =
  'Report it with the output of this command: nothing that Turnout does should lead to it. Was the database changed by hand, or restored in part?';

/** Counts in `places` that differ from the attendees who hold places and the registrations that wait, live and test separately. */
const wrongPlaces = sql`
  with held as (
    select a.org_id, a.event_id, a.test, a.attendee_type_id, a.day_ids, a.products from attendees a
    where a.status in ('pending_approval', 'pending_payment', 'confirmed')),
  lines as (
    select b.org_id, b.event_id, b.test, line->>'product_id' as product, line->>'option_id' as option, (line->>'quantity')::int as units
    from (
      select org_id, event_id, test, products from held where products <> '[]'
      union all
      select org_id, event_id, test, products from registrations
      where products <> '[]' and status in ('pending_approval', 'pending_payment', 'confirmed')) b
    cross join lateral jsonb_array_elements(b.products) line),
  truth as (
    select org_id, event_id, event_id as scope_id, test, count(*)::int as taken from held group by 1, 2, 3, 4
    union all
    select org_id, event_id, attendee_type_id, test, count(*)::int from held group by 1, 2, 3, 4
    union all
    select org_id, event_id, day, test, count(*)::int from held, unnest(day_ids) as day group by 1, 2, 3, 4
    union all
    select org_id, event_id, product::uuid, test, sum(units)::int from lines group by 1, 2, 3, 4
    union all
    select org_id, event_id, option::uuid, test, sum(units)::int from lines where option is not null group by 1, 2, 3, 4
    union all
    select t.org_id, t.event_id, t.scope_id, t.test, sum(t.taken)::int from (${QUOTA_TAKEN(sql`true`)}) t group by 1, 2, 3, 4),
  waits as (
    select r.org_id, r.event_id, scope as scope_id, r.test, count(*)::int as waiting
    from registrations r, unnest(r.waiting_for) as scope where r.status = 'waitlisted' group by 1, 2, 3, 4)
  select count(*)::int as wrong from places p
    full join truth t using (org_id, event_id, scope_id, test)
    full join waits w using (org_id, event_id, scope_id, test)
  where coalesce(p.taken, 0) <> coalesce(t.taken, 0) or coalesce(p.waiting, 0) <> coalesce(w.waiting, 0)`;

/** Discounts whose uses differ from the attendees that they cover. */
const wrongUses = sql`
  with covered as (
    select org_id, discount_id as id, count(*) filter (where not test)::int as used, count(*) filter (where test)::int as used_test
    from attendees where discount_id is not null and status in ('pending_approval', 'pending_payment', 'confirmed') group by 1, 2)
  select count(*)::int as wrong from discounts d full join covered c using (org_id, id)
  where coalesce(d.used, 0) <> coalesce(c.used, 0) or coalesce(d.used_test, 0) <> coalesce(c.used_test, 0)`;

/** Registrations that hold places and whose sums differ from what is booked in them. */
const wrongSums = sql`
  with booked as (
    select org_id, registration_id as id, price_minor - discount_minor as price, discount_minor, products from attendees
    where status in ('pending_approval', 'pending_payment', 'confirmed')
    union all
    select org_id, id, 0, 0, products from registrations where products <> '[]'),
  sums as (
    select b.org_id, b.id, sum(b.price + coalesce(l.price, 0)) as total, sum(b.discount_minor + coalesce(l.discount, 0)) as discount
    from booked b left join lateral (
      select sum((line->>'price_minor')::bigint * (line->>'quantity')::int - (line->>'discount_minor')::bigint) as price,
        sum((line->>'discount_minor')::bigint) as discount
      from jsonb_array_elements(b.products) line) l on b.products <> '[]'
    group by 1, 2)
  select count(*)::int as wrong from registrations r join sums s using (org_id, id)
  where r.status in ('pending_approval', 'pending_payment', 'confirmed') and (r.total_minor <> s.total or r.discount_minor <> s.discount)`;

/** Counts for summaries that differ, in events whose counts are complete (areas/registrations/counts.ts). */
const wrongCounts = sql`
  with kept as (select org_id, event_id from event_clocks where counted_at = at),
  people as (
    select org_id, event_id, test, status, source, attendee_type_id, day_id, group_id, people::bigint as n from people_counts
    union all
    select a.org_id, a.event_id, a.test, a.status, r.source, a.attendee_type_id, d.day_id, a.group_id, -count(*)
    from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id,
      unnest(array_append(a.day_ids, null)) as d(day_id)
    group by 1, 2, 3, 4, 5, 6, 7, 8),
  registrations as (
    select org_id, event_id, test, status, source, currency, registrations::bigint as n, paid_minor as paid from registration_counts
    where scope = ''
    union all
    select org_id, event_id, test, status, source, currency, -1, -paid_minor from registrations),
  dates as (
    select org_id, event_id, test, date, group_id, people::bigint as n from registered_by_day
    union all
    select org_id, event_id, test, (created_at at time zone 'UTC')::date, group_id, -count(*) from attendees group by 1, 2, 3, 4, 5)
  select (select count(*) from (
      select from people join kept using (org_id, event_id) group by org_id, event_id, test, status, source, attendee_type_id, day_id, group_id
      having sum(n) <> 0) w)::int
    + (select count(*) from (
      select from registrations join kept using (org_id, event_id) group by org_id, event_id, test, status, source, currency
      having sum(n) <> 0 or sum(paid) <> 0) w)::int
    + (select count(*) from (
      select from dates join kept using (org_id, event_id) group by org_id, event_id, test, date, group_id having sum(n) <> 0) w)::int
    as wrong`;

interface Found {
  wrong: number;
  says: string;
}

/** Faults that nobody would notice otherwise. Each is one question to the rows. */
const QUESTIONS: readonly { name: string; sound: string; ask: (tx: Tx) => Promise<Found>; remedy: string }[] = [
  {
    name: 'event clocks',
    sound: 'every event has a clock',
    ask: async (tx) => {
      const { missing } = await tx.one<{ missing: number }>(sql`
        select count(*)::int as missing from events e
        where not exists (select from event_clocks c where c.org_id = e.org_id and c.event_id = e.id)`);
      return { wrong: missing, says: `events without a clock: ${missing}` };
    },
    remedy: RESTORE,
  },
  {
    name: 'group tree',
    sound: 'the paths agree with the parents',
    ask: async (tx) => {
      const { wrong } = await tx.one<{ wrong: number }>(sql`
        with recursive tree as (
          select org_id, id, array[id] as path from groups where parent_id is null
          union all
          select g.org_id, g.id, t.path || g.id from groups g join tree t on t.org_id = g.org_id and t.id = g.parent_id)
        select count(*)::int as wrong from groups g left join tree t on t.org_id = g.org_id and t.id = g.id
        where t.path is distinct from g.path`);
      return { wrong, says: `groups with a wrong path: ${wrong}` };
    },
    remedy: RESTORE,
  },
  {
    // Callers limited to a group are shown attendees by this column: an attendee without a group of its own has the registration's.
    name: 'groups of attendees',
    sound: 'every attendee has at least the registration’s group',
    ask: async (tx) => {
      const { wrong } = await tx.one<{ wrong: number }>(sql`
        select count(*)::int as wrong from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
        where a.group_id is null and r.group_id is not null`);
      return { wrong, says: `attendees without their registration’s group: ${wrong}` };
    },
    remedy: RESTORE,
  },
  {
    name: 'places',
    sound: 'the counts agree with the attendees',
    ask: async (tx) => {
      const { wrong } = await tx.one<{ wrong: number }>(wrongPlaces);
      return { wrong, says: `counts that differ from the attendees who hold places: ${wrong}` };
    },
    remedy: RESTORE,
  },
  {
    name: 'uses of codes',
    sound: 'the counts agree with the attendees',
    ask: async (tx) => {
      const { wrong } = await tx.one<{ wrong: number }>(wrongUses);
      return { wrong, says: `discounts whose uses differ from the attendees that they cover: ${wrong}` };
    },
    remedy: RESTORE,
  },
  {
    name: 'sums',
    sound: 'each registration costs what is booked in it',
    ask: async (tx) => {
      const { wrong } = await tx.one<{ wrong: number }>(wrongSums);
      return { wrong, says: `registrations whose sums differ from what is booked in them: ${wrong}` };
    },
    remedy: RESTORE,
  },
  {
    name: 'counts',
    sound: 'the summaries agree with the attendees',
    ask: async (tx) => {
      const { wrong } = await tx.one<{ wrong: number }>(wrongCounts);
      return { wrong, says: `counts of summaries that differ from the attendees and registrations: ${wrong}` };
    },
    remedy: RESTORE,
  },
  {
    // Check-ins and scans have no foreign keys; code that holds the event's clock keeps them valid (migration 0010).
    name: 'check-ins',
    sound: 'each has its attendee, ticket and point',
    ask: async (tx) => {
      const { checkins, scans } = await tx.one<{ checkins: number; scans: number }>(sql`
        select (select count(*)::int from checkins k
            where not exists (select from attendees a where a.org_id = k.org_id and a.id = k.attendee_id and a.event_id = k.event_id)
              or not exists (select from tickets t where t.org_id = k.org_id and t.id = k.ticket_id)
              or not exists (select from check_in_points p where p.org_id = k.org_id and p.id = k.check_in_point_id)) as checkins,
          (select count(*)::int from scans s
            where not exists (select from events e where e.org_id = s.org_id and e.id = s.event_id)) as scans`);
      return {
        wrong: checkins + scans,
        says: `rows that refer to something deleted: ${count(checkins, 'check-in')}, ${count(scans, 'scan')}`,
      };
    },
    remedy: RESTORE,
  },
];

/** The same within a transaction that is open already. */
export async function doctor(
  tx: Tx,
): Promise<{ ok: boolean; findings: { check: string; ok: boolean; says: string }[] }> {
  const findings = [];
  for (const { name, sound, ask } of QUESTIONS) {
    const { wrong, says } = await ask(tx);
    findings.push({ check: name, ok: wrong === 0, says: wrong === 0 ? sound : says });
  }
  return { ok: findings.every((finding) => finding.ok), findings };
}

const LIMIT_MS = 14_500;

export const dataChecks: readonly Check[] = QUESTIONS.map(({ name, sound, ask, remedy }) => ({
  name,
  group: 'data',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { read } = await database();
    const { wrong, says } = await read(ask).catch((error) => {
      throw error instanceof TookTooLong
        ? new NotChecked('counting the rows took too long; `turnout doctor --patient` waits for it')
        : error;
    });
    return wrong === 0 ? ok(sound) : failed(says, remedy);
  },
  late: warning(
    'Not checked: counting the rows takes longer than a quick look may.',
    'Run `turnout doctor --patient` at a quiet time.',
  ),
}));
