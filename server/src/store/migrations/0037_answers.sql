-- Filtering people by their answers: answers to questions that are marked as filterable stand in a table with indexes of their own.

-- The filter of the question; null: people cannot be filtered by it.
alter table questions add column filter_id uuid;

-- One row for each time that a question became filterable. The rows of people who answered before are written later, in small pieces
-- (areas/events/answer-filters.ts).
create table answer_filters (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  -- the last person whose answers were written, in the order of names
  after_name text collate "C",
  after_id uuid,
  -- everybody's answers are written
  ready boolean not null default false,
  -- no question uses it any more, and its rows are being removed
  ended boolean not null default false,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create index answer_filters_event on answer_filters (org_id, event_id);
create index answer_filters_open on answer_filters (id) where not ready or ended;
select make_tenant_table('answer_filters');

-- A row for each value of an answer, and one with an empty value for whoever has not answered. Name and stamp are the attendee's:
-- with them in the indexes, a filtered list is read in its order, and a page costs the same whoever is found.
create table attendee_answers (
  org_id uuid not null,
  attendee_id uuid not null,
  filter_id uuid not null,
  value text collate "C" not null,
  name_key text collate "C" not null,
  updated_at timestamptz not null,
  primary key (org_id, attendee_id, filter_id, value),
  foreign key (org_id, attendee_id) references attendees on delete cascade
);
create index attendee_answers_changed on attendee_answers (org_id, filter_id, value, updated_at, attendee_id);
create index attendee_answers_name on attendee_answers (org_id, filter_id, value, name_key, attendee_id);
select make_tenant_table('attendee_answers');

-- The values that the answers of a person have for the question with this code. A text that is longer than an option can be is left out.
create function answer_values(answers jsonb, code text) returns setof text language sql immutable parallel safe as $$
  with given as (
    select e.value from jsonb_each(answers) e where lower(e.key collate "C") = lower(code collate "C")
  ), entries as (
    select g.value from given g where jsonb_typeof(g.value) <> 'array'
    union all
    select i.value from given g
      cross join lateral jsonb_array_elements(case jsonb_typeof(g.value) when 'array' then g.value else '[]' end) i
  ), texts as (
    select distinct e.value #>> '{}' as text from entries e where jsonb_typeof(e.value) in ('string', 'number', 'boolean')
  )
  select t.text from texts t where t.text <> '' and length(t.text) <= 200
  union all
  select '' where not exists (select from texts t where t.text <> '')
$$;

-- ---------------------------------------------------------------- a person's mails

-- The mails about one person or registration. Whatever looked for the mails of an event now also names whom they are about.
drop index mails_event;
create index mails_object on mails (org_id, event_id, object_id, id);
