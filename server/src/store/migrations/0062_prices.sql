-- Prices that hold for a while, when a type is on sale, and how many of it one registration has. A process of the build before goes on
-- selling at `price_minor`, whatever the phases say, so set phases once all processes are of this build.
alter table attendee_types
  add column description text,
  add column prices jsonb not null default '[]',
  add column on_sale jsonb,
  add column min_per_registration int,
  add column max_per_registration int;
-- The phase in which an attendee registered. Null: the regular price.
alter table attendees add column price_name text;
