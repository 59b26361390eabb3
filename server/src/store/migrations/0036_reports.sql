-- Reports count when attendees were cancelled. For an attendee who was cancelled before this column existed, or by a process of the
-- version before during an upgrade, it is null; reports then use the registration's time, or else that of the attendee's last change.
alter table attendees add column cancelled_at timestamptz;
