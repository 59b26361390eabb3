-- What has been written to the sandbox since it last started over. Only the sandbox has a row, by which it is recognized.
create table sandbox_usage (
  org_id uuid not null,
  bytes bigint not null default 0,
  primary key (org_id),
  foreign key (org_id) references organizations(id) on delete cascade
) with (fillfactor = 50);
select make_tenant_table('sandbox_usage');
insert into sandbox_usage (org_id) select id from organizations where sandbox;
