-- An organization sets what its new events begin with. What they have begun with until now stays the default.
alter table organizations add column currency text not null default 'EUR';

-- Health and pause of an endpoint are two things. Health is whether it has been failing since some time; here is why it is paused,
-- also while the plan has no webhooks and holds it besides (`was_paused`).
alter table webhook_endpoints add column paused_by text check (paused_by in ('person', 'failing'));

do $$
begin
  perform set_config('role', 'turnout_system', true);
  -- Who paused it stands in the audit log; what is older than the log keeps was a person, as far as anybody knows.
  update webhook_endpoints w set paused_by = coalesce((
    select case when a.actor_kind = 'system' then 'failing' else 'person' end from audit_log a
    where a.org_id = w.org_id and a.object_id = w.id and a.action = 'webhook_endpoint.paused' order by a.id desc limit 1), 'person')
  where w.status = 'paused' or w.was_paused;
  perform set_config('role', 'none', true);
end $$;

-- The copies of a delivery: which delivery of an occurrence to an endpoint is the newest. Few deliveries are copies.
create index webhook_deliveries_copies on webhook_deliveries (org_id, endpoint_id, envelope_id, id) where replay_of is not null;
