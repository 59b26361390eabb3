-- Rows of the audit log by what else they touched, beside the object that they are about: an endpoint by the delivery that was
-- sent again. People, tickets and payments are found by their registration and have no row here, nor has a scan.
create table audit_objects (
  org_id uuid not null,
  object_id uuid not null,
  -- of the row in audit_log
  id uuid not null,
  primary key (org_id, object_id, id)
) partition by range (id);
create table audit_objects_default partition of audit_objects default;
select make_tenant_table('audit_objects');
insert into partitioned values ('audit_objects', '2 years');

create index audit_log_actor on audit_log (org_id, actor_id, id);
-- Nearly every row is a scan: those are met soon on the way back through the log, and none of them pays for this index.
create index audit_log_action on audit_log (org_id, action, id) where action <> 'checkin.recorded';
