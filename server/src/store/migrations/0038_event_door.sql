-- What scanners may do at an event's door besides reading codes.
alter table events add column door jsonb not null default '{"name_search": false, "kiosk": false}';

-- When the event begins, as it is shown, or ends if only that is known: the order of lists by date. Without a date it is taken for one
-- that is still far off.
alter table events add column begins_at timestamptz not null generated always as (coalesce(
  starts_at, case when ends_at < days_start_at then null else days_start_at end,
  ends_at, case when starts_at > days_end_at then null else days_end_at end,
  timestamptz '9999-12-31 00:00:00+00')) stored;
create index events_begin on events (org_id, begins_at, id);
