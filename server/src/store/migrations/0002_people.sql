-- Contacts, registrations and their people, tickets, payments, places.

create table contacts (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  test boolean not null,
  group_id uuid,
  first_name text,
  last_name text,
  email text,
  phone text,
  date_of_birth date,
  external_id text,
  -- What people are found again by (areas/contacts/match.ts): compared ignoring case, accents, spacing; phones by digits.
  name_key text collate "C" not null,
  given_key text collate "C" not null,
  email_key text collate "C",
  phone_key text collate "C",
  erased_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, group_id) references groups
);
create index contacts_changed on contacts (org_id, updated_at, id);
create index contacts_external on contacts (org_id, external_id) where external_id is not null;
create index contacts_email on contacts (org_id, email_key) where email_key is not null;
create index contacts_phone on contacts (org_id, phone_key) where phone_key is not null;
create index contacts_name on contacts (org_id, name_key, id);
create index contacts_given on contacts (org_id, given_key, id);
select make_tenant_table('contacts');

create table registrations (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  status text not null check (status in
    ('pending_approval', 'waitlisted', 'pending_payment', 'confirmed', 'declined', 'cancelled', 'expired')),
  source text not null check (source in ('form', 'api', 'import', 'platform')),
  test boolean not null,
  group_id uuid,
  contact_id uuid,
  first_name text,
  last_name text,
  email text,
  phone text,
  email_key text collate "C",
  currency text not null,
  total_minor bigint not null,
  paid_minor bigint not null,
  send_emails boolean not null,
  -- when it expires unless paid; only while pending_payment
  payment_due_at timestamptz,
  -- its turn, and the scopes whose lack of room it waits for; only while waitlisted
  waitlisted_at timestamptz,
  waiting_for uuid[],
  confirmed_at timestamptz,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events,
  foreign key (org_id, contact_id) references contacts,
  foreign key (org_id, group_id) references groups
);
create unique index registrations_code on registrations (org_id, event_id, code);
create index registrations_changed on registrations (org_id, event_id, updated_at, id);
create index registrations_email on registrations (org_id, event_id, email_key) where email_key is not null;
create index registrations_due on registrations (payment_due_at) where status = 'pending_payment';
create index registrations_waiting on registrations (org_id, event_id, test, waitlisted_at, id) where status = 'waitlisted';
create index registrations_contact on registrations (org_id, contact_id);
select make_tenant_table('registrations');

create table attendees (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  registration_id uuid not null,
  position int not null,
  contact_id uuid,
  attendee_type_id uuid not null,
  group_id uuid,
  day_ids uuid[] not null,
  first_name text not null,
  last_name text not null,
  email text,
  phone text,
  date_of_birth date,
  external_id text,
  answers jsonb not null,
  price_minor bigint not null,
  -- the registration's, or cancelled; kept here so that lists and scans need no join
  status text not null,
  test boolean not null,
  checked_in_at timestamptz,
  name_key text collate "C" not null,
  given_key text collate "C" not null,
  email_key text collate "C",
  phone_key text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events,
  foreign key (org_id, registration_id) references registrations,
  foreign key (org_id, attendee_type_id) references attendee_types,
  foreign key (org_id, contact_id) references contacts,
  foreign key (org_id, group_id) references groups
) with (fillfactor = 85);
create index attendees_changed on attendees (org_id, event_id, updated_at, id);
create index attendees_registration on attendees (org_id, registration_id, position);
create index attendees_name on attendees (org_id, event_id, name_key, id);
create index attendees_given on attendees (org_id, event_id, given_key, id);
create index attendees_email on attendees (org_id, event_id, email_key, id) where email_key is not null;
create index attendees_external on attendees (org_id, event_id, external_id) where external_id is not null;
create index attendees_contact on attendees (org_id, contact_id);
select make_tenant_table('attendees');

create table tickets (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  registration_id uuid not null,
  code text collate "C" not null,
  status text not null check (status in ('valid', 'voided')),
  test boolean not null,
  -- null: the people's own days
  day_ids uuid[],
  -- issued by hand beside those that the event's ticketing gives
  extra boolean not null,
  issued_at timestamptz not null,
  voided_at timestamptz,
  void_reason text,
  replaced_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events,
  foreign key (org_id, registration_id) references registrations
);
create unique index tickets_code on tickets (org_id, event_id, code);
create index tickets_changed on tickets (org_id, event_id, updated_at, id);
create index tickets_registration on tickets (org_id, registration_id);
select make_tenant_table('tickets');

create table ticket_people (
  org_id uuid not null,
  ticket_id uuid not null,
  attendee_id uuid not null,
  position int not null,
  primary key (org_id, ticket_id, attendee_id),
  foreign key (org_id, ticket_id) references tickets on delete cascade,
  foreign key (org_id, attendee_id) references attendees on delete cascade
);
create index ticket_people_attendee on ticket_people (org_id, attendee_id);
select make_tenant_table('ticket_people');

create table payments (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  registration_id uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  refunded_minor bigint not null default 0 check (refunded_minor between 0 and amount_minor),
  currency text not null,
  method text not null,
  reference text,
  status text not null check (status in ('received', 'refunded', 'failed')),
  test boolean not null,
  provider text,
  provider_reference text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events,
  foreign key (org_id, registration_id) references registrations
);
create index payments_registration on payments (org_id, registration_id, updated_at, id);
create unique index payments_provider on payments (org_id, provider, provider_reference) where provider_reference is not null;
select make_tenant_table('payments');

-- How many places are taken, and how many registrations wait, in the event (scope_id = event), on a day, of a type.
-- Written only under the event's clock, so one row is never changed by two at once. `doctor` recounts.
create table places (
  org_id uuid not null,
  event_id uuid not null,
  scope_id uuid not null,
  test boolean not null,
  taken int not null check (taken >= 0),
  waiting int not null check (waiting >= 0),
  primary key (org_id, event_id, scope_id, test),
  foreign key (org_id, event_id) references events on delete cascade
) with (fillfactor = 50);
select make_tenant_table('places');

-- A mail is rendered when it is sent, from what was true when it was queued.
alter table mails add column data jsonb;
alter table mails alter column text drop not null;
