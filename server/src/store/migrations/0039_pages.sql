-- The registration pages: what they show of an event and of an organization, and what people may do there by themselves.
alter table events
  add column description text,
  add column image_id uuid,
  -- Events that exist already stay out of the public list until somebody lists them.
  add column listed boolean not null default false,
  add column payment_instructions text,
  add column self_service jsonb not null default '{"change_until": null, "cancel_until": null, "transfer_until": null}';
alter table events alter column listed set default true;
-- The public list: published and listed events, in order of their beginning.
create index events_public on events (org_id, begins_at, id) where status = 'published' and listed and not test;

alter table organizations
  add column logo_id uuid,
  add column imprint_url text,
  add column privacy_url text,
  add column embed_origins text[] not null default '{}',
  -- The proved host at whose root the pages are; null: they are below /o/{code} of the installation.
  add column page_host text;

-- Visitors of the pages name an organization by its code or id, and have no key.
create function directory.find_organization(of_code text, of_id uuid)
returns table (
  org_id uuid, org_code text, org_name text, org_timezone text, org_terminology jsonb,
  plan text, entitlements text[], plan_limits jsonb, limits jsonb,
  language text, accent text, logo_id uuid, imprint_url text, privacy_url text, embed_origins text[], page_host text
)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.code, o.name, o.timezone, o.terminology, p.code, p.entitlements, p.limits, o.limits,
    o.language, o.accent, o.logo_id, o.imprint_url, o.privacy_url, o.embed_origins, o.page_host
  from organizations o
  join plans p on p.code = o.plan
  where lower(o.code) = lower(of_code) or o.id = of_id
$$;
grant create on schema directory to turnout_system;
do $$
declare login text := current_user;
begin
  revoke all on function directory.find_organization(text, uuid) from public;
  alter function directory.find_organization(text, uuid) owner to turnout_system;
  perform set_config('role', 'turnout_system', true);
  execute format('grant execute on function directory.find_organization(text, uuid) to %I', login);
  perform set_config('role', 'none', true);
end $$;
revoke create on schema directory from turnout_system;
