-- The door: test and live apart, times that can be read, batches that take turns, pairing that can be repeated.

-- A live scan that repeats the client_uuid of a test scan has an answer of its own. The records of Idempotency-Keys say where
-- answers lie; those of test scans say so from now on.
alter table scans drop constraint scans_pkey;
alter table scans add primary key (org_id, event_id, client_uuid, test);
do $$
begin
  perform set_config('role', 'turnout_system', true);
  update idempotency i set kept_in = i.kept_in || ' test' from scans s
  where s.test and i.org_id = s.org_id and i.kept_in = s.event_id || ' ' || s.client_uuid;
  perform set_config('role', 'none', true);
end $$;

-- An endpoint that a test key made hears of test activity only. Those that are there heard of both and go on with it.
alter table webhook_endpoints add column test boolean not null default false;

-- What a pairing code gave to the device that came first: repeated to that device's retries for as long as the code lives.
alter table pairing_codes add column claim text;
alter table pairing_codes add column fingerprint bytea;
alter table pairing_codes add column request_id text;
alter table pairing_codes add column answer bytea;
create index pairing_codes_over on pairing_codes (expires_at);

-- A device's batch in flight (which one, and the Idempotency-Key it came with), and from when on the next may come.
alter table devices add column batch_flight uuid;
alter table devices add column batch_claim text;
alter table devices add column batch_free_at timestamptz;

-- Dates and times lie in the years 1900 to 2200. What was stored before that rule is moved to its nearest edge; times that would
-- contradict a moved date, or each other, give way to the defaults.
do $$
declare
  first constant timestamptz := '1900-01-01T00:00:00Z';
  last constant timestamptz := '2200-12-31T23:59:59.999Z';
  e record; stamp timestamptz;
begin
  perform set_config('role', 'turnout_system', true);
  for e in
    select distinct d.org_id, d.event_id from days d
    where d.date not between '1900-01-01' and '2200-12-31' or d.opens_at not between first and last
      or d.closes_at not between first and last or d.locked_at not between first and last
    order by 1, 2
  loop
    update event_clocks c set at = greatest(now(), c.at + interval '1 microsecond')
    where c.org_id = e.org_id and c.event_id = e.event_id returning c.at into stamp;
    update days d set updated_at = stamp,
      date = least(greatest(d.date, '1900-01-01'), '2200-12-31'),
      opens_at = case when d.opens_at between first and last then d.opens_at
        when d.opens_at is not null and d.date between '1900-01-01' and '2200-12-31' then least(greatest(d.opens_at, first), last) end,
      closes_at = case when d.closes_at between first and last then d.closes_at
        when d.closes_at is not null and d.date between '1900-01-01' and '2200-12-31' then least(greatest(d.closes_at, first), last) end,
      locked_at = case when d.locked_at is not null then least(greatest(d.locked_at, first), last) end
    where d.org_id = e.org_id and d.event_id = e.event_id
      and (d.date not between '1900-01-01' and '2200-12-31' or d.opens_at not between first and last
        or d.closes_at not between first and last or d.locked_at not between first and last);
    update days d set opens_at = null, closes_at = null
    where d.org_id = e.org_id and d.event_id = e.event_id and d.closes_at <= d.opens_at;
    update events set world_version = world_version + 1 where org_id = e.org_id and id = e.event_id;
  end loop;
  for e in
    select distinct org_id from events where starts_at not between first and last or ends_at not between first and last order by 1
  loop
    update org_clocks c set at = greatest(now(), c.at + interval '1 microsecond') where c.org_id = e.org_id returning c.at into stamp;
    update events set updated_at = stamp, world_version = world_version + 1,
      starts_at = case when starts_at is not null then least(greatest(starts_at, first), last) end,
      ends_at = case when ends_at is not null then least(greatest(ends_at, first), last) end
    where org_id = e.org_id and (starts_at not between first and last or ends_at not between first and last);
  end loop;
  perform set_config('role', 'none', true);
end $$;
