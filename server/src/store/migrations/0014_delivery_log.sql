-- The log of deliveries is written and not changed: what came of a delivery stands in its attempts, and what waits stands in the
-- queue. Every delivery was updated once more, with all of its indexes: half of what recording its outcome cost [m].

alter table webhook_attempts add column endpoint_id uuid;
alter table webhook_attempts add column signature text;
alter table webhook_attempts add column answer bytea;
alter table webhook_deliveries add column dead boolean not null default false;
do $$
begin
  perform set_config('role', 'turnout_system', true);
  update webhook_attempts a set endpoint_id = d.endpoint_id,
    signature = case when a.number = d.attempts then d.last_signature end,
    answer = case when a.number = d.attempts then d.last_answer end
  from webhook_deliveries d where d.org_id = a.org_id and d.id = a.delivery_id;
  delete from webhook_attempts where endpoint_id is null;
  update webhook_deliveries set dead = true where status = 'dead';
  perform set_config('role', 'none', true);
end $$;

-- One index for the attempts of a delivery and for the delivered ones of an endpoint, the newest last.
alter table webhook_attempts drop constraint webhook_attempts_pkey;
alter table webhook_attempts alter column endpoint_id set not null;
alter table webhook_attempts add column succeeded boolean not null generated always as (cause is null) stored;
alter table webhook_attempts add primary key (org_id, endpoint_id, succeeded, delivery_id, number);

drop index webhook_deliveries_status;
alter table webhook_deliveries drop column status, drop column attempts, drop column next_attempt_at, drop column last_attempt_at,
  drop column last_status_code, drop column last_signature, drop column last_answer;
create index webhook_deliveries_dead on webhook_deliveries (org_id, endpoint_id, id) where dead;
create index webhook_queue_delivery on webhook_queue (org_id, endpoint_id, retry, delivery_id);
