-- Scans and check-ins.

-- The answer of each scan, once: a retry with the same client_uuid gets it back, refusals too.
create table scans (
  org_id uuid not null,
  event_id uuid not null,
  client_uuid uuid not null,
  -- what was asked: another code or point under the same client_uuid is refused
  fingerprint bytea not null,
  answer json not null,
  created_at timestamptz not null,
  primary key (org_id, event_id, client_uuid),
  foreign key (org_id, event_id) references events on delete cascade
);
select make_tenant_table('scans');

-- One row a person and scan of a known ticket, refusals too.
create table checkins (
  org_id uuid not null,
  id uuid not null,
  -- recording order: settles which of two at the same instant came first
  seq bigint generated always as identity,
  event_id uuid not null,
  attendee_id uuid not null,
  ticket_id uuid not null,
  check_in_point_id uuid not null,
  -- the point's kind when the person went through
  kind text not null,
  day_id uuid,
  group_id uuid,
  result text not null,
  admitted boolean not null,
  reason text,
  scanned_at timestamptz not null,
  recorded_at timestamptz not null,
  client_uuid uuid,
  test boolean not null,
  skewed boolean not null,
  offline_result text,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  override_of uuid,
  override_reason text,
  undone_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events,
  foreign key (org_id, attendee_id) references attendees,
  foreign key (org_id, ticket_id) references tickets,
  foreign key (org_id, check_in_point_id) references check_in_points
);
-- A person's history: what limits, passes and cooldowns look at.
create index checkins_history on checkins (org_id, attendee_id) where admitted and undone_at is null;
create index checkins_list on checkins (org_id, event_id, test, recorded_at desc, id desc);
create index checkins_of_point on checkins (org_id, check_in_point_id);
-- Who is inside: passes of a point on record.
create index checkins_point on checkins (org_id, check_in_point_id, day_id) where admitted and undone_at is null;
create index checkins_disagree on checkins (org_id, event_id, id)
  where offline_result is not null and offline_result is distinct from result;
select make_tenant_table('checkins');

-- Tickets that left a roster: of a group when a person moved to another, of everybody when a ticket was deleted.
create table roster_removed (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code_sha256 text not null,
  group_id uuid,
  everywhere boolean not null,
  at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create index roster_removed_at on roster_removed (org_id, event_id, at);
select make_tenant_table('roster_removed');

-- Pairing: a member makes a short-lived code, a device turns it into a token once.
create table pairing_codes (
  org_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  code_hash bytea not null,
  name text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
create unique index pairing_codes_hash on pairing_codes (code_hash);
select make_tenant_table('pairing_codes');

alter table devices add column version text;
alter table devices add column queue_length int;
alter table devices add column battery int;
alter table devices add column seen_at timestamptz;

create function directory.find_pairing_code(of_hash bytea)
returns table (org_id uuid, id uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.org_id, p.id from pairing_codes p where p.code_hash = of_hash
$$;
grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.find_pairing_code(bytea) from public;
  alter function directory.find_pairing_code(bytea) owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.find_pairing_code(bytea) to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
