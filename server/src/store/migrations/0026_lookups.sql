-- Finding people by any word of their name, counting an event's people without looking at them, and when an event is.

-- ---------------------------------------------------------------- when an event is

-- Where nobody set it, its days say (areas/events/event-times.ts).
alter table events add column days_start_at timestamptz;
alter table events add column days_end_at timestamptz;
do $$
declare e record; zone text; first timestamptz; last timestamptz; stamp timestamptz;
begin
  perform set_config('role', 'turnout_system', true);
  for e in
    select ev.org_id, ev.id, ev.timezone, ev.starts_at is null or ev.ends_at is null as shows from events ev
    where exists (select from days d where d.org_id = ev.org_id and d.event_id = ev.id) order by 1, 2
  loop
    -- A zone that Node knows and this PostgreSQL does not: the next change of a day sets it right.
    select coalesce((select z.name from pg_timezone_names z where lower(z.name) = lower(e.timezone) limit 1), 'UTC') into zone;
    select min(coalesce(d.opens_at, d.date::timestamp at time zone zone)),
      max(coalesce(d.closes_at, (d.date + 1)::timestamp at time zone zone))
    into first, last from days d where d.org_id = e.org_id and d.event_id = e.id;
    update events set days_start_at = first, days_end_at = last where org_id = e.org_id and id = e.id;
    if e.shows then
      update org_clocks c set at = greatest(now(), c.at + interval '1 microsecond') where c.org_id = e.org_id returning c.at into stamp;
      update events set updated_at = stamp, world_version = world_version + 1 where org_id = e.org_id and id = e.id;
    end if;
  end loop;
  perform set_config('role', 'none', true);
end $$;

-- ---------------------------------------------------------------- any word of a name

-- What the keys of a person begin with is found by them: first and last name. These are the other words ("beethoven" of "van
-- beethoven ludwig"), so most people have none (areas/contacts/words.ts).
create table attendee_words (
  org_id uuid not null,
  event_id uuid not null,
  word text collate "C" not null,
  attendee_id uuid not null,
  primary key (org_id, event_id, word, attendee_id),
  foreign key (org_id, attendee_id) references attendees on delete cascade
);
create index attendee_words_attendee on attendee_words (org_id, attendee_id);
select make_tenant_table('attendee_words');

create table contact_words (
  org_id uuid not null,
  word text collate "C" not null,
  contact_id uuid not null,
  primary key (org_id, word, contact_id),
  foreign key (org_id, contact_id) references contacts on delete cascade
);
create index contact_words_contact on contact_words (org_id, contact_id);
select make_tenant_table('contact_words');

-- Of registrants who are none of their registration's people: every word of the name, and the e-mail address.
create table registrant_words (
  org_id uuid not null,
  event_id uuid not null,
  word text collate "C" not null,
  registration_id uuid not null,
  primary key (org_id, event_id, word, registration_id),
  foreign key (org_id, registration_id) references registrations on delete cascade
);
create index registrant_words_registration on registrant_words (org_id, registration_id);
select make_tenant_table('registrant_words');

do $$
declare
  -- As in areas/contacts/words.ts.
  marks constant text := E'-\'.,/()"&+·_:;`´’‘‛“”„«»‹›‐‑‒–—―@|*';
  spaces constant text := repeat(' ', 64);
begin
  perform set_config('role', 'turnout_system', true);
  insert into attendee_words (org_id, event_id, word, attendee_id)
  select distinct a.org_id, a.event_id, left(w.word, 200), a.id
  from attendees a, string_to_table(translate(a.given_key, marks, spaces), ' ') as w(word)
  where w.word <> '' and not starts_with(a.name_key, w.word) and not starts_with(a.given_key, w.word);
  insert into contact_words (org_id, word, contact_id)
  select distinct c.org_id, left(w.word, 200), c.id
  from contacts c, string_to_table(translate(c.given_key, marks, spaces), ' ') as w(word)
  where w.word <> '' and not starts_with(c.name_key, w.word) and not starts_with(c.given_key, w.word);
  insert into registrant_words (org_id, event_id, word, registration_id)
  select distinct r.org_id, r.event_id, left(w.word, 200), r.id
  from registrations r
    cross join lateral (select btrim(regexp_replace(replace(lower(
      regexp_replace(normalize(concat_ws(' ', r.first_name, r.last_name), nfkd), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), '\s+', ' ', 'g')) as key) n
    cross join lateral string_to_table(translate(n.key, marks, spaces), ' ') as w(word)
  where w.word <> '' and not exists (
    select from attendees a where a.org_id = r.org_id and a.registration_id = r.id and a.given_key = n.key);
  insert into registrant_words (org_id, event_id, word, registration_id)
  select r.org_id, r.event_id, left(r.email_key, 300), r.id from registrations r
  where r.email_key is not null and not exists (
    select from attendees a where a.org_id = r.org_id and a.registration_id = r.id and a.email_key = r.email_key)
  on conflict do nothing;
  perform set_config('role', 'none', true);
end $$;

-- What most searches are narrowed by lies in the index: of a name that 26,000 bear, nobody is looked up who is not meant.
drop index attendees_name;
create index attendees_name on attendees (org_id, event_id, name_key, id) include (test, status, group_id);
drop index attendees_given;
create index attendees_given on attendees (org_id, event_id, given_key, id) include (test, status, group_id);
drop index contacts_name;
create index contacts_name on contacts (org_id, name_key, id) include (test, group_id);
drop index contacts_given;
create index contacts_given on contacts (org_id, given_key, id) include (test, group_id);

-- ---------------------------------------------------------------- how full is it

-- How many people, by everything that a summary asks for. Written only under the event's clock, with the people themselves
-- (areas/registrations/counts.ts). `day_id` null: in the event; else on that day. `group_id` null: of the event's group.
create table people_counts (
  org_id uuid not null,
  event_id uuid not null,
  test boolean not null,
  status text not null,
  source text not null,
  attendee_type_id uuid not null,
  day_id uuid,
  group_id uuid,
  people int not null,
  foreign key (org_id, event_id) references events on delete cascade
) with (fillfactor = 50);
create unique index people_counts_cell on people_counts
  (org_id, event_id, test, status, source, attendee_type_id, day_id, group_id) nulls not distinct;
select make_tenant_table('people_counts');

-- How many registrations have somebody in a scope ('': at all, 'type:…', 'day:…', 'group:…', 'both:…'), and of which groups those people are
-- ('-': the event's), joined by commas: whoever reaches one of these sees the registration, whoever reaches all of them its money.
create table registration_counts (
  org_id uuid not null,
  event_id uuid not null,
  test boolean not null,
  status text not null,
  source text not null,
  currency text not null,
  scope text not null,
  groups text not null,
  registrations int not null,
  due_minor bigint not null,
  paid_minor bigint not null,
  foreign key (org_id, event_id) references events on delete cascade
) with (fillfactor = 50);
-- By a hash of the groups: a registration may hold people of two hundred.
create unique index registration_counts_cell on registration_counts
  (org_id, event_id, test, status, source, currency, scope, md5(groups));
select make_tenant_table('registration_counts');

-- `counted_at`: the stamp up to which the counts are kept. A process of the build before moves `at` alone, and then the event is
-- counted again. `unsettled_at`: when a check-in of before was last taken back, or somebody changed groups.
alter table event_clocks add column counted_at timestamptz;
alter table event_clocks add column unsettled_at timestamptz;

do $$
begin
  perform set_config('role', 'turnout_system', true);
  insert into people_counts
  select a.org_id, a.event_id, a.test, a.status, r.source, a.attendee_type_id, d.day_id, a.group_id, count(*)
  from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id,
    unnest(array_append(a.day_ids, null)) as d(day_id)
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  insert into registration_counts
  select r.org_id, r.event_id, r.test, r.status, r.source, r.currency, s.scope, s.groups, count(*),
    sum(case when s.scope = '' and r.status in ('pending_approval', 'pending_payment', 'confirmed')
      then greatest(r.total_minor - r.paid_minor, 0) else 0 end),
    sum(case when s.scope = '' then r.paid_minor else 0 end)
  from registrations r cross join lateral (
    select p.scope, array_to_string(array_agg(distinct a.group_id order by a.group_id), ',', '-') as groups
    from attendees a cross join lateral (
      select ''
      union all
      select scope from unnest(array['type:' || a.attendee_type_id, 'group:' || coalesce(a.group_id::text, '')]
          || array(select 'day:' || day from unnest(a.day_ids) as day)
          || case when a.group_id is not null and exists (
            select from attendees n where n.org_id = a.org_id and n.registration_id = a.registration_id and n.group_id is null
              and (n.status <> 'cancelled' or r.status = 'cancelled')) then array['both:' || a.group_id] else '{}' end) as scope
      where a.status <> 'cancelled' or r.status = 'cancelled') as p(scope)
    where a.org_id = r.org_id and a.registration_id = r.id group by 1) s
  group by 1, 2, 3, 4, 5, 6, 7, 8;
  update event_clocks set counted_at = at;
  perform set_config('role', 'none', true);
end $$;
