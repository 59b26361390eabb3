-- What an organization's own role reads of its members' accounts beside who they are: whether they have a second factor, and when
-- they were last there, and which one is the made-up manager of the sandbox. Secrets stay with the role of workers.

alter table accounts add column has_totp boolean generated always as (totp_secret is not null) stored;
grant select (has_totp, sandbox) on accounts to turnout_app;

create policy own_members on account_sessions for select to turnout_app
  using (exists (select 1 from members m where m.account_id = account_sessions.account_id and m.org_id = current_org()));
grant select (account_id, last_used_at) on account_sessions to turnout_app;

create policy own_members on account_passkeys for select to turnout_app
  using (exists (select 1 from members m where m.account_id = account_passkeys.account_id and m.org_id = current_org()));
grant select (account_id) on account_passkeys to turnout_app;
