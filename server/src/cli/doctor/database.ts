import { DatabaseRefused } from '../../store/database-refused.ts';
import { pending, requireGuardedRoles } from '../../store/migrate.ts';
import { openPool } from '../../store/pool.ts';
import { requireDirect, requirePreparedStatements } from '../../store/pooler.ts';
import { Replica } from '../../store/replica.ts';
import type { Check } from './check.ts';
import type { OwnContext } from './context.ts';
import type { Database, Server } from './open.ts';
import { count, failed, NotChecked, ok, type Verdict, warning } from './verdict.ts';

const OLDEST = 150_000;
const LIMIT_MS = 12_000;
const PAGE = 'docs/operating/database.md';

/** Several servers are told one by one: whoever reads this wants to know which of them is which. */
const reachable: Check = {
  name: 'database',
  group: 'database',
  limitMs: 13_000,
  run: async (context) => {
    const { servers, database, fault } = await (context as OwnContext).opened();
    if (servers.length === 0)
      return failed(
        `The database cannot be used: ${fault}.`.replace('..', '.'),
        'Start Turnout once, or set DATA_DIR or DATABASE_URL as for the server.',
      );
    if (servers.length > 1) return [...servers.map((one) => ofSeveral(one, servers)), ofAll(servers)];
    const [server] = servers as [Server];
    if (server.fault === null && database === null)
      return failed(
        `DATABASE_DIRECT_URL cannot be reached: ${fault}.`,
        'Set it to the address of PostgreSQL itself, or leave it out if there is no pooler.',
      );
    return ofOne(server);
  },
};

function ofOne(server: Server): Verdict {
  if (server.fault !== null)
    return failed(
      `The database cannot be reached: ${server.fault}.`,
      `Check DATABASE_URL, and that PostgreSQL runs (${PAGE}).`,
    );
  return (
    tooOld(server) ??
    (server.takesWrites
      ? ok(`PostgreSQL ${server.version} answers and takes writes.`)
      : failed(
          `PostgreSQL ${server.version} answers and takes no writes: it is a standby, or read-only.`,
          'Name the primary in DATABASE_URL, beside this one if it may take over.',
        ))
  );
}

const tooOld = ({ name, version, versionNumber }: Server): Verdict | null =>
  versionNumber >= OLDEST ? null : failed(`${name} is PostgreSQL ${version}.`, 'Turnout needs PostgreSQL 15 or newer.');

function ofSeveral(server: Server, all: readonly Server[]): Verdict {
  const check = `database ${server.name}`;
  const isServed = all.some((one) => one.takesWrites);
  if (server.fault !== null) {
    const verdict = isServed ? warning : failed;
    return {
      ...verdict(`It cannot be reached: ${server.fault}.`, 'Nothing takes over from the others until it is back.'),
      check,
    };
  }
  const role = server.takesWrites ? 'It takes writes.' : 'It takes no writes and can take over.';
  return { ...(tooOld(server) ?? ok(`PostgreSQL ${server.version}. ${role}`)), check };
}

function ofAll(servers: readonly Server[]): Verdict {
  const primaries = servers.filter((one) => one.takesWrites);
  const names = primaries.map((one) => one.name).join(' and ');
  if (primaries.length === 1) return ok(`Of ${servers.length} servers, ${names} takes writes.`);
  if (primaries.length === 0)
    return failed(
      `None of ${servers.length} servers takes writes.`,
      'Promote one of them, and look why the one before is gone.',
    );
  return failed(
    `${names} take writes. Each process uses the one that it finds first, so people would be registered in both.`,
    'Stop Turnout and all but one of them at once, and make the others standbys of it.',
  );
}

const login: Check = {
  name: 'login',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { query, server } = await database();
    const [row] = await query<{
      name: string;
      super: boolean;
      bypasses: boolean;
      inherits: boolean;
      timeout: boolean;
    }>(`
      select rolname as name, rolsuper as super, rolbypassrls as bypasses, rolinherit as inherits,
        exists (select from pg_db_role_setting s, unnest(s.setconfig) c where c like 'statement_timeout=%' and c <> 'statement_timeout=0'
          and s.setrole in (0, r.oid) and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))) as timeout
      from pg_roles r where rolname = current_user`);
    const { name, super: isSuper, bypasses, inherits, timeout } = row!;
    if (isSuper || bypasses)
      return failed(
        `The login ${name} ${isSuper ? 'is a superuser' : 'has bypassrls'}, so nothing in the database keeps organizations apart.`,
        `Take it away: alter role "${name}" nosuperuser nobypassrls; or make another login (${PAGE}).`,
      );
    if (timeout)
      return warning(
        `A statement_timeout is set for the login ${name} or the database. It would stop migrations.`,
        `alter role "${name}" reset statement_timeout; and the same for the database.`,
      );
    if (server.versionNumber < 160_000 && inherits)
      return warning(
        `On PostgreSQL 15 the login ${name} inherits its roles, so it sees every organization without entering one.`,
        `Make a login with noinherit (${PAGE}).`,
      );
    return ok(`The login ${name} is neither a superuser nor above row-level security.`);
  },
};

const ROLES = ['turnout_app', 'turnout_system'];

const roles: Check = {
  name: 'roles',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { query } = await database();
    const rows = await query<{ name: string; faults: string[]; mine: boolean }>(
      `select rolname as name, pg_has_role(current_user, r.oid, 'member') as mine, array_remove(array[
        case when rolsuper then 'superuser' end, case when rolbypassrls then 'bypassrls' end, case when rolcanlogin then 'login' end,
        case when exists (select from pg_auth_members m where m.member = r.oid) then 'a member of other roles' end], null) as faults
       from pg_roles r where rolname = any($1) order by rolname`,
      [ROLES],
    );
    const missing = ROLES.filter((name) => !rows.some((row) => row.name === name));
    if (missing.length > 0)
      return failed(
        `The role ${missing.join(' and ')} is missing.`,
        `The first start makes it if the login may create roles; otherwise see ${PAGE}.`,
      );
    const wrong = rows.filter(({ faults }) => faults.length > 0);
    if (wrong.length > 0)
      return failed(
        wrong.map(({ name, faults }) => `${name} has or is: ${faults.join(', ')}.`).join(' '),
        wrong
          .map(({ name }) => `alter role ${name} nologin nosuperuser nobypassrls; and revoke its memberships.`)
          .join(' '),
      );
    const foreign = rows.filter(({ mine }) => !mine).map(({ name }) => name);
    if (foreign.length > 0)
      return failed(
        `The login may not enter ${foreign.join(' and ')}.`,
        `grant ${foreign.join(', ')} to the login (${PAGE}).`,
      );
    return ok('turnout_app and turnout_system are without login, superuser, bypassrls and memberships.');
  },
};

const schema: Check = {
  name: 'schema',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { query } = await database();
    const [{ made }] = (await query<{ made: boolean }>(
      `select to_regclass('public.migrations') is not null as made`,
    )) as [{ made: boolean }];
    if (!made) return failed('The database is empty.', 'Start Turnout once, or run `turnout migrate`.');
    const rows = await query<{ name: string; checksum: string }>('select name, checksum from migrations order by name');
    try {
      const left = pending(rows);
      if (left.length === 0) return ok(`It is that of this version (${rows.at(-1)!.name}).`);
      return failed(
        `${count(left.length, 'migration')} of this version ${left.length === 1 ? 'is' : 'are'} missing, from ${left[0]!.name} on.`,
        'Start this version, or run `turnout migrate`.',
      );
    } catch (error) {
      if (error instanceof DatabaseRefused) return failed(firstSentence(error), restOf(error));
      throw error;
    }
  },
};

const rowSecurity: Check = {
  name: 'row-level security',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { alone } = await database();
    try {
      await alone(requireGuardedRoles);
      return ok('Every table of an organization has it.');
    } catch (error) {
      if (error instanceof DatabaseRefused) return failed(firstSentence(error), restOf(error));
      throw error;
    }
  },
};

const firstSentence = ({ message }: Error): string => /^.*?\.(?= [A-Z]|$)/s.exec(message)?.[0] ?? message;
const restOf = (error: Error): string =>
  error.message.slice(firstSentence(error).length).trim() || 'See the documentation.';

const pooler: Check = {
  name: 'pooler',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async ({ database, config }) => {
    const opened = await database();
    if (!opened.server.takesWrites) throw new NotChecked('no server of the database takes writes');
    const way = config.databaseDirectUrl === config.databaseUrl ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    try {
      await opened.alone((client) => requireDirect(client, opened.directUrl));
      if (opened.url !== opened.directUrl) await requirePrepared(opened);
    } catch (error) {
      if (error instanceof DatabaseRefused)
        return failed(
          `${way === 'DATABASE_URL' ? '' : `Not even ${way} is direct, or: `}${firstSentence(error)}`,
          restOf(error),
        );
      throw error;
    }
    if (opened.url !== opened.directUrl)
      return ok(
        'DATABASE_URL may go through a pooler: prepared statements work there, and DATABASE_DIRECT_URL has sessions of its own.',
      );
    return ok('None is in between.');
  },
};

async function requirePrepared({ url }: Database): Promise<void> {
  const pool = openPool({ url, max: 2, name: 'turnout-cli' });
  try {
    await requirePreparedStatements(pool);
  } finally {
    await pool.end();
  }
}

/** Says what is there. Whether it should be otherwise is for the operator to judge. */
const replication: Check = {
  name: 'replication',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async ({ database }) => {
    const { query, isEmbedded } = await database();
    if (isEmbedded)
      return ok('The embedded database has no standby. Its backups are what is left if this machine is lost.');
    const [row] = await query<{ standbys: number; seen: number; waits: string; commit: string }>(`
      select count(*)::int as standbys, count(state)::int as seen, current_setting('synchronous_standby_names') as waits,
        current_setting('synchronous_commit') as commit from pg_stat_replication where application_name is null or application_name !~ '^pg_basebackup'`);
    const { standbys, waits, commit } = row!;
    if (standbys === 0) return ok('No standby is connected.');
    const isSynchronous = waits !== '' && !['off', 'local'].includes(commit);
    return ok(
      isSynchronous
        ? `${count(standbys, 'standby connection')}; commits wait for ${waits}.`
        : `${count(standbys, 'standby connection')}; commits do not wait for them, so writes answered just before a failover may be lost.`,
    );
  },
};

/** Links that expire, signatures of webhooks and codes of authenticator apps compare the clocks of machines. */
const SKEWED_MS = 2_000;
const WRONG_MS = 30_000;
/** The header has whole seconds, and the answer has come through a proxy. */
const HEADER_MS = 1_500;

const clocks: Check = {
  name: 'clocks',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async (context) => {
    const { query } = await context.database();
    const began = context.clock.now().getTime();
    const [row] = await query<{ ms: number }>(`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`);
    const here = (began + context.clock.now().getTime()) / 2;
    const found = [{ what: 'this machine and the database', ms: row!.ms - here, tolerance: 0 }];
    const page = await context.ownPage().catch(() => null);
    if (page !== null && page.date !== null) {
      const ms = page.date.getTime() + 500 - page.at.getTime();
      found.push({ what: 'this machine and the answer of PUBLIC_URL', ms, tolerance: HEADER_MS });
      found.push({
        what: 'the database and the answer of PUBLIC_URL',
        ms: ms - (row!.ms - here),
        tolerance: HEADER_MS,
      });
    }
    const off = found
      .filter(({ ms, tolerance }) => Math.abs(ms) >= SKEWED_MS + tolerance)
      .map(({ what, ms }) => ({ ms, says: `${what} differ by ${(Math.abs(ms) / 1000).toFixed(1)} s` }));
    if (off.length === 0)
      return ok(
        `${found.length === 1 ? 'This machine and the database' : 'This machine, the database and PUBLIC_URL'} agree to within ${SKEWED_MS / 1000} s.`,
      );
    const verdict = off.some(({ ms }) => Math.abs(ms) >= WRONG_MS) ? failed : warning;
    return verdict(
      `The clocks of ${off.map(({ says }) => says).join('; those of ')}.`,
      'Let every machine follow a time server (NTP).',
    );
  },
};

/** How far behind a standby may be here, in milliseconds. An export waits a little longer before it reads the database itself. */
const STANDBY_MS = 6_000;

const standby: Check = {
  name: 'standby for exports',
  group: 'database',
  limitMs: LIMIT_MS,
  run: async (context) => {
    const { databaseReplicaUrl: url } = context.config;
    if (url === null) return ok('There is none, so exports read the database itself.');
    const primary = openPool({ url: (await context.database()).url, max: 1, name: 'turnout-cli' });
    const replica = new Replica(url, 1);
    try {
      if (await replica.shows(primary, STANDBY_MS)) return ok('It shows what was just committed.');
      return warning(
        'It cannot be reached, is far behind, or is no standby of this database. Exports read the database itself.',
        `Check DATABASE_REPLICA_URL, and that the standby replays (${PAGE}).`,
      );
    } finally {
      await Promise.all([primary.end(), replica.pool.end()]);
    }
  },
};

export const databaseChecks: readonly Check[] = [
  reachable,
  login,
  roles,
  schema,
  rowSecurity,
  pooler,
  replication,
  standby,
  clocks,
];
