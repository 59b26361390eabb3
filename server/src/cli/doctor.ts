import { sql } from '../store/sql.ts';
import type { Tx } from '../store/tx.ts';

interface Finding {
  check: string;
  ok: boolean;
  says: string;
}

/** Counts in `places` that differ from the attendees who hold places and the registrations that wait, live and test separately. */
const wrongPlaces = sql`
  with held as (
    select a.org_id, a.event_id, a.test, a.attendee_type_id, a.day_ids from attendees a
    where a.status in ('pending_approval', 'pending_payment', 'confirmed')),
  truth as (
    select org_id, event_id, event_id as scope_id, test, count(*)::int as taken from held group by 1, 2, 3, 4
    union all
    select org_id, event_id, attendee_type_id, test, count(*)::int from held group by 1, 2, 3, 4
    union all
    select org_id, event_id, day, test, count(*)::int from held, unnest(day_ids) as day group by 1, 2, 3, 4),
  waits as (
    select r.org_id, r.event_id, scope as scope_id, r.test, count(*)::int as waiting
    from registrations r, unnest(r.waiting_for) as scope where r.status = 'waitlisted' group by 1, 2, 3, 4)
  select count(*)::int as wrong from places p
    full join truth t using (org_id, event_id, scope_id, test)
    full join waits w using (org_id, event_id, scope_id, test)
  where coalesce(p.taken, 0) <> coalesce(t.taken, 0) or coalesce(p.waiting, 0) <> coalesce(w.waiting, 0)`;

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

const count = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** Looks for faults that nobody would notice otherwise. */
export async function doctor(tx: Tx): Promise<{ ok: boolean; findings: Finding[] }> {
  const findings: Finding[] = [];
  const version = await tx.one<{ version: string }>(sql`select current_setting('server_version') as version`);
  findings.push({ check: 'database', ok: true, says: `PostgreSQL ${version.version}` });

  const clocks = await tx.one<{ missing: number }>(sql`
    select count(*)::int as missing from events e
    where not exists (select from event_clocks c where c.org_id = e.org_id and c.event_id = e.id)`);
  findings.push({
    check: 'event clocks',
    ok: clocks.missing === 0,
    says: clocks.missing === 0 ? 'every event has a clock' : `events without a clock: ${clocks.missing}`,
  });

  const paths = await tx.one<{ wrong: number }>(sql`
    with recursive tree as (
      select org_id, id, array[id] as path from groups where parent_id is null
      union all
      select g.org_id, g.id, t.path || g.id from groups g join tree t on t.org_id = g.org_id and t.id = g.parent_id)
    select count(*)::int as wrong from groups g left join tree t on t.org_id = g.org_id and t.id = g.id
    where t.path is distinct from g.path`);
  findings.push({
    check: 'group tree',
    ok: paths.wrong === 0,
    says: paths.wrong === 0 ? 'the paths agree with the parents' : `groups with a wrong path: ${paths.wrong}`,
  });

  // Callers limited to a group are shown attendees by this column: an attendee without a group of its own has the registration's.
  const groupless = await tx.one<{ wrong: number }>(sql`
    select count(*)::int as wrong from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where a.group_id is null and r.group_id is not null`);
  findings.push({
    check: 'groups of attendees',
    ok: groupless.wrong === 0,
    says:
      groupless.wrong === 0
        ? 'every attendee has at least the registration’s group'
        : `attendees without their registration’s group: ${groupless.wrong}`,
  });

  const places = await tx.one<{ wrong: number }>(wrongPlaces);
  findings.push({
    check: 'places',
    ok: places.wrong === 0,
    says:
      places.wrong === 0
        ? 'the counts agree with the attendees'
        : `counts that differ from the attendees who hold places: ${places.wrong}`,
  });

  const counts = await tx.one<{ wrong: number }>(wrongCounts);
  findings.push({
    check: 'counts',
    ok: counts.wrong === 0,
    says:
      counts.wrong === 0
        ? 'the summaries agree with the attendees'
        : `counts of summaries that differ from the attendees and registrations: ${counts.wrong}`,
  });

  // Check-ins and scans have no foreign keys; code that holds the event's clock keeps them valid (migration 0010).
  const orphans = await tx.one<{ checkins: number; scans: number }>(sql`
    select (select count(*)::int from checkins k
        where not exists (select from attendees a where a.org_id = k.org_id and a.id = k.attendee_id and a.event_id = k.event_id)
          or not exists (select from tickets t where t.org_id = k.org_id and t.id = k.ticket_id)
          or not exists (select from check_in_points p where p.org_id = k.org_id and p.id = k.check_in_point_id)) as checkins,
      (select count(*)::int from scans s
        where not exists (select from events e where e.org_id = s.org_id and e.id = s.event_id)) as scans`);
  findings.push({
    check: 'check-ins',
    ok: orphans.checkins + orphans.scans === 0,
    says:
      orphans.checkins + orphans.scans === 0
        ? 'each has its attendee, ticket and point'
        : `rows that refer to something deleted: ${count(orphans.checkins, 'check-in')}, ${count(orphans.scans, 'scan')}`,
  });

  const queue = await tx.one<{ outbox: number; mails: number; failed: number }>(sql`
    select (select count(*)::int from outbox where created_at < ${tx.clock.now()}::timestamptz - interval '5 minutes') as outbox,
      (select count(*)::int from mails where status = 'queued' and next_attempt_at < ${tx.clock.now()}::timestamptz - interval '10 minutes') as mails,
      (select count(*)::int from mails where status = 'failed') as failed`);
  findings.push({
    check: 'outbox',
    ok: queue.outbox === 0,
    says:
      queue.outbox === 0
        ? 'nothing waits'
        : `rows that have waited for more than 5 minutes: ${queue.outbox}. Is a worker running?`,
  });
  findings.push({
    check: 'mails',
    ok: queue.mails === 0,
    says:
      queue.mails === 0
        ? `nothing is overdue; given up: ${queue.failed}`
        : `mails that are overdue: ${queue.mails}. Is a worker running?`,
  });

  return { ok: findings.every((finding) => finding.ok), findings };
}
