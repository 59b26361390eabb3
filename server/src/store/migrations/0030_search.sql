-- Searches and filtered lists that stay fast in an event of a million people, and letters such as ø that a search takes for o.

-- ---------------------------------------------------------------- people by name, whatever they are found by

-- With the e-mail address in the index, a search in a list by name looks up only people whom it finds; with the position, the list of
-- registrations looks up only the first attendee of each.
drop index attendees_name;
create index attendees_name on attendees (org_id, event_id, name_key, id)
  include (test, status, group_id, email_key, position);
drop index contacts_name;
create index contacts_name on contacts (org_id, name_key, id) include (test, group_id, email_key);

-- ---------------------------------------------------------------- lists of one status

-- Most rows of most events are confirmed and are met soon in the list of all. The others may be few or none, and without these
-- indexes a list of them would read the whole event. A scan and a free registration do not write to them.
create index attendees_status on attendees (org_id, event_id, status, updated_at, id) where status <> 'confirmed';
create index registrations_status on registrations (org_id, event_id, status, updated_at, id) where status <> 'confirmed';

-- ---------------------------------------------------------------- letters that are typed as others

-- The folded words of existing names (areas/contacts/words.ts). This only adds rows to the tables of words: the people themselves are
-- read, not rewritten or locked. During an upgrade in which the version before still runs, that version writes no folded words; such
-- a person is found by the folded word after the next change of the name.
do $$
declare
  -- As in areas/contacts/words.ts.
  marks constant text := E'-\'.,/()"&+·_:;`´’‘‛“”„«»‹›‐‑‒–—―@|*';
  spaces constant text := repeat(' ', length(marks));
  letters constant text := 'øłđðħŧŋıəɓɗƙ';
  folded constant text := 'olddhtniebdk';
  has_letters constant text := '[' || letters || 'æœþ]';
begin
  perform set_config('role', 'turnout_system', true);
  insert into attendee_words (org_id, event_id, word, attendee_id)
  select distinct a.org_id, a.event_id, left(w.word, 200), a.id
  from attendees a
    cross join lateral string_to_table(replace(replace(replace(
      translate(a.given_key, marks || letters, spaces || folded), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), ' ') as w(word)
  where a.given_key ~ has_letters and w.word <> ''
    and not starts_with(a.name_key, left(w.word, 200)) and not starts_with(a.given_key, left(w.word, 200))
  on conflict do nothing;
  insert into contact_words (org_id, word, contact_id)
  select distinct c.org_id, left(w.word, 200), c.id
  from contacts c
    cross join lateral string_to_table(replace(replace(replace(
      translate(c.given_key, marks || letters, spaces || folded), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), ' ') as w(word)
  where c.given_key ~ has_letters and w.word <> ''
    and not starts_with(c.name_key, left(w.word, 200)) and not starts_with(c.given_key, left(w.word, 200))
  on conflict do nothing;
  -- A word with an @ is an e-mail address, which is searched as it is.
  insert into registrant_words (org_id, event_id, word, registration_id)
  select r.org_id, r.event_id, replace(replace(replace(
    translate(r.word, letters, folded), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), r.registration_id
  from registrant_words r where r.word ~ has_letters and position('@' in r.word) = 0
  on conflict do nothing;
  perform set_config('role', 'none', true);
end $$;
