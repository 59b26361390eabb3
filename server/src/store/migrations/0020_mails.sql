-- What the mails of one registration and one commit have in common, once: each held all of it, so a registration of 200 people
-- wrote 200 times as much as was sent.
create table mail_contents (
  org_id uuid not null,
  id uuid not null,
  registration_id uuid not null,
  data jsonb not null,
  primary key (org_id, id)
) partition by range (id);
create table mail_contents_default partition of mail_contents default;
-- Who is erased is found by the registration.
create index mail_contents_registration on mail_contents (org_id, registration_id);
select make_tenant_table('mail_contents');
insert into partitioned values ('mail_contents', '1 year');

-- null: what it says stands in `data`, or is written out in `subject`, `text` and `html`.
alter table mails add column content_id uuid;

-- Organizations take turns (work/mails.ts): one step of the index for each that has mails waiting, however many they are.
drop index mails_due;
create index mails_turn on mails (bulk, org_id, next_attempt_at, id) where status = 'queued';

-- Test mails that an organization has sent in the hour that began with the first of them.
create table test_mails (
  org_id uuid primary key references organizations on delete cascade,
  since timestamptz not null,
  mails int not null
) with (fillfactor = 50);
select make_tenant_table('test_mails');
