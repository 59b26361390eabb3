-- The group's wall: whoever is limited to a group reaches exactly the people of its subtree, and what is theirs.

-- A person without a group is of the registration's. It is written down from now on, so that a list asks one column and the event.
do $$
begin
  perform set_config('role', 'turnout_system', true);
  update event_clocks c set at = greatest(now(), c.at + interval '1 microsecond')
  where exists (
    select from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where a.org_id = c.org_id and a.event_id = c.event_id and a.group_id is null and r.group_id is not null);
  update attendees a set group_id = r.group_id, updated_at = c.at
  from registrations r, event_clocks c
  where r.org_id = a.org_id and r.id = a.registration_id and a.group_id is null and r.group_id is not null
    and c.org_id = a.org_id and c.event_id = a.event_id;
  perform set_config('role', 'none', true);
end $$;

-- An occurrence that tells of people of several groups says of whom. An endpoint of one group gets what is left of it for that
-- group: an envelope of its own in `webhook_envelopes`, known under the id of the occurrence all the same.
alter table outbox add column held text;
alter table webhook_queue add column occurrence_id uuid;
alter table webhook_deliveries add column occurrence_id uuid;
