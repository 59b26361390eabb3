-- Wrong discount codes that came by the form, by event and network, in the hour that begins with the first of them.
create table wrong_codes (
  org_id uuid not null,
  event_id uuid not null,
  -- a keyed hash: an address could be guessed from any other
  network text not null,
  since timestamptz not null,
  wrong int not null,
  primary key (org_id, event_id, network),
  foreign key (org_id, event_id) references events on delete cascade
);
create index wrong_codes_since on wrong_codes (since);
select make_tenant_table('wrong_codes');
