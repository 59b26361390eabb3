-- Work in the background: one row a job is its queue, its progress and its record (docs/decisions/0020-jobs.md).

create table jobs (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  kind text not null,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  event_id uuid,
  -- No foreign key: a job limited to a group that is deleted meanwhile must not become one of the whole organization.
  group_id uuid,
  test boolean not null,
  actor jsonb not null,
  -- what it works from and where it stands; emptied when it ends
  input jsonb,
  source jsonb,
  state jsonb,
  done bigint not null default 0,
  total bigint,
  counts jsonb not null default '{}',
  error text,
  -- what it offers for download, until expires_at
  files jsonb not null default '{}',
  expires_at timestamptz,
  -- whose it is while it runs
  runner uuid,
  lease_until timestamptz,
  -- runs in a row that changed no state
  attempts int not null default 0,
  due_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete set null (event_id)
);
create index jobs_open on jobs (org_id, id) where status in ('queued', 'running');
create index jobs_event on jobs (org_id, event_id, id);
create index jobs_downloads on jobs (expires_at) where files <> '{}';
create index jobs_age on jobs (finished_at);
select make_tenant_table('jobs');
