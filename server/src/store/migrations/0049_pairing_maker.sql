-- Who made a pairing code. A code pairs a scanner only while that member could still make it.
alter table pairing_codes add column made_by uuid;
