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

-- Most rows are scans, and each index more is a fifth more for theirs. So they are in the new one by actor, but no longer in the
-- one by object: the row of a check-in is found by its time, which the check-in's id has, too. By action they are met soon on the way
-- back through the log.
create index audit_log_actor on audit_log (org_id, actor_id, id);
create index audit_log_action on audit_log (org_id, action, id) where action <> 'checkin.recorded';
drop index audit_log_object;
create index audit_log_object on audit_log (org_id, object_id, id) where action <> 'checkin.recorded';
