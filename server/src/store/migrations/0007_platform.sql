-- Taking people over from another ticketing platform: whose account is read there, and who came from where.

create table platform_connections (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  platform text not null,
  -- the account, as the platform knows it: connecting it again replaces the token
  account_id text not null,
  account_name text not null,
  account_email text,
  -- encrypted (secrets.ts)
  token bytea not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id)
);
create unique index platform_connections_account on platform_connections (org_id, platform, account_id);
select make_tenant_table('platform_connections');

-- Who of an event came from a platform. Nobody comes twice, however often an import runs.
create table platform_people (
  org_id uuid not null,
  event_id uuid not null,
  platform text not null,
  source_attendee text collate "C" not null,
  source_order text collate "C" not null,
  registration_id uuid not null,
  attendee_id uuid not null,
  -- the import that added the person; one that was interrupted and begins again knows its own by it
  job_id uuid not null,
  primary key (org_id, event_id, platform, source_attendee),
  foreign key (org_id, attendee_id) references attendees on delete cascade
);
create index platform_people_order on platform_people (org_id, event_id, platform, source_order);
create index platform_people_attendee on platform_people (org_id, attendee_id);
select make_tenant_table('platform_people');
