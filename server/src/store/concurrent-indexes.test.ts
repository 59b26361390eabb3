import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../test/support/database.ts';
import { untilWaitingForLock } from '../../../test/support/waiting.ts';
import { indexesIn } from './concurrent-indexes.ts';
import { applyPending, migrations } from './migrate.ts';
import type { Migration } from './migration.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await cloneDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table things (n int)');
  await client.query('insert into things values (1), (1), (2)');
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const made = (name: string, text: string): Migration => ({ name, text, checksum: name });
const apply = (migration: Migration) => applyPending(client, () => {}, [...migrations(), ...before, migration]);
const before: Migration[] = [];
const isValid = async (index: string) =>
  (
    await runSql(database.adminUrl, `select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`, [
      index,
    ])
  )[0]?.valid;

test('it is built while others write, once, and recorded', async () => {
  const migration = made('9001_n.sql', '-- By number.\ncreate index concurrently things_n\n  on things (n);\n');
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query('begin');
  await writer.query('insert into things values (3)');
  const building = apply(migration);
  await untilWaitingForLock(database);
  // It waits for that transaction, and nobody waits behind it.
  await runSql(database.url, 'insert into things values (4)');
  await writer.query('commit');
  await writer.end();
  expect(await building).toEqual(['9001_n.sql']);
  expect(await isValid('things_n')).toBe(true);
  expect(await apply(migration)).toEqual([]);
  before.push(migration);
});

test('an interrupted build leaves an invalid index; the next start builds it anew', async () => {
  const migration = made('9002_unique.sql', 'create unique index concurrently things_once on things (n)');
  await expect(apply(migration)).rejects.toThrow(/could not create unique index/);
  expect(await isValid('things_once')).toBe(false);
  // The control: without dropping it, it cannot be built.
  await expect(client.query(migration.text)).rejects.toThrow(/already exists/);
  await client.query('delete from things');
  expect(await apply(migration)).toEqual(['9002_unique.sql']);
  expect(await isValid('things_once')).toBe(true);
  before.push(migration);
});

test('nothing else may be in such a file', () => {
  const text = 'create index concurrently a_b on a (b); alter table a add column c int';
  expect(() => indexesIn(made('9003_both.sql', text))).toThrow(
    /9003_both\.sql builds indexes concurrently, so it may have nothing else/,
  );
});
