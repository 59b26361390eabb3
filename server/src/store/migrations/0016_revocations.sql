-- A revoked license stays revoked: whoever takes LICENSE_KEY away, or puts an older one back, has none. The columns of
-- `installation` hold the last notice only; an older build reads and writes them still.

create table license_revocations (
  license_id text primary key,
  revoked_at timestamptz not null
);
grant select, insert, update on license_revocations to turnout_system;

insert into license_revocations (license_id, revoked_at)
  select license_id, license_revoked_at from installation where license_id is not null and license_revoked_at is not null;

create function directory.license_revocations() returns table (license_id text, revoked_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.license_id, r.revoked_at from license_revocations r
  union
  select i.license_id, i.license_revoked_at from installation i
    where i.license_id is not null and i.license_revoked_at is not null
$$;

grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.license_revocations() from public;
  alter function directory.license_revocations() owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.license_revocations() to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
