-- What is known of an unpaid registration's hold on its places beside its deadline, registrations.payment_due_at. The row is deleted
-- when the registration is paid or ends.
create table payment_holds (
  org_id uuid not null,
  registration_id uuid not null,
  event_id uuid not null,
  -- a keyed hash of the network that the form came from; null: it did not come from the form, or was approved or promoted since
  network text collate "C",
  -- whether nobody has shown yet that they read the registrant's mails
  unproven boolean not null,
  -- how often the deadline was moved behind the end of the provider's payment page
  extensions smallint not null,
  -- the payment page for which it was moved last, as the provider calls it
  session text,
  -- the deadline before a payment was under way at the provider
  due_before timestamptz,
  primary key (org_id, registration_id),
  foreign key (org_id, registration_id) references registrations on delete cascade
);
create index payment_holds_network on payment_holds (org_id, event_id, network) where network is not null;
select make_tenant_table('payment_holds');
