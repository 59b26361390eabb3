-- Messages to an event's people: what is said to whom, each person's fate, and who wants no more news.

create table communications (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  -- the part of the organization whose people it is limited to, and whose keys see it; null: all
  group_id uuid,
  test boolean not null,
  kind text not null check (kind in ('service', 'news')),
  status text not null check (status in ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
  subject text not null,
  text text not null,
  -- whom it is for; null: whoever
  attendee_type_ids uuid[],
  day_ids uuid[],
  group_ids uuid[],
  statuses text[] not null,
  checked_in boolean,
  send_at timestamptz,
  -- No foreign key: jobs are forgotten after a year.
  job_id uuid,
  started_at timestamptz,
  -- when the last mail was queued; `sent` once none is on its way any more
  queued_at timestamptz,
  finished_at timestamptz,
  -- kept once it is sent: until then its people are counted
  counts jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, group_id) references groups
);
create index communications_event on communications (org_id, event_id, id);
create index communications_group on communications (org_id, group_id);
create index communications_due on communications (send_at) where status = 'scheduled';
create index communications_sending on communications (org_id, job_id) where status = 'sending';
select make_tenant_table('communications');

-- Whom a communication is for, fixed when its sending begins: a row a person, so nobody gets it twice.
create table communication_recipients (
  org_id uuid not null,
  communication_id uuid not null,
  attendee_id uuid not null,
  -- pending: its mail is still to be queued
  status text not null check (status in ('pending', 'queued', 'sent', 'failed', 'skipped')),
  -- why skipped
  reason text,
  -- why failed, in the mail server's words
  error text,
  -- where to: the person's own address, else the registrant's; emptied when the person is erased
  email text,
  email_key text collate "C",
  settled_at timestamptz,
  primary key (org_id, communication_id, attendee_id),
  foreign key (org_id, communication_id) references communications on delete cascade,
  foreign key (org_id, attendee_id) references attendees on delete cascade
);
create index communication_recipients_status on communication_recipients (org_id, communication_id, status, email_key);
create index communication_recipients_attendee on communication_recipients (org_id, attendee_id);
select make_tenant_table('communication_recipients');

-- Addresses that want no more news from an organization, as hashes: the wish outlives the person's data.
create table unsubscribed (
  org_id uuid not null references organizations on delete cascade,
  address bytea not null,
  created_at timestamptz not null,
  primary key (org_id, address)
);
select make_tenant_table('unsubscribed');

-- The address as it is kept there; `key` is what addresses are compared by (areas/contacts/match.ts).
create function address_hash(org uuid, key text) returns bytea language sql immutable parallel safe
  as $$ select sha256(convert_to(org::text || ' ' || key, 'UTF8')) $$;

-- withdrawn: before it went out, nobody was to get it any more
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check check (status in ('queued', 'sent', 'failed', 'withdrawn'));

-- One of many that say the same: a ticket never waits behind ten thousand of them.
alter table mails add column bulk boolean not null default false;
drop index mails_due;
create index mails_due on mails (bulk, next_attempt_at, id) where status = 'queued';
