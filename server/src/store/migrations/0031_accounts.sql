-- People who sign in. An account is a person; a member is an account in an organization. Until now members had an e-mail address
-- and a name of their own; each distinct address becomes one account.

create table accounts (
  id uuid primary key,
  email text not null,
  -- When somebody last proved, by a link that came by mail or by OpenID Connect, that the address is theirs.
  email_proved_at timestamptz,
  name text not null,
  language text not null default 'en' check (language in ('en', 'de', 'fr', 'es')),
  -- argon2id, as a PHC string
  password_hash text,
  -- encrypted with the secret of the installation
  totp_secret bytea,
  -- the last time step whose code was used: a code works once
  totp_step bigint,
  -- the made-up manager of the sandbox, whom anybody with the printed link may be
  sandbox boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index accounts_email on accounts (lower(email));

alter table accounts enable row level security;
alter table accounts force row level security;
create policy every_account on accounts to turnout_system using (true) with check (true);
grant select, insert, update, delete on accounts to turnout_system;

drop function directory.find_session(bytea, text);
drop table member_sessions;
alter table members add column account_id uuid references accounts;
-- The PIN of the door: argon2id over an HMAC with the secret of the installation.
alter table members add column pin_hash text, add column pin_set_at timestamptz, add column updated_at timestamptz;

-- Row-level security hides the rows from the owner of the tables, so the role of workers writes them.
set local role turnout_system;
insert into accounts (id, email, name, created_at, updated_at)
  select distinct on (lower(email)) id, email, name, created_at, created_at from members order by lower(email), created_at, id;
update members m set account_id = a.id, updated_at = m.created_at from accounts a where lower(a.email) = lower(m.email);
reset role;

alter table members alter column account_id set not null, alter column updated_at set not null;
drop index members_email;
alter table members drop column email, drop column name;
create unique index members_account on members (org_id, account_id);
create index members_of_account on members (account_id);

-- The organization's own role reads who its members are, and nothing else of an account.
create policy own_members on accounts for select to turnout_app
  using (exists (select 1 from members m where m.account_id = accounts.id and m.org_id = current_org()));
grant select (id, email, name, language, email_proved_at) on accounts to turnout_app;

-- ---------------------------------------------------------------- what belongs to an account

create table account_sessions (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  -- SHA-256 of the token in the cookie
  hash bytea not null,
  method text not null check (method in ('password', 'mail', 'passkey', 'oidc', 'link', 'sandbox')),
  second_factor boolean not null,
  -- when the person last proved who they are
  proved_at timestamptz not null,
  browser text,
  address text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  -- the latest end, however often it is used
  expires_at timestamptz not null
);
create unique index account_sessions_hash on account_sessions (hash);
create index account_sessions_account on account_sessions (account_id, last_used_at);

create table account_passkeys (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index account_passkeys_credential on account_passkeys (credential_id);
create index account_passkeys_account on account_passkeys (account_id);

create table account_recovery_codes (
  account_id uuid not null references accounts on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  primary key (account_id, hash)
);

-- Who an account is at a provider of OpenID Connect.
create table account_identities (
  issuer text not null,
  subject text not null,
  account_id uuid not null references accounts on delete cascade,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
create index account_identities_account on account_identities (account_id);

-- Links that work once (that of the sandbox: until it expires).
create table account_links (
  hash bytea primary key,
  kind text not null check (kind in ('sign_in', 'first', 'sign_up', 'sandbox', 'email')),
  account_id uuid references accounts on delete cascade,
  -- the address that the link was sent to
  email text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_links_account on account_links (account_id);
create index account_links_expiry on account_links (expires_at);

-- A sign-in that is under way in one browser, found by the hash of its cookie: what was proved so far, and the challenge or state
-- that the next step has to answer (encrypted).
create table sign_in_steps (
  hash bytea primary key,
  kind text not null check (kind in ('second_factor', 'passkey', 'new_passkey', 'new_totp', 'oidc')),
  account_id uuid references accounts on delete cascade,
  data bytea not null,
  tries int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_in_steps_expiry on sign_in_steps (expires_at);
create index sign_in_steps_account on sign_in_steps (account_id);

-- Failed tries, by the hash of what is throttled: an account's address, a network address, a known browser, a PIN.
create table sign_in_tries (
  bucket bytea primary key,
  tries int not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index sign_in_tries_last on sign_in_tries (last_at);

do $$
declare name text;
begin
  foreach name in array array['account_sessions', 'account_passkeys', 'account_recovery_codes', 'account_identities', 'account_links',
    'sign_in_steps', 'sign_in_tries'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy every_account on %I to turnout_system using (true) with check (true)', name);
    execute format('grant select, insert, update, delete on %I to turnout_system', name);
  end loop;
end $$;

-- ---------------------------------------------------------------- invitations

create table invitations (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  email text not null,
  role text not null,
  group_id uuid,
  -- The token that was mailed proves the address, the one that is shown to be copied does not.
  mailed_hash bytea,
  copied_hash bytea not null,
  invited_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, group_id) references groups
);
create unique index invitations_open on invitations (org_id, lower(email)) where accepted_at is null and withdrawn_at is null;
create unique index invitations_mailed on invitations (mailed_hash);
create unique index invitations_copied on invitations (copied_hash);
create index invitations_group on invitations (org_id, group_id);
create index invitations_email on invitations (lower(email));
select make_tenant_table('invitations');

-- ---------------------------------------------------------------- keys, the organization

alter table api_keys add column created_by uuid, add column last_used_at timestamptz;
alter table organizations
  add column accent text check (accent ~ '^#[0-9a-f]{6}$'),
  add column require_second_factor boolean not null default false;

-- A session and what the account is in one organization (named by its code or id). No row: the session does not exist or has ended.
-- `member_id` is null for an organization that does not exist or that the account does not belong to.
create function directory.find_session(of_hash bytea, of_org_code text, of_org_id uuid, of_month text, now_at timestamptz)
returns table (
  session_id uuid, account_id uuid, name text, email text, language text, method text, second_factor boolean, proved_at timestamptz,
  last_used_at timestamptz, require_second_factor boolean,
  member_id uuid, role text, group_id uuid, group_code text,
  org_id uuid, org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb, calls bigint
)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.id, a.id, a.name, a.email, a.language, s.method, s.second_factor, s.proved_at, s.last_used_at, o.require_second_factor,
    m.id, m.role, m.group_id, g.code,
    o.id, o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits, coalesce(u.calls, 0)
  from account_sessions s
  join accounts a on a.id = s.account_id
  left join (
    organizations o
    join members m on m.org_id = o.id
    join plans p on p.code = o.plan
    left join groups g on g.org_id = m.org_id and g.id = m.group_id
    left join api_usage u on u.org_id = o.id and u.month = of_month
  ) on m.account_id = a.id and (lower(o.code) = lower(of_org_code) or o.id = of_org_id)
  where s.hash = of_hash and s.expires_at > now_at and s.last_used_at > now_at - interval '14 days'
$$;

grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.find_session(bytea, text, uuid, text, timestamptz) from public;
  alter function directory.find_session(bytea, text, uuid, text, timestamptz) owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.find_session(bytea, text, uuid, text, timestamptz) to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
