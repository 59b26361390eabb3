-- What a job is stays with it: its input goes when it ends. Payments are exported in the order in which they came.

alter table jobs add column about jsonb;

-- Jobs of before show what is known of them: those at work by their input, exports whose file is still there by its name.
set local role turnout_system;
update jobs set about = jsonb_build_object('preview', input->'preview')
where kind = 'import' and jsonb_typeof(input->'preview') = 'boolean';
update jobs set about = jsonb_build_object(
  'what', input->'what', 'format', input->'format',
  'columns', jsonb_path_query_array(input->'columns', '$[0 to 99]'), 'columns_total', jsonb_array_length(input->'columns'))
where kind = 'export' and jsonb_typeof(input->'columns') = 'array';
update jobs set about = jsonb_build_object('what', named[1], 'format', named[2])
from (
  select org_id as o, id as i,
    regexp_match(files->'result'->>'filename', '-(registrations|people|tickets|checkins)-\d{4}-\d{2}-\d{2}\.(csv|xlsx)$') as named
  from jobs where kind = 'export' and about is null and files <> '{}') f
where org_id = f.o and id = f.i and f.named is not null;
reset role;

create index if not exists payments_created on payments (org_id, event_id, created_at);
