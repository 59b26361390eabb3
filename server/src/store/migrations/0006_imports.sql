-- People from a file: how they are found again by ID, and what a running import keeps between its transactions
-- (docs/decisions/0021-imports.md).

-- An ID is compared like everything else that people are found by: ignoring case, accents and spacing.
alter table attendees add column external_key text collate "C";
set local role turnout_system;
update attendees set external_key = nullif(btrim(regexp_replace(lower(
  regexp_replace(normalize(external_id, nfkd), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g')), '')
where external_id is not null;
reset role;
drop index attendees_external;
create index attendees_external on attendees (org_id, event_id, external_key) where external_key is not null;
create index attendees_phone on attendees (org_id, event_id, phone_key) where phone_key is not null;

-- Rows that were left out, by their number in the file and with the reason; the file itself is the job's source.
create table import_rejects (
  org_id uuid not null,
  job_id uuid not null,
  number int not null,
  code text not null,
  words text not null,
  primary key (org_id, job_id, number),
  foreign key (org_id, job_id) references jobs on delete cascade
);
select make_tenant_table('import_rejects');

-- People as a preview would have left them: new ones, and changed ones in place of those of the event.
create table import_previews (
  org_id uuid not null,
  job_id uuid not null,
  id uuid not null,
  name_key text collate "C" not null,
  external_key text collate "C",
  person jsonb not null,
  primary key (org_id, job_id, id),
  foreign key (org_id, job_id) references jobs on delete cascade
);
create index import_previews_name on import_previews (org_id, job_id, name_key);
create index import_previews_external on import_previews (org_id, job_id, external_key) where external_key is not null;
select make_tenant_table('import_previews');
