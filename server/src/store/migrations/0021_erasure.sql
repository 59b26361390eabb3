-- Blank is absent, and what an erasure leaves to be done after its commit.

-- A blank ID of an older build identified whoever had one, too, so strangers became one contact. (Those cannot be told apart any
-- more: docs/erasure.md.) The list: spaces, control, format and filling characters, marks without a letter.
do $$
declare
  blank constant text := '^[\s\u0001-\u0020\u007f-\u00a0\u00ad\u0300-\u036f\u0483-\u0489\u061c\u064b-\u065f\u115f\u1160\u1680\u17b4\u17b5'
    || '\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164\ufe00-\ufe0f\ufe20-\ufe2f'
    || '\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]*$';
begin
  perform set_config('role', 'turnout_system', true);
  -- With the clocks moved: whoever follows changes hears of it (store/clocks.ts).
  with moved as (
    update org_clocks o set at = greatest(now(), o.at + interval '1 microsecond')
    where o.org_id in (select c.org_id from contacts c where c.external_id ~ blank) returning o.org_id, o.at)
  update contacts c set external_id = null, updated_at = m.at from moved m where c.org_id = m.org_id and c.external_id ~ blank;
  with moved as (
    update event_clocks e set at = greatest(now(), e.at + interval '1 microsecond')
    where (e.org_id, e.event_id) in (select a.org_id, a.event_id from attendees a where a.external_id ~ blank)
    returning e.org_id, e.event_id, e.at),
  people as (
    update attendees a set external_id = null, external_key = null, updated_at = m.at from moved m
    where a.org_id = m.org_id and a.event_id = m.event_id and a.external_id ~ blank
    returning a.org_id, a.registration_id, m.at)
  update registrations r set updated_at = p.at from people p where r.org_id = p.org_id and r.id = p.registration_id;
  -- Keys that came to nothing fit nobody: no name, no match by an address or phone (areas/contacts/match.ts).
  update contacts set email_key = null where email_key ~ blank;
  update attendees set email_key = null where email_key ~ blank;
  update registrations set email_key = null where email_key ~ blank;
  update contacts set name_key = '', given_key = '' where name_key <> '' and name_key ~ blank;
  update attendees set name_key = '', given_key = '' where name_key <> '' and name_key ~ blank;
  perform set_config('role', 'none', true);
end $$;

-- How often somebody of the organization was erased: whoever has read people before, and writes after, finds it has moved.
alter table org_clocks add column erasures bigint not null default 0;

-- The attempts that had begun when a person in the mail was erased: what they keep of it (a file) is removed.
alter table mails add column erased_attempts int;

-- Files that nobody is to read any more, by their keys. They go after the commit that says so; the worker looks every minute.
create table files_to_remove (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  kept_by text not null check (kept_by in ('files', 'mails')),
  key text not null,
  primary key (org_id, id)
);
select make_tenant_table('files_to_remove');
