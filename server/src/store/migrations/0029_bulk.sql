-- Whom a bulk action is about, fixed when it starts, in the order in which it gets to them. What did not work has a code and
-- words; who it was is read from the people themselves, so nothing here has to be erased. Gone once the job is over.
create table bulk_items (
  org_id uuid not null,
  job_id uuid not null,
  number int not null,
  -- The registration, or the attendee.
  object_id uuid not null,
  -- Where the action is about tickets; null there: the attendee has none that is valid.
  ticket_id uuid,
  code text,
  words text,
  primary key (org_id, job_id, number),
  foreign key (org_id, job_id) references jobs on delete cascade
);
select make_tenant_table('bulk_items');
