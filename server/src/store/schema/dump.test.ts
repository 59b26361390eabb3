import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { readCatalog } from './catalog.ts';
import { dumpSchema, requireNotes } from './dump.ts';
import { FUNCTIONS, SECTIONS } from './notes.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});
beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

test('docs/reference/schema.sql is the schema of a migrated database', async () => {
  const committed = readFileSync(new URL('../../../../docs/reference/schema.sql', import.meta.url), 'utf8');
  expect(committed, 'Run `npm run generate`, review the difference and commit it.').toBe(await dumpSchema(client));
});

describe('a change of the schema changes the dump', () => {
  const changes: [string, string, string][] = [
    ['a column', 'alter table groups add column color text', '  color text,\n'],
    ['a default', "alter table groups alter column name set default 'New'", "  name text not null default 'New',\n"],
    ['a check', "alter table groups add check (name <> '')", "  check (name <> '')"],
    ['a named check', "alter table groups add constraint named check (name <> '')", '  constraint named check ('],
    [
      'an index',
      'create index groups_name on groups (org_id, name) where parent_id is null',
      'create index groups_name on',
    ],
    [
      'a policy',
      'create policy shown on plans for select to turnout_app using (rank > 1)',
      'create policy shown on plans for select to turnout_app using (rank > 1);\n',
    ],
    [
      'a missing policy',
      'drop policy own_organization on groups',
      'grant select, insert, update, delete on groups to turnout_app;\n',
    ],
    [
      'row-level security that is off',
      'alter table groups no force row level security',
      'alter table groups enable row level security;\n',
    ],
    ['a grant', 'grant delete on plans to turnout_system', 'grant select, delete on plans to turnout_system;\n'],
    [
      'a function',
      "create or replace function current_org() returns uuid language sql as 'select null::uuid'",
      'select null::uuid',
    ],
    [
      'a trigger',
      'create trigger same before update on groups for each row execute function suppress_redundant_updates_trigger()',
      'create trigger same before update on groups',
    ],
    [
      'how long partitions are kept',
      "update partitioned set keep = '3 years' where name = 'audit_log'::regclass",
      '3 years',
    ],
  ];
  test.each(changes)('%s', async (_what, change, expected) => {
    const before = await dumpSchema(client);
    expect(before).not.toContain(expected);
    await client.query(change);
    expect(await dumpSchema(client)).toContain(expected);
  });
});

describe('the dump is the same', () => {
  test('whatever the partitions of the month', async () => {
    const before = await dumpSchema(client);
    await client.query(`select keep_partitions('2031-05-05')`);
    expect(await dumpSchema(client)).toBe(before);
  });

  test('whatever the search path', async () => {
    const before = await dumpSchema(client);
    await client.query('set search_path = directory, pg_catalog');
    expect(await dumpSchema(client)).toBe(before);
  });
});

describe('the dump fails', () => {
  test('for a table and a function without a note, and names them', async () => {
    await client.query('create table newcomers (id uuid primary key)');
    await client.query(`create function directory.greet() returns text language sql as $$ select 'hello' $$`);
    await expect(dumpSchema(client)).rejects.toThrow(
      'the table newcomers has no note; the function directory.greet has no note.',
    );
  });

  test('for notes about what does not exist', async () => {
    const catalog = await readCatalog(client);
    const more = { title: 'Gone', tables: { gone: { about: 'Gone.' }, groups: { about: '', columns: { color: '' } } } };
    expect(() => requireNotes(catalog, [...SECTIONS, more], { ...FUNCTIONS, left: '' })).toThrow(
      /groups\.color, which does not exist; .* table gone, which does not exist; .* function left, which does not exist/,
    );
  });

  test.each([
    ['view', 'create view seen as select 1 as one', 'the relation seen'],
    ['type', "create type mood as enum ('good')", 'the type mood'],
    ['sequence', 'create sequence numbers', 'the sequence numbers'],
    ['statistics', 'create statistics together on org_id, code from groups', 'the statistics together'],
    ['schema', 'create schema other', 'the schema other'],
  ])('for a %s, which it cannot print', async (_kind, statement, named) => {
    await client.query(statement);
    await expect(dumpSchema(client)).rejects.toThrow(named);
  });
});
