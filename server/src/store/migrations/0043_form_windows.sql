-- Windows of other lengths than a minute: how often one address may send the form of an event. Addresses are many, unlike keys, so
-- windows that are long over are removed on the way.
create index rate_windows_started on rate_windows (started_at);

create function directory.consume_within(keys uuid[], counted int[], now_at timestamptz, lasts interval)
returns table (key_id uuid, started_at timestamptz, calls int)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from rate_windows w where w.key_id in (
    select o.key_id from rate_windows o where o.started_at < now_at - interval '1 hour'
    order by o.started_at limit 2 * cardinality(keys) for update skip locked);
  return query
    insert into rate_windows as w (key_id, started_at, calls)
      select k, now_at, n from unnest(keys, counted) as c(k, n) order by k
      on conflict on constraint rate_windows_pkey do update set
        started_at = case when w.started_at <= now_at - lasts then now_at else w.started_at end,
        calls = excluded.calls + case when w.started_at <= now_at - lasts then 0 else w.calls end
      returning w.key_id, w.started_at, w.calls;
end $$;
grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.consume_within(uuid[], int[], timestamptz, interval) from public;
  alter function directory.consume_within(uuid[], int[], timestamptz, interval) owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.consume_within(uuid[], int[], timestamptz, interval) to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
