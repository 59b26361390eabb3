-- Webhooks: endpoints, envelopes (once per occurrence), deliveries (the log), attempts, and the queue of what is still to be sent.

create table webhook_endpoints (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  url text not null,
  events text[] not null,
  event_id uuid,
  group_id uuid,
  description text,
  status text not null check (status in ('healthy', 'failing', 'paused', 'paused_plan')),
  -- while the plan has no webhooks: whether a person had paused it before
  was_paused boolean not null default false,
  failures_in_a_row int not null default 0,
  failing_since timestamptz,
  -- encrypted: they sign, so they must be read again
  secret bytea not null,
  secret_last4 text not null,
  old_secret bytea,
  old_secret_until timestamptz,
  -- the process that sends to it, and until when it may without saying so again
  worker uuid,
  leased_until timestamptz,
  -- hears of what happens from then on
  since timestamptz not null,
  -- hidden at once; a job removes its history
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, group_id) references groups
);
create index webhook_endpoints_changed on webhook_endpoints (org_id, updated_at, id) where deleted_at is null;
create index webhook_endpoints_event on webhook_endpoints (org_id, event_id);
create index webhook_endpoints_group on webhook_endpoints (org_id, group_id);
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where status = 'failing';
create index webhook_endpoints_deleted on webhook_endpoints (deleted_at) where deleted_at is not null;
select make_tenant_table('webhook_endpoints');

-- The signed bytes; null once a person in them was erased.
create table webhook_envelopes (
  org_id uuid not null,
  id uuid not null,
  body bytea,
  primary key (org_id, id)
) partition by range (id);
create table webhook_envelopes_default partition of webhook_envelopes default;
select make_tenant_table('webhook_envelopes');

create table webhook_deliveries (
  org_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  envelope_id uuid not null,
  type text not null,
  event_id uuid,
  group_id uuid,
  livemode boolean not null,
  test_event boolean not null default false,
  replay_of uuid,
  -- when the first original was made: replays are counted from there
  origin_at timestamptz not null,
  status text not null check (status in ('pending', 'delivered', 'failed', 'dead')),
  attempts int not null default 0,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  last_status_code int,
  last_signature text,
  last_answer bytea,
  created_at timestamptz not null,
  primary key (org_id, id)
) partition by range (id);
create table webhook_deliveries_default partition of webhook_deliveries default;
create index webhook_deliveries_endpoint on webhook_deliveries (org_id, endpoint_id, id);
create index webhook_deliveries_status on webhook_deliveries (org_id, endpoint_id, status, id) where status <> 'delivered';
select make_tenant_table('webhook_deliveries');

create table webhook_attempts (
  org_id uuid not null,
  delivery_id uuid not null,
  number int not null,
  at timestamptz not null,
  duration_ms int not null,
  status_code int,
  cause text,
  primary key (org_id, delivery_id, number)
) partition by range (delivery_id);
create table webhook_attempts_default partition of webhook_attempts default;
select make_tenant_table('webhook_attempts');

insert into partitioned values
  ('webhook_envelopes', '35 days'), ('webhook_deliveries', '35 days'), ('webhook_attempts', '35 days');

-- What is still to be sent. Small, however long the log is. The one index is in the order of sending; single rows are found by
-- their ctid, so no plan can choose a worse way.
create table webhook_queue (
  org_id uuid not null,
  endpoint_id uuid not null,
  delivery_id uuid not null,
  envelope_id uuid not null,
  test_event boolean not null,
  attempts int not null,
  retry boolean not null generated always as (attempts > 0) stored,
  due_at timestamptz not null,
  primary key (org_id, endpoint_id, retry, due_at, delivery_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index webhook_queue_envelope on webhook_queue (org_id, envelope_id);
select make_tenant_table('webhook_queue');
