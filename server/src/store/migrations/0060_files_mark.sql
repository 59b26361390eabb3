-- The mark of the store of files that belongs to this database (start/same-files.ts). Null until a process has started with one.
alter table installation add column files_mark text;
