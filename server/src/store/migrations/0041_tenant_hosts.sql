-- Hosts of organizations, at whose root their registration pages are.
create table tenant_hosts (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  host text not null,
  token text not null,
  state text not null check (state in ('waiting', 'proved', 'contested')),
  proved_at timestamptz,
  proved_by text check (proved_by in ('dns', 'operator')),
  checked_at timestamptz,
  found text check (found in ('found', 'other_value', 'none', 'no_answer')),
  missing_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, host),
  check ((state = 'proved') = (proved_at is not null and proved_by is not null))
);
-- A host has one owner. Any number of organizations may claim it without a proof.
create unique index tenant_hosts_proved on tenant_hosts (host) include (org_id) where state = 'proved';
-- The daily check.
create index tenant_hosts_due on tenant_hosts (checked_at) where state <> 'waiting' and proved_by is distinct from 'operator';
select make_tenant_table('tenant_hosts');

-- Every process keeps the proved hosts in memory, because each request is routed by them.
-- It asks again and again whether they have changed, so that question reads the index alone.
create function directory.tenant_hosts_version() returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*) || ' ' || coalesce(sum(hashtextextended(h.host || h.org_id, 0)), 0) from tenant_hosts h where h.state = 'proved'
$$;
create function directory.tenant_hosts() returns table (host text, org_id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select h.host, h.org_id from tenant_hosts h where h.state = 'proved'
$$;
grant create on schema directory to turnout_system;
do $$
declare
  login text := current_user;
  f text;
begin
  foreach f in array array['directory.tenant_hosts_version()', 'directory.tenant_hosts()'] loop
    execute format('revoke all on function %s from public', f);
    execute format('alter function %s owner to turnout_system', f);
    perform set_config('role', 'turnout_system', true);
    execute format('grant execute on function %s to %I', f, login);
    perform set_config('role', 'none', true);
  end loop;
end $$;
revoke create on schema directory from turnout_system;
