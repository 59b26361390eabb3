create index concurrently attendees_discount on attendees (org_id, discount_id) where discount_id is not null;
