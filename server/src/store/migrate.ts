import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PLANS } from '@turnout/contract';
import type pg from 'pg';
import { MINUTE } from '../clock.ts';
import { sha256 } from '../common/sha256.ts';
import { buildIndexes, isConcurrent } from './concurrent-indexes.ts';
import { DatabaseRefused } from './database-refused.ts';
import { connectOnce } from './hosts.ts';
import type { Migration } from './migration.ts';
import { requireDirect } from './pooler.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

export const migrations = (): Migration[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, FOLDER), 'utf8');
      return { name: file, text, checksum: sha256(text) };
    });

/** An arbitrary number of ours. Two processes that start at the same time migrate one after the other. */
const LOCK = 7_261_530;

export async function migrate(url: string, progress: (line: string) => void = () => {}): Promise<string[]> {
  const client = await connectOnce(url, { application_name: 'turnout-migrate', connectionTimeoutMillis: 15_000 });
  try {
    await requireVersion(client);
    await requireDirect(client, url);
    await takeLock(client, progress);
    await makeRoles(client);
    const applied = await applyPending(client, progress);
    await client.query('select keep_partitions(now())');
    await seedPlans(client);
    await requireGuardedRoles(client);
    return applied;
  } finally {
    await client.end();
  }
}

/** How long another process may migrate before whoever waits for it gives up. */
const LOCK_WAIT_MS = 15 * MINUTE;
const QUIET_MS = 2000;

/** Takes the lock of the session, and says for whom it waits. */
async function takeLock(client: pg.Client, progress: (line: string) => void): Promise<void> {
  const began = performance.now();
  for (let isTold = false; ; await sleep(250)) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (rows[0]?.mine === true) return;
    const waited = performance.now() - began;
    if (waited > LOCK_WAIT_MS)
      throw new DatabaseRefused(
        `Another process has been migrating this database for ${LOCK_WAIT_MS / MINUTE} minutes (${await holder(client)}). If it hangs, end it and start again.`,
      );
    if (isTold || waited < QUIET_MS) continue;
    isTold = true;
    progress(`waiting for another process that migrates the database (${await holder(client)})`);
  }
}

async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; address: string }>(
    `select a.pid, coalesce(host(a.client_addr), 'a local socket') as address from pg_locks l join pg_stat_activity a using (pid)
     where l.locktype = 'advisory' and l.granted and l.classid = 0 and l.objid = $1`,
    [LOCK],
  );
  return rows[0] === undefined ? 'it has just ended' : `its session is ${rows[0].pid}, from ${rows[0].address}`;
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query('show server_version_num');
  if (Number(rows[0].server_version_num) < 150_000) {
    throw new DatabaseRefused('Turnout needs PostgreSQL 15 or newer, and DATABASE_URL points to an older one.');
  }
}

async function makeRoles(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select r.rolname, pg_has_role(current_user, r.oid, 'member') as mine from pg_roles r
     where r.rolname in ('turnout_app', 'turnout_system')`,
  );
  const found = new Map<string, boolean>(rows.map((row) => [row.rolname, row.mine]));
  const modern = Number((await client.query('show server_version_num')).rows[0].server_version_num) >= 160_000;
  for (const role of ['turnout_app', 'turnout_system']) {
    try {
      if (!found.has(role)) await client.query(`create role ${role} nologin nosuperuser nobypassrls noinherit`);
      // The login enters the roles and does not inherit them: without `set role` it sees no row of any organization.
      if (!found.has(role) || !found.get(role)) {
        await client.query(`grant ${role} to current_user${modern ? ' with inherit false, set true' : ''}`);
      }
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === '42710' || code === '23505') continue; // another Turnout on this server has just created it
      throw new DatabaseRefused(
        `The database user is not allowed to create roles (${(error as Error).message}). Run this as a superuser: ` +
          'create role turnout_app nologin noinherit; create role turnout_system nologin noinherit; ' +
          'grant turnout_app, turnout_system to <user>;',
      );
    }
  }
}

/**
 * Checksums of other texts under which a migration was released. In one build 0004 made the webhook tables without leases, and 0009
 * added them. Both ways lead to the same schema.
 */
const ALSO_RELEASED: Record<string, string> = {
  '0004_webhooks.sql': '3dc8741653fdcf5b4ecf8653c4bdcc0cb20142f4de21d24de49c7be5aea63f8f',
  '0009_endpoint_leases.sql': 'd0204d73173dd8a4fb879b3c0726dbcd25a16cde6a255caf29f208898faf2f56',
};

const changedMessage = (name: string): string =>
  `The migration ${name} differs from the one that was applied to this database, and an applied migration must not change. ` +
  'Restore the file (git checkout, or install the release again) and put the change into a new migration with the next number. ' +
  'If the migration is your own and not released yet, start with an empty database (another DATA_DIR or DATABASE_URL) instead.';

/** Applies the migrations that this database does not have yet, and returns their names. */
export async function applyPending(
  client: pg.Client,
  progress: (line: string) => void,
  ours: readonly Migration[] = migrations(),
): Promise<string[]> {
  await client.query(
    `create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query('select name, checksum from migrations order by name');
  const applied: string[] = [];
  for (const migration of pending(rows, ours)) {
    progress(`migrating the database: ${migration.name}`);
    // Whoever builds an index concurrently waits for others and lets nobody wait, so that has no limit.
    if (isConcurrent(migration)) await buildIndexes(client, migration);
    else await withLocks(() => apply(client, migration), migration.name, progress);
    applied.push(migration.name);
  }
  return applied;
}

/** The migrations that a database with these rows does not have yet. It refuses one that another build has made. */
export function pending(
  rows: readonly { name: string; checksum: string }[],
  ours: readonly Migration[] = migrations(),
): Migration[] {
  const known = new Map(ours.map((migration) => [migration.name, migration]));
  for (const row of rows) {
    const migration = known.get(row.name);
    if (migration === undefined) {
      throw new DatabaseRefused(
        `The database has a newer schema (${row.name}) than this build of Turnout. Start the newer build, or restore a backup from before the upgrade.`,
      );
    }
    if (row.checksum !== migration.checksum && row.checksum !== ALSO_RELEASED[row.name]) {
      throw new DatabaseRefused(changedMessage(row.name));
    }
  }
  const done = new Set(rows.map((row) => row.name));
  return ours.filter(({ name }) => !done.has(name));
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
    await client.query(text);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * How long a migration waits for a lock. Whoever asks for the same table meanwhile waits behind it, so it gives up soon and comes back
 * later, while the processes of the build before go on answering.
 */
const LOCK_TIMEOUT_MS = 1000;
const LOCK_TRIES = 60;
const LOCK_NOT_AVAILABLE = '55P03';

async function withLocks(work: () => Promise<void>, name: string, progress: (line: string) => void): Promise<void> {
  for (let left = LOCK_TRIES - 1; ; left -= 1) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      if (left === 0)
        throw new DatabaseRefused(
          `${name} could not get the locks that it needs in ${LOCK_TRIES} tries: a long transaction holds them. End it (pg_stat_activity shows it) and start again.`,
        );
      if (left === LOCK_TRIES - 1) progress(`${name} waits for locks that others hold`);
      await sleep(2 * LOCK_TIMEOUT_MS);
    }
  }
}

/** Plans are rows. If this build has other values for a plan than the database, it writes them here. */
async function seedPlans(client: pg.Client): Promise<void> {
  for (const [rank, plan] of PLANS.entries()) {
    await client.query(
      `insert into plans (code, rank, name, entitlements, limits) values ($1, $2, $3, $4, $5)
       on conflict (code) do update set rank = excluded.rank, name = excluded.name,
         entitlements = excluded.entitlements, limits = excluded.limits
       where (plans.rank, plans.name, plans.entitlements, plans.limits) is distinct from
         (excluded.rank, excluded.name, excluded.entitlements, excluded.limits)`,
      [plan.code, rank, plan.name, [...plan.entitlements], JSON.stringify(plan.limits)],
    );
  }
}

/**
 * Refuses to start if turnout_app could bypass row-level security, or if a table of an organization has none: nothing else in the
 * database keeps organizations apart (docs/internals/architecture.md).
 */
export async function requireGuardedRoles(client: pg.Client): Promise<void> {
  const { rows: roles } = await client.query(
    `select r.rolname from pg_roles r
     where r.rolname = 'turnout_app' and (r.rolsuper or r.rolbypassrls
       or pg_has_role('turnout_app', 'turnout_system', 'member')
       or exists (select from pg_class c where c.relowner <> r.oid and c.relname = 'organizations'
                  and pg_has_role('turnout_app', c.relowner, 'member')))`,
  );
  if (roles.length > 0) {
    throw new DatabaseRefused(
      'The role turnout_app can bypass row-level security. Take SUPERUSER, BYPASSRLS and its memberships in other roles away from it.',
    );
  }
  const { rows: open } = await client.query(
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition
       and not (c.relrowsecurity and c.relforcerowsecurity) and c.relname not like 'staging\\_%'`,
  );
  if (open.length > 0) {
    throw new DatabaseRefused(
      `Row-level security is off on: ${open.map((row) => row.relname).join(', ')}. ` +
        'A migration has to call make_tenant_table for each of these tables.',
    );
  }
}
