-- Products beside the ticket, shared limits, discounts, and what was handed out. A process of the build before neither counts nor shows
-- them, so set them up once all processes are of this build.
create table products (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  name text not null,
  description text,
  price_minor bigint not null,
  -- [{ id, code, name, capacity }]: an option is a scope of its own in places
  options jsonb not null default '[]',
  capacity int,
  per text not null check (per in ('attendee', 'registration')),
  max int not null check (max > 0),
  required boolean not null,
  attendee_type_ids uuid[],
  day_ids uuid[],
  on_sale jsonb,
  visible boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index products_code on products (org_id, event_id, lower(code));
create index products_changed on products (org_id, event_id, updated_at, id);
select make_tenant_table('products');

create table quotas (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  name text not null,
  capacity int not null,
  attendee_type_ids uuid[],
  day_ids uuid[],
  product_ids uuid[],
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index quotas_code on quotas (org_id, event_id, lower(code));
create index quotas_changed on quotas (org_id, event_id, updated_at, id);
select make_tenant_table('quotas');

create table discounts (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code text not null,
  -- the code as it is compared: capitals without spaces and dashes
  code_key text not null,
  name text not null,
  kind text not null check (kind in ('percent', 'amount', 'price')),
  value bigint not null,
  attendee_type_ids uuid[],
  product_ids uuid[],
  reveal_ids uuid[] not null default '{}',
  opens_at timestamptz,
  closes_at timestamptz,
  max_people int,
  max_people_per_registration int,
  min_people int,
  group_id uuid,
  note text,
  active boolean not null,
  -- How many people it covers in registrations that hold places; written under the event's clock, as places are. They are not in places,
  -- because every registration reads those, and an event may have thousands of codes.
  used int not null default 0 check (used >= 0),
  used_test int not null default 0 check (used_test >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, group_id) references groups
);
create unique index discounts_code on discounts (org_id, event_id, code_key);
create index discounts_changed on discounts (org_id, event_id, updated_at, id);
create index discounts_group on discounts (org_id, group_id) where group_id is not null;
select make_tenant_table('discounts');

-- What somebody booked beside the ticket: [{ product_id, option_id, quantity, price_minor, discount_minor, handed_out }]
alter table attendees
  add column products jsonb not null default '[]',
  add column discount_minor bigint not null default 0,
  -- the discount that covers this person: one use of it
  add column discount_id uuid;
alter table registrations
  add column products jsonb not null default '[]',
  add column discount_minor bigint not null default 0,
  add column discount_id uuid,
  add column discount_code text;

alter table check_in_points add column product_ids uuid[];

-- One row for each unit that was handed out, undone ones included.
create table hand_outs (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  registration_id uuid not null,
  -- null: booked for the whole registration
  attendee_id uuid,
  group_id uuid,
  product_id uuid not null,
  option_id uuid,
  client_uuid uuid not null,
  check_in_point_id uuid,
  test boolean not null,
  -- given away although nothing was left to hand out: two devices did not know of each other
  surplus boolean not null,
  handed_out_at timestamptz not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  undone_at timestamptz,
  undone_by text,
  undo_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade,
  foreign key (org_id, registration_id) references registrations on delete cascade,
  unique (org_id, event_id, test, client_uuid)
);
create index hand_outs_changed on hand_outs (org_id, event_id, updated_at, id);
create index hand_outs_registration on hand_outs (org_id, registration_id);
select make_tenant_table('hand_outs');
