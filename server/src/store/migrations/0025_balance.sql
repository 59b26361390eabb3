-- What is due of a registration, or in credit; the language of its mails; payments by event; mails that are counted by the hour.

-- null: the event's.
alter table registrations add column language text;

-- One that holds places owes its total; one that waits, or is over, owes nothing, so whatever was paid for it is in credit. The same
-- rule in code: `balanceOf` in areas/registrations/state.ts.
alter table registrations add column balance_minor bigint not null generated always as
  (case when status in ('pending_approval', 'pending_payment', 'confirmed') then total_minor else 0 end - paid_minor) stored;
create index registrations_owing on registrations (org_id, event_id, updated_at, id) where balance_minor > 0;
create index registrations_credit on registrations (org_id, event_id, updated_at, id) where balance_minor < 0;

-- What the payer's bank took back.
alter table payments add column charged_back_minor bigint not null default 0;
alter table payments add check (charged_back_minor >= 0 and refunded_minor + charged_back_minor <= amount_minor);
create index payments_changed on payments (org_id, event_id, updated_at, id);
create index payments_status on payments (org_id, event_id, status, updated_at, id);
create index payments_method on payments (org_id, event_id, method, updated_at, id);
create index payments_created on payments (org_id, event_id, created_at);

-- Mails of a kind that an organization has sent in the hour that began with the first of them.
create table mail_counts (
  org_id uuid not null references organizations on delete cascade,
  what text not null,
  since timestamptz not null,
  mails int not null,
  primary key (org_id, what)
) with (fillfactor = 50);
select make_tenant_table('mail_counts');
