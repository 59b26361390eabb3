-- The door: what was let in without a record, and test events in which everything is a test.

-- Somebody was told something at a door that was offline, and the record does not know the code: only that, never the code.
create table unknown_scans (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  check_in_point_id uuid not null,
  scanned_at timestamptz not null,
  recorded_at timestamptz not null,
  client_uuid uuid not null,
  test boolean not null,
  skewed boolean not null,
  offline_result text not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, check_in_point_id) references check_in_points
);
create index unknown_scans_list on unknown_scans (org_id, event_id, test, recorded_at, id);
create index unknown_scans_point on unknown_scans (org_id, check_in_point_id);
create unique index unknown_scans_once on unknown_scans (org_id, event_id, client_uuid, test);
select make_tenant_table('unknown_scans');

-- What live keys and members made in a test event is a test, too. People of it count as checked in by its own check-ins.
do $$
declare e record; stamp timestamptz;
begin
  perform set_config('role', 'turnout_system', true);
  for e in
    select ev.org_id, ev.id from events ev where ev.test and (
      exists (select from registrations r where r.org_id = ev.org_id and r.event_id = ev.id and not r.test)
      or exists (select from checkins k where k.org_id = ev.org_id and k.event_id = ev.id)
      or exists (select from scans s where s.org_id = ev.org_id and s.event_id = ev.id and not s.test)
      or exists (select from communications c where c.org_id = ev.org_id and c.event_id = ev.id and not c.test)
      or exists (select from jobs j where j.org_id = ev.org_id and j.event_id = ev.id and not j.test))
    order by 1, 2
  loop
    update event_clocks c set at = greatest(now(), c.at + interval '1 microsecond')
    where c.org_id = e.org_id and c.event_id = e.id returning c.at into stamp;
    update checkins set test = true where org_id = e.org_id and event_id = e.id and not test;
    update registrations set test = true, updated_at = stamp where org_id = e.org_id and event_id = e.id and not test;
    update tickets set test = true, updated_at = stamp where org_id = e.org_id and event_id = e.id and not test;
    update payments set test = true, updated_at = stamp where org_id = e.org_id and event_id = e.id and not test;
    update attendees a set test = true, updated_at = stamp, checked_in_at = k.first
    from attendees one left join lateral (
      select min(c.recorded_at) as first from checkins c
      where c.org_id = one.org_id and c.attendee_id = one.id and c.admitted and c.undone_at is null and c.kind = 'entry') k on true
    where one.org_id = e.org_id and one.event_id = e.id and a.org_id = one.org_id and a.id = one.id
      and (not a.test or a.checked_in_at is distinct from k.first);
    update communications set test = true, updated_at = stamp where org_id = e.org_id and event_id = e.id and not test;
    update jobs set test = true, updated_at = greatest(updated_at, now()) where org_id = e.org_id and event_id = e.id and not test;

    insert into places as p (org_id, event_id, scope_id, test, taken, waiting)
    select org_id, event_id, scope_id, true, taken, waiting from places where org_id = e.org_id and event_id = e.id and not test
    on conflict (org_id, event_id, scope_id, test) do update
      set taken = p.taken + excluded.taken, waiting = p.waiting + excluded.waiting;
    delete from places where org_id = e.org_id and event_id = e.id and not test;

    -- A client_uuid that came in both modes keeps the answer of the test; a retry of the other call still gets its own.
    update idempotency i set body = convert_to(s.answer, 'UTF8'), kept_in = null from scans s
    where s.org_id = e.org_id and s.event_id = e.id and not s.test and i.org_id = s.org_id
      and i.kept_in = s.event_id || ' ' || s.client_uuid
      and exists (select from scans t where t.org_id = s.org_id and t.event_id = s.event_id and t.client_uuid = s.client_uuid and t.test);
    delete from scans s where s.org_id = e.org_id and s.event_id = e.id and not s.test
      and exists (select from scans t where t.org_id = s.org_id and t.event_id = s.event_id and t.client_uuid = s.client_uuid and t.test);
    update idempotency i set kept_in = i.kept_in || ' test' from scans s
    where s.org_id = e.org_id and s.event_id = e.id and not s.test and i.org_id = s.org_id
      and i.kept_in = s.event_id || ' ' || s.client_uuid;
    update scans set test = true where org_id = e.org_id and event_id = e.id and not test;
  end loop;
  perform set_config('role', 'none', true);
end $$;
