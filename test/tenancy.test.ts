import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Id, parseRef, toUlid } from '../server/src/common/ids.ts';
import { type Embedded, startEmbedded } from '../server/src/embedded/index.ts';
import { operation } from '../server/src/road/operation.ts';
import { reference } from '../server/src/road/request/reference.ts';
import { DatabaseRefused } from '../server/src/store/database-refused.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { name, Sql, sql } from '../server/src/store/sql.ts';
import { type Authority, type Tx, transaction } from '../server/src/store/tx.ts';
import { runSql } from './support/database.ts';
import { plant, standing, type TenantTable, tenantTables } from './support/tenant-tables.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/**
 * Row-level security guarantees that a query without a condition on the organization still sees only one organization. It does not
 * protect against SQL that a caller writes (there is none, see store/sql.ts): such SQL could leave the role again, because `set role`
 * checks the rights of the session's user and not those of the current role.
 */
/** Operations as somebody could write them by mistake: without any condition on the organization. */
const declared = {
  scope: 'read',
  entitlement: 'api_read',
  member: null,
  refusals: [],
  tag: 'Test',
  summary: '',
} as const;
const forgetful = [
  operation({
    ...declared,
    id: 'forgetfulGet',
    method: 'GET',
    path: '/forgetful/{event}',
    at: {
      event: reference<{ id: Id }>({
        kind: 'event',
        byCode: true,
        find: ({ tx }, ref) =>
          tx.maybe(sql`select id from events where id = ${parseRef(ref).id}::uuid or code = ${ref} limit 1`),
      }),
    },
    reply: Type.Object({ id: Type.String() }),
    handle: async ({ at }) => ({ id: toUlid(at.event.id) }),
  }),
  operation({
    ...declared,
    id: 'forgetfulList',
    method: 'GET',
    path: '/forgetful',
    at: {},
    reply: Type.Object({ ids: Type.Array(Type.String()) }),
    handle: async ({ tx }) => ({
      ids: (await tx.all<{ id: Id }>(sql`select id from events`)).map((row) => toUlid(row.id)),
    }),
  }),
];

let t: TestTurnout;
let admin: pg.Client;
let a: Id;
let b: Id;
let tables: TenantTable[];
const keyOf = new Map<string, string>();
const eventOf = new Map<string, string>();

beforeAll(async () => {
  t = await startTest({ operations: forgetful });
  a = await t.org('aaa');
  b = await t.org('bbb');
  for (const org of ['aaa', 'bbb']) {
    const { secret: key } = await t.key(org);
    keyOf.set(org, key);
    await t.session(org, 'owner');
    await t.call('POST', '/v1/groups', { key, body: { code: 'north', name: 'North' } });
    const event = await t.call('POST', '/v1/events', { key, body: { code: 'fair', name: 'Fair', group: 'north' } });
    expect(event.status).toBe(201);
    eventOf.set(org, event.body.id);
    await t.call('POST', '/v1/events/fair/days', { key, body: { code: 'd1', date: '2036-11-15' } });
  }
  admin = new pg.Client({ connectionString: t.database.adminUrl });
  await admin.connect();
  tables = await tenantTables(admin);
  // The six calls are counted a moment later. From here on, nothing may change by itself.
  const counted = async () => Number((await admin.query('select sum(calls) as calls from api_usage')).rows[0].calls);
  await vi.waitFor(async () => expect(await counted()).toBe(6), { timeout: 10_000 });
  for (const table of tables) for (const org of [a, b]) await plant(admin, table, org);
});
afterAll(async () => {
  await admin?.end();
  await t?.stop();
});

const as = <T>(authority: Authority, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(t.pool, t.clock, authority, work);
const asA = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => as({ role: 'app', org: a }, work);
/** The code of the error, or how many rows the statement changed. It is rolled back. */
async function attempt(tx: Tx, query: Sql): Promise<string | number> {
  await tx.run(sql`savepoint attempt`);
  try {
    return await tx.run(query);
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  } finally {
    await tx.run(sql`rollback to savepoint attempt`);
  }
}
const REFUSED = '42501'; // insufficient_privilege: no grant, or a row that the policy does not allow
const raw = (text: string): Sql => new Sql([text], []);

describe('a query without a condition on the organization', () => {
  test('is tried on every table of the catalog, with rows of two organizations', async () => {
    expect(tables.map((table) => table.name)).toEqual(
      expect.arrayContaining(['organizations', 'api_keys', 'events', 'days', 'audit_log', 'idempotency', 'mails']),
    );
    for (const table of tables) {
      const { rows } = await admin.query(`select array_agg(distinct ${table.org}) as orgs from ${table.name}`);
      expect(rows[0].orgs, table.name).toEqual(expect.arrayContaining([a, b]));
    }
  });

  test('reads its own rows only', async () => {
    for (const table of tables) {
      const seen = await asA((tx) =>
        tx.all<{ org: Id }>(sql`select distinct ${name(table.org)} as org from ${name(table.name)}`),
      );
      expect(seen, table.name).toEqual([{ org: a }]);
      const there = await asA((tx) => tx.all(sql`select from ${name(table.name)}`));
      const own = await admin.query(`select from ${table.name} where ${table.org} = $1`, [a]);
      expect(there.length, table.name).toBe(own.rowCount);
    }
  });

  test('joins no row of another organization', async () => {
    const rows = await asA((tx) =>
      tx.all<{ org_id: Id }>(sql`select e.org_id from events e join days d on true join groups g on true`),
    );
    expect(new Set(rows.map((row) => row.org_id))).toEqual(new Set([a]));
  });

  test('changes and deletes nothing of another organization', async () => {
    for (const table of tables) {
      const before = await standing(admin, table, b);
      const [t, org] = [name(table.name), name(table.org)];
      const reached = await asA(async (tx) => ({
        change: await attempt(tx, sql`update ${t} set ${org} = ${org} where ${org} = ${b}`),
        remove: await attempt(tx, sql`delete from ${t} where ${org} = ${b}`),
        own: await tx.all(sql`select from ${t}`),
      }));
      // The role may have no access to a table at all; what counts is that no row was changed.
      expect([0, REFUSED], `${table.name}: update`).toContain(reached.change);
      expect([0, REFUSED], `${table.name}: delete`).toContain(reached.remove);
      expect(reached.own.length, table.name).toBeGreaterThan(0);
      expect(await standing(admin, table, b), table.name).toBe(before);
    }
  });

  test('deleting everything leaves the other organization as it was', async () => {
    const others = async () => {
      const found: string[] = [];
      for (const table of tables) found.push(await standing(admin, table, b));
      return found;
    };
    const before = await others();
    await asA(async (tx) => {
      await tx.run(sql`savepoint everything`);
      const touched = await tx.run(sql`delete from organizations`);
      expect(touched).toBe(1);
      await tx.run(sql`rollback to savepoint everything`);
    });
    expect(await others()).toEqual(before);
  });

  test('writes no row into another organization, neither new nor moved', async () => {
    for (const table of tables) {
      const columns = table.columns.join(', ');
      const copied = table.columns.map((column) => (column === table.org ? `'${b}'::uuid` : column)).join(', ');
      const [inserted, moved] = await asA(async (tx) => [
        await attempt(tx, raw(`insert into ${table.name} (${columns}) select ${copied} from ${table.name} limit 1`)),
        await attempt(tx, sql`update ${name(table.name)} set ${name(table.org)} = ${b}`),
      ]);
      expect(inserted, `${table.name}: insert`).toBe(REFUSED);
      expect(moved, `${table.name}: move`).toBe(REFUSED);
    }
  });

  test('answers over HTTP as if it had the condition', async () => {
    const key = keyOf.get('aaa')!;
    const [own, other] = [eventOf.get('aaa')!, eventOf.get('bbb')!];
    expect((await t.call('GET', `/v1/forgetful/${own}`, { key })).body).toEqual({ id: own });
    expect((await t.call('GET', '/v1/forgetful/fair', { key })).body).toEqual({ id: own });
    const refused = await t.call('GET', `/v1/forgetful/${other}`, { key });
    expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
    expect((await t.call('GET', '/v1/forgetful', { key })).body).toEqual({ ids: [own] });
  });

  test('the control: without row-level security it sees both organizations', async () => {
    const seen = () => asA((tx) => tx.all<{ org_id: Id }>(sql`select org_id from groups order by org_id`));
    await admin.query('alter table groups disable row level security');
    try {
      expect(await seen()).toEqual([{ org_id: a }, { org_id: b }]);
    } finally {
      await admin.query('alter table groups enable row level security');
    }
    expect(await seen()).toEqual([{ org_id: a }]);
  });

  test('the control: the role of workers sees both organizations', async () => {
    for (const table of tables) {
      const seen = await as({ role: 'system' }, (tx) =>
        tx.all<{ org: Id }>(sql`select distinct ${name(table.org)} as org from ${name(table.name)}`),
      );
      expect(
        seen.map((row) => row.org),
        table.name,
      ).toEqual(expect.arrayContaining([a, b]));
    }
  });
});

describe('without an organization', () => {
  test('a role without one sees nothing', async () => {
    const client = await t.pool.connect();
    try {
      await client.query(`begin; set local role turnout_app`);
      for (const table of tables) {
        expect((await client.query(`select from ${table.name}`)).rowCount, table.name).toBe(0);
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('a connection that entered no role sees nothing and writes nothing', async () => {
    const { rows } = await t.pool.query(`select rolsuper, rolbypassrls from pg_roles where rolname = current_user`);
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    for (const table of tables) {
      expect((await t.pool.query(`select from ${table.name}`)).rowCount, table.name).toBe(0);
      expect((await t.pool.query(`update ${table.name} set ${table.org} = ${table.org}`)).rowCount, table.name).toBe(0);
      const columns = table.columns.join(', ');
      const { rows: some } = await admin.query(`select ${columns} from ${table.name} limit 1`);
      const values = table.columns.map((_, i) => `$${i + 1}`).join(', ');
      const given = table.columns.map((column) => {
        const value = some[0][column];
        return value !== null && value.constructor === Object ? JSON.stringify(value) : value;
      });
      const insert = t.pool.query(`insert into ${table.name} (${columns}) values (${values})`, given);
      await expect(insert, table.name).rejects.toMatchObject({ code: REFUSED });
    }
  });

  test('the next transaction of a connection does not keep the role or the organization of the last', async () => {
    const client = await t.pool.connect();
    client.release();
    await asA((tx) => tx.all(sql`select 1`));
    const { rows } = await t.pool.query(
      `select current_user = session_user as itself, coalesce(current_setting('turnout.org', true), '') as org`,
    );
    expect(rows).toEqual([{ itself: true, org: '' }]);
  });
});

describe('what the role of requests can do', () => {
  test('neither role can bypass the policies, and the role of requests is a member of no other', async () => {
    const { rows } = await admin.query(`
      select rolname, rolsuper, rolbypassrls, rolcanlogin, rolinherit, rolcreaterole,
        exists (select from pg_auth_members m where m.member = r.oid) as member_of_another
      from pg_roles r where rolname in ('turnout_app', 'turnout_system') order by rolname`);
    const nothing = {
      rolsuper: false,
      rolbypassrls: false,
      rolcanlogin: false,
      rolinherit: false,
      rolcreaterole: false,
      member_of_another: false,
    };
    expect(rows).toEqual([
      { rolname: 'turnout_app', ...nothing },
      { rolname: 'turnout_system', ...nothing },
    ]);
  });

  test('every table of organizations has row-level security, forced on its owner too', async () => {
    const { rows } = await admin.query(
      `select relname from pg_class where relname = any($1) and relnamespace = 'public'::regnamespace
       and not (relrowsecurity and relforcerowsecurity)`,
      [tables.map((table) => table.name)],
    );
    expect(rows).toEqual([]);
  });

  test('of the tables without row-level security, it reads only the plans and writes none', async () => {
    const { rows } = await admin.query(`
      select c.relname as name, p as privilege from pg_class c, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) p
      where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
        and not c.relrowsecurity and has_table_privilege('turnout_app', c.oid, p)
        and has_schema_privilege('turnout_app', c.relnamespace, 'usage')`);
    expect(rows).toEqual([{ name: 'plans', privilege: 'SELECT' }]);
  });

  test('it can truncate no table, because row-level security does not apply to that', async () => {
    for (const table of tables) {
      expect(await asA((tx) => attempt(tx, sql`truncate ${name(table.name)}`)), table.name).toBe(REFUSED);
    }
  });

  test('it cannot read a partition directly, because partitions have no policy', async () => {
    const { rows } = await admin.query<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const partition of rows) {
      expect(await asA((tx) => attempt(tx, sql`select from ${name(partition.name)}`)), partition.name).toBe(REFUSED);
    }
  });

  test('functions that read across organizations can be called only by the login role, and fix their search path', async () => {
    const { rows } = await admin.query(
      `select p.proname as name, pg_get_userbyid(p.proowner) as owner, p.prosecdef as definer,
         array_to_string(p.proconfig, ';') as config, has_function_privilege('turnout_app', p.oid, 'execute') as by_app,
         exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) x where x.grantee = 0) as by_public,
         has_function_privilege('turnout', p.oid, 'execute') as by_login
       from pg_proc p where p.pronamespace = 'directory'::regnamespace order by 1`,
    );
    expect(rows.map((row) => row.name)).toEqual(expect.arrayContaining(['find_keys', 'find_session', 'find_device']));
    for (const row of rows) {
      expect(row).toEqual({
        name: row.name,
        owner: 'turnout_system',
        definer: true,
        config: expect.stringMatching(/^search_path=public, pg_temp(;plan_cache_mode=force_generic_plan)?$/),
        by_app: false,
        by_public: false,
        by_login: true,
      });
    }
    const asked = await asA((tx) => attempt(tx, sql`select directory.find_device('\\x00')`));
    expect(asked).toBe(REFUSED);
  });

  test('only functions in the schema directory run with more rights than their caller', async () => {
    const { rows } = await admin.query(
      `select p.oid::regprocedure::text as name from pg_proc p where p.prosecdef and p.pronamespace not in
         ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'directory'::regnamespace)
       and has_function_privilege('turnout_app', p.oid, 'execute')
       and has_schema_privilege('turnout_app', p.pronamespace, 'usage')`,
    );
    expect(rows).toEqual([]);
  });

  test('what it does not guarantee: SQL of a caller could leave the role, so there is no such SQL', async () => {
    const seen = await asA(async (tx) => {
      await tx.run(sql`select set_config('role', 'turnout_system', true)`);
      return tx.all<{ id: Id }>(sql`select id from organizations`);
    });
    expect(seen.map((row) => row.id)).toEqual(expect.arrayContaining([a, b]));
  });
});

describe('the start is refused', () => {
  test('if a table of organizations has no row-level security, or does not force it', async () => {
    const { url, adminUrl } = t.database;
    await expect(migrate(url)).resolves.toEqual([]);
    await runSql(adminUrl, `create table forgotten (org_id uuid not null, id uuid primary key)`);
    try {
      const refused = {
        message:
          'Row-level security is off on: forgotten. A migration has to call make_tenant_table for each of these tables.',
      };
      await expect(migrate(url)).rejects.toThrow(DatabaseRefused);
      await expect(migrate(url)).rejects.toMatchObject(refused);
      await runSql(adminUrl, `alter table forgotten enable row level security`);
      await expect(migrate(url)).rejects.toMatchObject(refused);
      await runSql(adminUrl, `alter table forgotten force row level security`);
      await expect(migrate(url)).resolves.toEqual([]);
    } finally {
      await runSql(adminUrl, `drop table forgotten`);
    }
  });

  describe('if the role of requests could bypass it', () => {
    // Roles belong to the whole cluster, and other test files start servers on the shared one, so this has a cluster of its own.
    let cluster: Embedded;
    let superuser: string;
    const folder = mkdtempSync(join(tmpdir(), 'turnout-roles-'));
    beforeAll(async () => {
      cluster = await startEmbedded({ dataDir: folder, settings: { fsync: 'off', synchronous_commit: 'off' } });
      superuser = cluster.adminUrl.replace(/\/postgres(?=\?|$)/, '/turnout');
      await migrate(cluster.url);
    });
    afterAll(async () => {
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each([
      ['bypasses row-level security', 'alter role turnout_app bypassrls', 'alter role turnout_app nobypassrls'],
      ['is a superuser', 'alter role turnout_app superuser', 'alter role turnout_app nosuperuser'],
      [
        'may enter the role of workers',
        'grant turnout_system to turnout_app',
        'revoke turnout_system from turnout_app',
      ],
      [
        'may enter the owner of the tables',
        'create role keeper; alter table organizations owner to keeper; grant keeper to turnout_app',
        'revoke keeper from turnout_app; alter table organizations owner to turnout; drop role keeper',
      ],
    ])('%s', async (_what, open, close) => {
      await expect(migrate(cluster.url)).resolves.toEqual([]);
      await runSql(superuser, open);
      const started = migrate(cluster.url);
      await expect(started).rejects.toThrow(DatabaseRefused);
      await expect(started).rejects.toThrow(/turnout_app/);
      await runSql(superuser, close);
      await expect(migrate(cluster.url)).resolves.toEqual([]);
    });
  });
});
