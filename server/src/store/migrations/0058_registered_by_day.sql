-- How many attendees were added on each day, for the small curve beside each event of Home. Written only under the event's clock, with
-- the attendees (areas/registrations/counts.ts), and counted whether or not they were cancelled later. Without it, a screen that is asked
-- for every few seconds would read every attendee of the last month. What a process of the build before adds while this one starts is
-- missing until the event is counted again; `turnout doctor` says so.
create table registered_by_day (
  org_id uuid not null,
  event_id uuid not null,
  test boolean not null,
  date date not null,
  group_id uuid,
  people int not null,
  foreign key (org_id, event_id) references events on delete cascade
) with (fillfactor = 50);
create unique index registered_by_day_cell on registered_by_day (org_id, event_id, test, date, group_id) nulls not distinct;
select make_tenant_table('registered_by_day');

-- The newest registrations of an event, for what has happened lately (areas/overview/activity.ts). Payments and check-ins have such an
-- index already.
create index registrations_created on registrations (org_id, event_id, test, created_at);

do $$
begin
  perform set_config('role', 'turnout_system', true);
  insert into registered_by_day
  select org_id, event_id, test, (created_at at time zone 'UTC')::date, group_id, count(*) from attendees group by 1, 2, 3, 4, 5;
  perform set_config('role', 'none', true);
end $$;
