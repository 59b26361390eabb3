-- The list of registrations by name, searched or not, is read from the index of names alone: with the registration in the index, the
-- attendee need not be looked up only to learn to which registration they belong. An entry grows by 16 bytes; there is no new index.
drop index attendees_name;
create index attendees_name on attendees (org_id, event_id, name_key, id)
  include (test, status, group_id, email_key, position, registration_id);
