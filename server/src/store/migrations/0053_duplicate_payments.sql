-- Online payments for what another payment page had covered already. They are refunded by a job, outside the transaction that recorded
-- them. The row stays, so that nothing is refunded or told twice.
create table duplicate_payments (
  org_id uuid not null,
  payment_id uuid not null,
  event_id uuid not null,
  noted_at timestamptz not null,
  -- how often the provider was asked without success
  attempts smallint not null default 0,
  -- when it is asked again; null: the payment was refunded, or a person has to do it
  next_attempt_at timestamptz,
  primary key (org_id, payment_id),
  foreign key (org_id, payment_id) references payments on delete cascade
    -- payments are written when the book is closed, after the row that speaks of one
    deferrable initially deferred
);
create index duplicate_payments_due on duplicate_payments (next_attempt_at) where next_attempt_at is not null;
select make_tenant_table('duplicate_payments');
