-- A ticket of a test registration was in the rosters of test keys only, so that it left is told to them only. A process of the version
-- before writes false during an upgrade; the live scanners that it tells drop what they never had.
alter table roster_removed add column test boolean not null default false;

-- A person without a group counts to that of the event. Which one that was is kept from now on, because an event may get another group.
-- Where there was none, no limited roster had the ticket, and nobody has to be told.
do $$
begin
  perform set_config('role', 'turnout_system', true);
  update roster_removed r set group_id = e.group_id from events e
    where r.group_id is null and not r.everywhere and e.org_id = r.org_id and e.id = r.event_id and e.group_id is not null;
  delete from roster_removed where group_id is null and not everywhere;
  update roster_removed r set test = true from tickets t
    where t.org_id = r.org_id and t.event_id = r.event_id and t.test
      and encode(sha256(convert_to(t.code, 'UTF8')), 'hex') = r.code_sha256;
  perform set_config('role', 'none', true);
end $$;
