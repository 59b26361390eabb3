-- What scanners may do at an event's door besides reading codes.
alter table events add column door jsonb not null default '{"name_search": false, "kiosk": false}';
