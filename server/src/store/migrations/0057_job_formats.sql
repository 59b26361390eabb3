-- What the input and the state of a job look like. Jobs of earlier versions of the app are of format 1.
alter table jobs add column format smallint not null default 1;
