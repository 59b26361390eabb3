-- A member unlocks a scanner with a PIN and decides there for a while.
alter table devices
  -- who has unlocked it
  add column unlocked_by uuid,
  -- when that member had set the PIN; another PIN ends it
  add column unlocked_pin_at timestamptz,
  add column unlocked_until timestamptz;

-- The scanner at which a member overrode a refusal.
alter table checkins add column device_id uuid, add column device_name text;
