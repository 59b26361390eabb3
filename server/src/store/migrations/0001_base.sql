-- What everything else stands on: tenancy, organizations and who acts for them, the road's own tables, the structure of events.
-- Ids are ULIDs stored as uuid. Every table of an organization has (org_id, id) as primary key and forced row-level security.

create schema directory;

-- The organization of this transaction; null (so no row is visible) when none was set.
create function current_org() returns uuid language sql stable parallel safe
  as $$ select nullif(current_setting('turnout.org', true), '')::uuid $$;

-- The smallest ULID of an instant: partition bounds and "older than" conditions on ids.
create function ulid_floor(at timestamptz) returns uuid language sql immutable parallel safe
  as $$ select (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$;

-- Every table of an organization passes through here. turnout_app sees its own organization, turnout_system (workers) all.
create function make_tenant_table(name regclass, org_column text default 'org_id') returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy own_organization on %s to turnout_app using (%I = current_org()) with check (%I = current_org())',
    name, org_column, org_column);
  execute format('create policy every_organization on %s to turnout_system using (true) with check (true)', name);
  execute format('grant select, insert, update, delete on %s to turnout_app, turnout_system', name);
end $$;

-- ---------------------------------------------------------------- the installation, plans, organizations

create table installation (
  sole boolean primary key default true check (sole),
  secret_check bytea,
  license_id text,
  license_revoked_at timestamptz,
  created_at timestamptz not null default now()
);
grant select, insert, update on installation to turnout_system;

create table plans (
  code text primary key,
  rank int not null unique,
  name text not null,
  entitlements text[] not null,
  limits jsonb not null
);
grant select on plans to turnout_app, turnout_system;

create table organizations (
  id uuid primary key,
  code text not null,
  name text not null,
  timezone text not null default 'UTC',
  language text not null default 'en',
  plan text not null references plans,
  limits jsonb not null default '{}',
  terminology jsonb not null default '{}',
  sandbox boolean not null default false,
  groups_version bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index organizations_code on organizations (lower(code));
select make_tenant_table('organizations', 'id');

-- Order of stamps = order of visibility: see store/clocks.ts.
create table org_clocks (
  org_id uuid primary key references organizations on delete cascade,
  at timestamptz not null default '-infinity'
) with (fillfactor = 50);
select make_tenant_table('org_clocks');

-- ---------------------------------------------------------------- groups

create table groups (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  code text not null,
  name text not null,
  parent_id uuid,
  -- from the top down to and including itself: "is in the subtree of g" is `g = any(path)`
  path uuid[] not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references groups
);
create unique index groups_code on groups (org_id, lower(code));
create index groups_parent on groups (org_id, parent_id);
create index groups_changed on groups (org_id, updated_at, id);
select make_tenant_table('groups');

-- ---------------------------------------------------------------- who acts: keys, members, devices

create table api_keys (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  scopes text[] not null,
  group_id uuid,
  hash bytea not null,
  last4 text not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  allowed_addresses text[],
  requests_per_minute int,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, group_id) references groups
);
create unique index api_keys_hash on api_keys (hash);
create index api_keys_group on api_keys (org_id, group_id);
select make_tenant_table('api_keys');

create table members (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  group_id uuid,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, group_id) references groups
);
create unique index members_email on members (org_id, lower(email));
create index members_group on members (org_id, group_id);
select make_tenant_table('members');

create table member_sessions (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  member_id uuid not null,
  hash bytea not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, member_id) references members on delete cascade
);
create unique index member_sessions_hash on member_sessions (hash);
create index member_sessions_member on member_sessions (org_id, member_id);
select make_tenant_table('member_sessions');

-- ---------------------------------------------------------------- events and their structure

create table events (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  code text not null,
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'published', 'closed', 'archived')),
  test boolean not null,
  group_id uuid,
  timezone text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  venue text,
  currency text not null,
  capacity int,
  ticketing text not null check (ticketing in ('per_person', 'per_day', 'shared')),
  language text not null,
  terms text,
  registration jsonb not null,
  world_version bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, group_id) references groups
);
create unique index events_code on events (org_id, lower(code));
create index events_changed on events (org_id, updated_at, id);
create index events_group on events (org_id, group_id);
select make_tenant_table('events');

create table event_clocks (
  org_id uuid not null,
  event_id uuid not null,
  at timestamptz not null default '-infinity',
  primary key (org_id, event_id),
  foreign key (org_id, event_id) references events on delete cascade
) with (fillfactor = 50);
select make_tenant_table('event_clocks');

create table days (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  name text not null,
  date date not null,
  opens_at timestamptz,
  closes_at timestamptz,
  capacity int,
  locked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, event_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index days_code on days (org_id, event_id, lower(code));
create index days_changed on days (org_id, event_id, updated_at, id);
select make_tenant_table('days');

create table attendee_types (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  name text not null,
  price_minor bigint not null,
  capacity int,
  day_ids uuid[],
  pass_days int,
  approval boolean not null,
  visible boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, event_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index attendee_types_code on attendee_types (org_id, event_id, lower(code));
create index attendee_types_changed on attendee_types (org_id, event_id, updated_at, id);
select make_tenant_table('attendee_types');

create table questions (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  label text not null,
  kind text not null,
  required boolean not null,
  options text[],
  attendee_type_ids uuid[],
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index questions_code on questions (org_id, event_id, lower(code));
create index questions_changed on questions (org_id, event_id, updated_at, id);
select make_tenant_table('questions');

create table check_in_points (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  name text not null,
  kind text not null check (kind in ('entry', 'pre_check', 'zone', 'exit')),
  attendee_type_ids uuid[],
  group_ids uuid[],
  day_ids uuid[],
  opens_minutes_before int not null,
  closes_minutes_after int not null,
  pass_limit text not null check (pass_limit in ('once_per_day', 'once', 'once_until_exit', 'unlimited')),
  cooldown_seconds int not null,
  requires text check (requires in ('pre_check', 'entry')),
  capacity int,
  leaves_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, event_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, event_id, leaves_id) references check_in_points (org_id, event_id, id)
);
create unique index check_in_points_code on check_in_points (org_id, event_id, lower(code));
create index check_in_points_changed on check_in_points (org_id, event_id, updated_at, id);
select make_tenant_table('check_in_points');

-- A paired scanner. Its sign-in comes with the devices area; the road knows it as an actor.
create table devices (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  event_id uuid not null,
  name text not null,
  token_hash bytea not null,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index devices_token on devices (token_hash);
create index devices_event on devices (org_id, event_id);
select make_tenant_table('devices');

-- ---------------------------------------------------------------- the road's own

create table idempotency (
  org_id uuid not null references organizations on delete cascade,
  actor_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  request_id text not null,
  status smallint not null,
  body bytea not null,
  encrypted boolean not null,
  created_at timestamptz not null,
  primary key (org_id, actor_id, key)
);
create index idempotency_age on idempotency (created_at);
select make_tenant_table('idempotency');

create table outbox (
  org_id uuid not null,
  id uuid not null,
  type text not null,
  event_id uuid,
  group_id uuid,
  livemode boolean not null,
  data json not null,
  created_at timestamptz not null,
  primary key (org_id, id)
);
create index outbox_order on outbox (id);
select make_tenant_table('outbox');

create table audit_log (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  action text not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  source text not null,
  client text,
  request_id text,
  object_kind text not null,
  object_id uuid,
  event_id uuid,
  group_id uuid,
  test boolean not null default false,
  changes jsonb,
  primary key (org_id, id)
) partition by range (id);
create table audit_log_default partition of audit_log default;
create index audit_log_event on audit_log (org_id, event_id, id);
create index audit_log_object on audit_log (org_id, object_id, id);
select make_tenant_table('audit_log');

create table mails (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  recipient text not null,
  recipient_name text,
  subject text not null,
  html text,
  text text not null,
  attachments jsonb not null default '[]',
  event_id uuid,
  object_id uuid,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null,
  sent_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  primary key (org_id, id)
) partition by range (id);
create table mails_default partition of mails default;
create index mails_due on mails (next_attempt_at, id) where status = 'queued';
create index mails_event on mails (org_id, event_id, id);
select make_tenant_table('mails');

create table api_usage (
  org_id uuid not null references organizations on delete cascade,
  month text not null,
  calls bigint not null default 0,
  warned_80_at timestamptz,
  warned_100_at timestamptz,
  primary key (org_id, month)
) with (fillfactor = 50);
select make_tenant_table('api_usage');

-- One budget per key where several processes serve. Lost in a crash without harm, hence unlogged.
create unlogged table rate_windows (
  key_id uuid primary key,
  started_at timestamptz not null,
  calls int not null
) with (fillfactor = 50);
grant select, insert, update, delete on rate_windows to turnout_system;

-- ---------------------------------------------------------------- monthly partitions

create table partitioned (name regclass primary key, keep interval not null);
grant select on partitioned to turnout_system;
insert into partitioned values ('audit_log', '2 years'), ('mails', '1 year');

-- Partitions for this month and the next two; drops what is past its keep. Called daily, and on every start.
create function keep_partitions(now_at timestamptz) returns int language plpgsql as $$
declare
  t record; part record; month timestamptz; child text; changed int := 0;
begin
  for t in select * from partitioned loop
    for i in 0..2 loop
      month := date_trunc('month', now_at, 'UTC') + make_interval(months => i);
      child := format('%s_%s', t.name::text, to_char(month at time zone 'UTC', 'YYYY_MM'));
      if to_regclass(child) is null then
        begin
          execute format('create table %I partition of %s for values from (%L) to (%L)',
            child, t.name, ulid_floor(month), ulid_floor(month + interval '1 month'));
          changed := changed + 1;
        exception when check_violation then null; -- rows of that month lie in the default partition already
        end;
      end if;
    end loop;
    for part in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = t.name and c.relname ~ '_\d{4}_\d{2}$'
        and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < now_at - t.keep
    loop
      execute format('drop table %I', part.relname);
      changed := changed + 1;
    end loop;
  end loop;
  return changed;
end $$;

-- ---------------------------------------------------------------- the directory: found before the organization is known

-- Adds the calls that were counted since the last visit, then reads the keys. One round trip for many requests at once
-- (road/authenticate.ts). Counting may lose the last moments in a crash, so its commit does not wait for the disk.
create function directory.find_keys(hashes bytea[], counted_orgs uuid[], counted bigint[], of_month text)
returns table (
  hash bytea, id uuid, org_id uuid, name text, mode text, scopes text[], group_id uuid, group_code text, expires_at timestamptz,
  revoked_at timestamptz, allowed_addresses text[], requests_per_minute int,
  org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb,
  calls bigint, warned_80_at timestamptz, warned_100_at timestamptz
)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if cardinality(counted_orgs) > 0 then
    perform set_config('synchronous_commit', 'off', true);
    insert into api_usage as u (org_id, month, calls)
      select org, of_month, n from unnest(counted_orgs, counted) as c(org, n) order by org
      on conflict on constraint api_usage_pkey do update set calls = u.calls + excluded.calls;
  end if;
  return query
    select k.hash, k.id, k.org_id, k.name, k.mode, k.scopes, k.group_id, g.code, k.expires_at, k.revoked_at, k.allowed_addresses,
      k.requests_per_minute, o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits,
      coalesce(u.calls, 0), u.warned_80_at, u.warned_100_at
    from api_keys k
    join organizations o on o.id = k.org_id
    join plans p on p.code = o.plan
    left join groups g on g.org_id = k.org_id and g.id = k.group_id
    left join api_usage u on u.org_id = k.org_id and u.month = of_month
    where k.hash = any(hashes);
end $$;

create function directory.find_session(of_hash bytea, of_month text)
returns table (
  id uuid, org_id uuid, name text, email text, role text, group_id uuid, group_code text, expires_at timestamptz,
  org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb, calls bigint
)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.id, m.org_id, m.name, m.email, m.role, m.group_id, g.code, s.expires_at,
    o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits, coalesce(u.calls, 0)
  from member_sessions s
  join members m on m.org_id = s.org_id and m.id = s.member_id
  join organizations o on o.id = s.org_id
  join plans p on p.code = o.plan
  left join groups g on g.org_id = m.org_id and g.id = m.group_id
  left join api_usage u on u.org_id = s.org_id and u.month = of_month
  where s.hash = of_hash
$$;

create function directory.find_device(of_hash bytea)
returns table (
  id uuid, org_id uuid, name text, event_id uuid, revoked_at timestamptz,
  org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb
)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.id, d.org_id, d.name, d.event_id, d.revoked_at,
    o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits
  from devices d
  join organizations o on o.id = d.org_id
  join plans p on p.code = o.plan
  where d.token_hash = of_hash
$$;

-- One window a key, from its first call on; `calls` after adding. "The 61st call in a minute fails" (facts.md).
create function directory.consume(keys uuid[], counted int[], now_at timestamptz)
returns table (key_id uuid, started_at timestamptz, calls int)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    insert into rate_windows as w (key_id, started_at, calls)
      select k, now_at, n from unnest(keys, counted) as c(k, n) order by k
      on conflict on constraint rate_windows_pkey do update set
        started_at = case when w.started_at <= now_at - interval '1 minute' then now_at else w.started_at end,
        calls = excluded.calls + case when w.started_at <= now_at - interval '1 minute' then 0 else w.calls end
      returning w.key_id, w.started_at, w.calls;
end $$;

create function directory.license_revoked_at(of_license text) returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select license_revoked_at from installation where license_id = of_license
$$;

-- Owned by the role that sees every organization, callable by the role the server logs in with.
grant usage on schema public to turnout_app, turnout_system;
grant usage, create on schema directory to turnout_system;
do $$
declare f regprocedure; login text := current_user;
begin
  for f in select p.oid::regprocedure from pg_proc p where p.pronamespace = 'directory'::regnamespace loop
    execute format('revoke all on function %s from public', f);
    execute format('alter function %s owner to turnout_system', f);
    perform set_config('role', 'turnout_system', true);
    execute format('grant execute on function %s to %I', f, login);
    perform set_config('role', 'none', true);
  end loop;
end $$;
revoke create on schema directory from turnout_system;
