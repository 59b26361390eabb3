-- One process at a time sends to an endpoint: a lease on it instead of one on every delivery in the queue.

-- the process, and until when it may without saying so again
alter table webhook_endpoints add column worker uuid;
alter table webhook_endpoints add column leased_until timestamptz;

-- A claim moved it to the end of its lease; now it only says when the next attempt is due.
alter table webhook_queue rename column claimable_at to due_at;
