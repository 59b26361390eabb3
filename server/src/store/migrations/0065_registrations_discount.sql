create index concurrently registrations_discount on registrations (org_id, discount_id) where discount_id is not null;
