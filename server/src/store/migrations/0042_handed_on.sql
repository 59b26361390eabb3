-- Places that were handed on: which contact had one before. Erasing that contact finds the copies of its data by this.
create table former_attendees (
  org_id uuid not null,
  contact_id uuid not null,
  attendee_id uuid not null,
  registration_id uuid not null,
  event_id uuid not null,
  -- when the place was handed on
  until timestamptz not null,
  primary key (org_id, contact_id, attendee_id),
  foreign key (org_id, attendee_id) references attendees on delete cascade
);
create index former_attendees_attendee on former_attendees (org_id, attendee_id);
select make_tenant_table('former_attendees');

-- Mails with somebody's links to their registrations. Erasing a person finds those to their address.
create index mails_of_links on mails (org_id, lower(recipient)) where kind = 'registration_links';
