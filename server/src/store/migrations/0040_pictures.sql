-- The pictures of the registration pages. What was uploaded is not kept, only what the server has made of it.
create table pictures (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  -- Null: the logo of the organization.
  event_id uuid,
  -- Of the largest of its files.
  width int not null,
  height int not null,
  -- Of all its files: the same picture, sent again, changes nothing.
  digest bytea not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, event_id) references events on delete cascade
);
-- One picture for each event, and one logo for each organization.
create unique index pictures_of on pictures (org_id, event_id) nulls not distinct;
select make_tenant_table('pictures');

create table picture_files (
  org_id uuid not null,
  picture_id uuid not null,
  -- The end of its address (road/page-links.ts).
  name text not null,
  type text not null,
  bytes bytea not null,
  primary key (org_id, picture_id, name),
  foreign key (org_id, picture_id) references pictures on delete cascade
);
-- Pictures are compressed already.
alter table picture_files alter column bytes set storage external;
select make_tenant_table('picture_files');
