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
const rows = async (text: string, from = database): Promise<string[]> =>
  (await runSql(from.adminUrl, text)).map((row) => row.what as string);

const OF_ORGANIZATIONS = `select c.oid, c.relname from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

/** Unique beyond one organization, and why. */
const UNIQUE_FOR_EVERYBODY: Readonly<Record<string, string>> = {
  'pairing_codes_hash on pairing_codes':
    'A code of twelve letters is typed by somebody whose organization is not known yet, and must lead to one device.',
  'tenant_hosts_proved on tenant_hosts': 'A host is proved by one organization only; that is what the rule is for.',
};
/** Somebody has one account for all organizations, and is a member of several by it. */
const TO_EVERYBODY = ['members → accounts'];
/** Check-ins are ordered by it within one organization only. Whoever takes an organization over sets it behind the largest one taken over. */
const COUNTED_FOR_EVERYBODY = ['checkins_seq_seq'];
/** What belongs to no organization, and why. */
const OF_EVERYBODY: Readonly<Record<string, string>> = {
  accounts: 'Somebody has one account for all organizations.',
  account_identities: 'Of an account.',
  account_links: 'Of an account.',
  account_passkeys: 'Of an account.',
  account_recovery_codes: 'Of an account.',
  account_sessions: 'Of an account.',
  sign_in_steps: 'Of an account.',
  sign_in_tries: 'Of an address that tries to sign in.',
  organizations: 'Its key is the organization.',
  plans: 'The same on every database: data of the build.',
  license_revocations: 'Of the installation.',
  installation: 'Of the installation.',
  migrations: 'Of each database.',
  partitioned: 'Of each database.',
  rate_windows: 'Of a key or an address for a minute; lost without harm.',
};

describe('rules that reach beyond one organization', () => {
  test('unique indexes of the tables of organizations', async () => {
    expect(await uniqueForEverybody()).toEqual(Object.keys(UNIQUE_FOR_EVERYBODY));
  });

  test('foreign keys from tables of organizations to those of everybody', async () => {
    const found = await rows(`
      with t as (${OF_ORGANIZATIONS})
      select t.relname || ' → ' || f.confrelid::regclass as what from t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
      where f.confrelid not in (select oid from t) and f.confrelid <> 'organizations'::regclass
      order by 1`);
    expect(found).toEqual(TO_EVERYBODY);
  });

  test('foreign keys that could lead from one organization to another: none', async () => {
    expect(await strayKeys()).toEqual([]);
  });

  test('foreign keys from tables of everybody to those of organizations: none', async () => {
    const found = await rows(`
      with t as (${OF_ORGANIZATIONS})
      select f.conrelid::regclass || ' → ' || f.confrelid::regclass as what from pg_constraint f
      where f.contype = 'f' and f.conrelid not in (select oid from t) and f.conparentid = 0
        and (f.confrelid in (select oid from t) or f.confrelid = 'organizations'::regclass)
        and not exists (select from pg_class c where c.oid = f.conrelid and c.relispartition)
      order by 1`);
    expect(found).toEqual([]);
  });

  test('tables of everybody', async () => {
    const found = await rows(`
      select c.relname as what from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.oid not in (select oid from (${OF_ORGANIZATIONS}) t)`);
    expect(found.sort()).toEqual(Object.keys(OF_EVERYBODY).sort());
  });

  test('numbers that are counted for everybody', async () => {
    const found = await rows(`
      select c.relname as what from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace order by 1`);
    expect(found).toEqual(COUNTED_FOR_EVERYBODY);
  });

  test('tables without a primary key: none', async () => {
    expect(await withoutKey()).toEqual([]);
  });
});

test('each of these is found where it is made', async () => {
  const own = await cloneDatabase();
  try {
    const make = async (text: string) => runSql(own.adminUrl, text);
    await make(
      'create table strays (org_id uuid not null, job_id uuid, about uuid unique, event_id uuid, job_org uuid)',
    );
    await make('alter table strays add foreign key (job_org, job_id) references jobs (org_id, id)');
    expect(await uniqueForEverybody(own)).toContain('strays_about_key on strays');
    expect(await withoutKey(own)).toEqual(['strays']);
    expect(await strayKeys(own)).toEqual(['strays → jobs']);
  } finally {
    await own.drop();
  }
});

function uniqueForEverybody(from = database): Promise<string[]> {
  return rows(
    `with t as (${OF_ORGANIZATIONS})
    select i.relname || ' on ' || t.relname as what from t join pg_index x on x.indrelid = t.oid and x.indisunique
    join pg_class i on i.oid = x.indexrelid
    where not exists (select from pg_attribute a where a.attrelid = x.indrelid and a.attname = 'org_id' and a.attnum = any((x.indkey::int2[])[0:x.indnkeyatts - 1]))
    order by 1`,
    from,
  );
}

/** Foreign keys between tables of organizations (or to the organizations themselves) that do not lead from `org_id` to the organization. */
function strayKeys(from = database): Promise<string[]> {
  return rows(
    `with t as (${OF_ORGANIZATIONS})
    select t.relname || ' → ' || f.confrelid::regclass as what from t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
    where (f.confrelid in (select oid from t) or f.confrelid = 'organizations'::regclass) and not exists (
      select from unnest(f.conkey, f.confkey) as k(own, other)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own and a.attname = 'org_id'
      join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.other
        and b.attname = case when f.confrelid = 'organizations'::regclass then 'id' else 'org_id' end)
    order by 1`,
    from,
  );
}

function withoutKey(from = database): Promise<string[]> {
  return rows(
    `select c.relname as what from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_index x where x.indrelid = c.oid and x.indisprimary) order by 1`,
    from,
  );
}
