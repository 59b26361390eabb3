-- When a member last used this organization. The sessions belong to the account, which may be in other organizations as well, so their
-- time of last use would tell one organization when somebody worked in another.
alter table members add column last_seen_at timestamptz;

drop policy own_members on account_sessions;
revoke select (account_id, last_used_at) on account_sessions from turnout_app;

-- As before, and when the member was last seen.
drop function directory.find_session(bytea, text, uuid, text, timestamptz);
create function directory.find_session(of_hash bytea, of_org_code text, of_org_id uuid, of_month text, now_at timestamptz)
returns table (
  session_id uuid, account_id uuid, name text, email text, language text, method text, second_factor boolean, proved_at timestamptz,
  last_used_at timestamptz, require_second_factor boolean,
  member_id uuid, role text, group_id uuid, group_code text, last_seen_at timestamptz,
  org_id uuid, org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb, calls bigint
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, a.id, a.name, a.email, a.language, s.method, s.second_factor, s.proved_at, s.last_used_at, o.require_second_factor,
    m.id, m.role, m.group_id, g.code, m.last_seen_at,
    o.id, o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits, coalesce(u.calls, 0)
  from account_sessions s
  join accounts a on a.id = s.account_id
  left join (
    organizations o
    join members m on m.org_id = o.id
    join plans p on p.code = o.plan
    left join groups g on g.org_id = m.org_id and g.id = m.group_id
    left join api_usage u on u.org_id = o.id and u.month = of_month
  ) on m.account_id = a.id and (lower(o.code) = lower(of_org_code) or o.id = of_org_id)
  where s.hash = of_hash and s.expires_at > now_at and s.last_used_at > now_at - interval '14 days'
$$;

grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.find_session(bytea, text, uuid, text, timestamptz) from public;
  alter function directory.find_session(bytea, text, uuid, text, timestamptz) owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.find_session(bytea, text, uuid, text, timestamptz) to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
