-- Whether agents may use the organization's keys at /mcp. Nobody's keys begin to answer there by an update.
alter table organizations add column agents boolean not null default false;
