-- Addresses whose owner has shown, to this organization, that they read its mails: by a button behind a link that was mailed, or by
-- paying. Kept as hashes, and removed when the person is erased.
create table proven_addresses (
  org_id uuid not null references organizations on delete cascade,
  address bytea not null,
  proven_at timestamptz not null,
  primary key (org_id, address)
);
select make_tenant_table('proven_addresses');

-- The mails that strangers caused to an address that is not proven. One row an address: its lock makes those who write to the same
-- address take turns.
create table stranger_mails (
  org_id uuid not null references organizations on delete cascade,
  address bytea not null,
  -- when each mail of the last day was let through, oldest first
  sent timestamptz[] not null,
  -- after this the row says nothing any more, and is swept
  over_at timestamptz not null,
  primary key (org_id, address)
) with (fillfactor = 70);
create index stranger_mails_over on stranger_mails (over_at);
select make_tenant_table('stranger_mails');

-- held: its recipient has had as many as strangers may cause. It is summed up with others in one mail, once there is room again.
alter table mails drop constraint mails_status_check;
alter table mails add constraint mails_status_check check (status in ('queued', 'held', 'sent', 'failed', 'withdrawn'));
create index mails_held on mails (next_attempt_at, org_id) where status = 'held';
create index mails_held_for on mails (org_id, lower(recipient)) where status = 'held';

-- When the place went to another person by a link. From then on it is theirs alone.
alter table attendees add column handed_on_at timestamptz;
-- Row-level security hides the rows from the owner of the tables, so the role of workers writes them.
set local role turnout_system;
update attendees a set handed_on_at = f.until
  from (select org_id, attendee_id, max(until) as until from former_attendees group by org_id, attendee_id) f
  where a.org_id = f.org_id and a.id = f.attendee_id;
reset role;
