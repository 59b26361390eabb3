-- What left a list that `include=removed` reads: it was deleted, or it went out of the reach of callers that are limited to a group.
create table removals (
  org_id uuid not null references organizations on delete cascade,
  list text collate "C" not null,
  object_id uuid not null,
  -- a group: the callers limited to it; the organization's own id: the callers that are not limited
  audience uuid not null,
  -- null: the list is one of the organization
  event_id uuid,
  test boolean not null,
  at timestamptz not null,
  primary key (org_id, list, object_id, audience),
  foreign key (org_id, event_id) references events on delete cascade
);
create index removals_changed on removals (org_id, list, audience, event_id, at, object_id);
create index removals_at on removals (at);
select make_tenant_table('removals');
