-- A member who is limited to a group pairs scanners that are limited to it, too: else a device would read beyond the member's wall.
alter table pairing_codes add column group_id uuid;
alter table pairing_codes add foreign key (org_id, group_id) references groups on delete cascade;
alter table devices add column group_id uuid;
alter table devices add foreign key (org_id, group_id) references groups on delete cascade;
create index devices_group on devices (org_id, group_id) where group_id is not null;
create index pairing_codes_group on pairing_codes (org_id, group_id) where group_id is not null;

-- `directory.find_device` stays for processes of the build before.
create function directory.find_scanner(of_hash bytea)
returns table (
  id uuid, org_id uuid, name text, event_id uuid, group_id uuid, group_code text, revoked_at timestamptz,
  org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb
)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.id, d.org_id, d.name, d.event_id, d.group_id, g.code, d.revoked_at,
    o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits
  from devices d
  join organizations o on o.id = d.org_id
  join plans p on p.code = o.plan
  left join groups g on g.org_id = d.org_id and g.id = d.group_id
  where d.token_hash = of_hash
$$;
grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.find_scanner(bytea) from public;
  alter function directory.find_scanner(bytea) owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.find_scanner(bytea) to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
