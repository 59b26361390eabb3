-- Many organizations: background work takes turns among them, and no index or key needs to look beyond one of them.

-- The relay takes the first rows of each organization (work/relay.ts). A relay of the version before reads by id alone; while it still runs
-- it sorts what waits, which is little.
alter table outbox drop constraint outbox_pkey;
alter table outbox add primary key (org_id, id);

-- The next job of each organization, and the running ones (work/jobs.ts). Without these, every claim sorted all jobs that waited.
create index jobs_turn on jobs (org_id, due_at, id) where status = 'queued';
create index jobs_running on jobs (org_id) where status = 'running';

-- Events with a waitlist: the schedule looks for them every minute.
create index places_waiting on places (org_id, event_id) where waiting > 0;

-- Found by the hash of a secret of at least 190 random bits, which two organizations never share. With the organization behind the hash, the
-- rule can be kept by each part of a database that is divided by organization.
drop index api_keys_hash;
create unique index api_keys_hash on api_keys (hash, org_id);
drop index devices_token;
create unique index devices_token on devices (token_hash, org_id);
drop index invitations_copied;
create unique index invitations_copied on invitations (copied_hash, org_id);
drop index invitations_mailed;
create unique index invitations_mailed on invitations (mailed_hash, org_id);

-- Copying an organization's changes to another database needs a key of every table. Their columns that say what is counted may be empty.
alter table people_counts add column id uuid not null default gen_random_uuid(), add primary key (org_id, id);
alter table registration_counts add column id uuid not null default gen_random_uuid(), add primary key (org_id, id);
alter table registered_by_day add column id uuid not null default gen_random_uuid(), add primary key (org_id, id);
