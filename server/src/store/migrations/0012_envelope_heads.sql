-- An occurrence is raised with the beginning of its envelope, so that it goes from table to table without passing through Node.
alter table outbox add column head text;

do $$
begin
  perform set_config('role', 'turnout_system', true);
  update outbox o set head = format('{"id":"evt_%s","type":"%s","api_version":"2026-11-01","created_at":"%s","livemode":%s,"data":',
    (select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(b.bits, 5 * n + 1, 5)::bit(5)::int + 1, 1), '' order by n)
     from (select '00' || ('x' || replace(o.id::text, '-', ''))::bit(128)::text as bits) b, generate_series(0, 25) n),
    o.type, replace(to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '.000Z', 'Z'), o.livemode::text);
  perform set_config('role', 'none', true);
end $$;

alter table outbox alter column head set not null;
