import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from './support/database.ts';

/**
 * What stands in the way of putting organizations on several databases: a rule that reaches beyond one organization can only be kept by one
 * database. All of them are on these lists, so that none is added by accident.
 */
let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
const rows = async (text: string): Promise<string[]> =>
  (await runSql(database.adminUrl, text)).map((row) => row.what as string);

const OF_ORGANIZATIONS = `select c.oid, c.relname from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/** What is found by somebody who does not know the organization yet: by a hash, by a host, or by its place in the outbox. */
const FOUND_WITHOUT = [
  'api_keys_hash on api_keys',
  'devices_token on devices',
  'invitations_copied on invitations',
  'invitations_mailed on invitations',
  'outbox_pkey on outbox',
  'pairing_codes_hash on pairing_codes',
  'tenant_hosts_proved on tenant_hosts',
];
/** Somebody has one account for all organizations. */
const TO_EVERYBODY = ['members → accounts'];
/** They have unique indexes in which a column may be empty. */
const WITHOUT_PRIMARY_KEY = ['people_counts', 'registered_by_day', 'registration_counts'];

describe('rules that reach beyond one organization', () => {
  test('unique indexes of the tables of organizations', async () => {
    const found = await rows(`
      with t as (${OF_ORGANIZATIONS})
      select i.relname || ' on ' || t.relname as what from t join pg_index x on x.indrelid = t.oid and x.indisunique
      join pg_class i on i.oid = x.indexrelid
      where not exists (select from pg_attribute a where a.attrelid = x.indrelid and a.attname = 'org_id' and a.attnum = any((x.indkey::int2[])[0:x.indnkeyatts - 1]))
      order by 1`);
    expect(found).toEqual(FOUND_WITHOUT);
  });

  test('foreign keys from tables of organizations to those of everybody', async () => {
    const found = await rows(`
      with t as (${OF_ORGANIZATIONS})
      select t.relname || ' → ' || f.confrelid::regclass as what from t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
      where f.confrelid not in (select oid from t) and f.confrelid <> 'organizations'::regclass
      order by 1`);
    expect(found).toEqual(TO_EVERYBODY);
  });

  test('numbers that are counted for everybody', async () => {
    const found = await rows(`
      select c.relname as what from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace order by 1`);
    expect(found).toEqual(['checkins_seq_seq']);
  });

  test('tables without a primary key', async () => {
    const found = await rows(`
      with t as (${OF_ORGANIZATIONS})
      select t.relname as what from t where not exists (select from pg_index x where x.indrelid = t.oid and x.indisprimary) order by 1`);
    expect(found).toEqual(WITHOUT_PRIMARY_KEY);
  });
});
