-- One process at a time sends to an endpoint: a lease on it instead of one on every delivery in the queue. 0004 makes the tables
-- so; in one build it did not yet, and a database of that build gets here what it lacks.

alter table webhook_endpoints add column if not exists worker uuid;
alter table webhook_endpoints add column if not exists leased_until timestamptz;

do $$
begin
  if exists (select from pg_attribute where attrelid = 'webhook_queue'::regclass and attname = 'claimable_at') then
    alter table webhook_queue rename column claimable_at to due_at;
  end if;
end $$;
