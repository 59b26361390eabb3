import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Id } from '../../server/src/common/ids.ts';
import { openPool } from '../../server/src/store/pool.ts';
import type { Bench } from '../support.ts';

/**
 * pgbench, a client in C, writes the rows of one registration in one transaction, with prepared statements, to the same tables with
 * the same indexes: what somebody would write who needs no HTTP, no rules and no row-level security. The rows are copied from a
 * registration that our server has just made; only ids, codes and names differ from row to row.
 */
export type Way = 'pipelined' | 'plain';

export interface Peer {
  name: string;
  /** Registrations a second. */
  run(clients: number, way: Way, seconds: number): Promise<number>;
}

export interface PeerEvent {
  /** The database, as a superuser. */
  url: string;
  org: Id;
  event: Id;
  /** The registration that is copied. */
  registration: Id;
}

const FOLDERS = '/usr/lib/postgresql';

export function findPgbench(bench: Bench): string | null {
  const found = () => {
    if (spawnSync('pgbench', ['--version'], { stdio: 'ignore' }).status === 0) return 'pgbench';
    const versions = existsSync(FOLDERS) ? readdirSync(FOLDERS) : [];
    return versions.map((version) => join(FOLDERS, version, 'bin/pgbench')).find((path) => existsSync(path)) ?? null;
  };
  const there = found();
  if (there !== null || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return there;
  bench.say('installing pgbench (apt-get) …');
  // Without this, the package would make and start a database cluster of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', PG_CLUSTER_CONF_ROOT: '/nonexistent' };
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql-contrib'], {
    stdio: 'ignore',
    timeout: 120_000,
    env,
  });
  return found();
}

/** The columns that differ from row to row, as SQL with `:n`, the number of the registration. */
const ID = `lpad(to_hex(:n::bigint), 32, '0')::uuid`;
const NAME = `'Visitor ' || :n`;
const EMAIL = `'visitor' || :n || '@example.org'`;
const TABLES: { table: string; where: string; own: Record<string, string> }[] = [
  {
    table: 'contacts',
    where: 'id = (select contact_id from registrations where id = $1)',
    own: {
      id: ID,
      last_name: NAME,
      email: EMAIL,
      name_key: `'visitor ' || :n || ' ada'`,
      given_key: `'ada visitor ' || :n`,
      email_key: EMAIL,
    },
  },
  {
    table: 'registrations',
    where: 'id = $1',
    own: {
      id: ID,
      contact_id: ID,
      code: `lpad(:n::text, 10, 'P')`,
      last_name: NAME,
      email: EMAIL,
      email_key: EMAIL,
    },
  },
  {
    table: 'attendees',
    where: 'registration_id = $1',
    own: {
      id: ID,
      registration_id: ID,
      contact_id: ID,
      last_name: NAME,
      email: EMAIL,
      name_key: `'visitor ' || :n || ' ada'`,
      given_key: `'ada visitor ' || :n`,
      email_key: EMAIL,
    },
  },
  {
    table: 'tickets',
    where: 'registration_id = $1',
    own: { id: ID, registration_id: ID, code: `lpad(:n::text, 28, 'P')` },
  },
  {
    table: 'ticket_people',
    where: 'ticket_id = (select id from tickets where registration_id = $1)',
    own: { ticket_id: ID, attendee_id: ID },
  },
  { table: 'mails', where: 'object_id = $1', own: { id: ID, object_id: ID, recipient: EMAIL } },
  { table: 'audit_log', where: 'object_id = $1', own: { id: ID, object_id: ID } },
  {
    table: 'outbox',
    where: `data::json ->> 'id' = $2 or data::json ->> 'registration_id' = $2`,
    own: { id: 'OUTBOX' },
  },
  {
    table: 'idempotency',
    where: `body like ('%' || $2 || '%')::bytea and status = 201`,
    own: { key: `'peer-' || :n` },
  },
];
const STAMPS = new Set(['created_at', 'updated_at', 'issued_at', 'confirmed_at', 'at', 'next_attempt_at']);

export async function pgbenchPeer(bench: Bench, program: string, of: PeerEvent, ulid: string): Promise<Peer> {
  const pool = openPool({ url: of.url, max: 1, name: 'bench' });
  const writes: string[] = [];
  for (const { table, where, own } of TABLES) {
    const named = await pool.query<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum",
      [table],
    );
    const columns = named.rows.map(({ name }) => name);
    const { rows } = await pool.query<Record<string, string | null>>(
      `select ${columns.map((column) => `t.${column}::text`).join(', ')} from ${table} t
       where $1::uuid is not null and $2::text is not null and (${where})`,
      [of.registration, ulid],
    );
    if (rows.length !== (table === 'outbox' ? 3 : 1))
      throw new Error(`The peer found ${rows.length} rows of ${table} to copy.`);
    const values = rows.map((row, i) =>
      columns.map((column) => {
        if (own[column] !== undefined)
          return own[column].replace('OUTBOX', `lpad(to_hex(:n::bigint * 4 + ${i}), 32, '0')::uuid`);
        const value = row[column];
        if (value === null || value === undefined) return 'null';
        return STAMPS.has(column) ? 'now()' : literal(value);
      }),
    );
    writes.push(
      `insert into ${table} (${columns.join(', ')}) values ${values.map((one) => `(${one.join(', ')})`).join(', ')};`,
    );
  }
  await pool.end();
  // The clocks and places come last, so that their locks are held as shortly as possible. That order favours the peer: with the
  // clocks first it is a quarter slower. Our server must move the clock first, because its rows carry the stamp.
  const hot = [
    `update event_clocks set at = greatest(now(), at + interval '1 microsecond') where org_id = '${of.org}' and event_id = '${of.event}';`,
    `update org_clocks set at = greatest(now(), at + interval '1 microsecond') where org_id = '${of.org}';`,
    `update places set taken = taken + 1 where org_id = '${of.org}' and event_id = '${of.event}' and not test and taken < 1000000;`,
  ];
  const work = ['begin;', ...writes, ...hot, 'commit;'];
  const folder = bench.folder();
  const files: Record<Way, string> = { pipelined: join(folder, 'pipelined.sql'), plain: join(folder, 'plain.sql') };
  const numbers = ['\\set i :i + 1', '\\set n :base + :i * 100 + :client_id'];
  writeFileSync(files.plain, [...numbers, ...work, ''].join('\n'));
  writeFileSync(files.pipelined, [...numbers, '\\startpipeline', ...work, '\\endpipeline', ''].join('\n'));
  let runs = 0;
  return {
    name: 'pgbench',
    run: async (clients, way, seconds) => {
      runs += 1;
      const args = [
        '-n',
        '-M',
        'prepared',
        '-c',
        String(clients),
        '-j',
        String(Math.min(2, clients)),
        '-T',
        String(seconds),
      ];
      args.push('-f', files[way], '-D', 'i=0', '-D', `base=${runs * 10_000_000}`, of.url);
      const text = await output(bench, program, args, seconds);
      const [, tps] = /^tps = ([\d.]+)/m.exec(text) ?? [];
      const [, failed] = /number of failed transactions: (\d+)/.exec(text) ?? [];
      if (tps === undefined || (failed !== undefined && failed !== '0')) throw new Error(`pgbench: ${text}`);
      return Number(tps);
    },
  };
}

/** A value as SQL: bytes as hex. A colon before a word gets a space, because pgbench would take it for a variable. */
const literal = (value: string): string => `'${value.replaceAll("'", "''").replaceAll(/:(?=[a-z_])/gi, ': ')}'`;

function output(bench: Bench, program: string, args: string[], seconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: (seconds + 20) * 1000 });
    const text: Buffer[] = [];
    bench.later(() => child.kill('SIGKILL'));
    child.stdout!.on('data', (chunk: Buffer) => text.push(chunk));
    child.stderr!.on('data', (chunk: Buffer) => text.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const said = Buffer.concat(text).toString();
      if (code === 0) resolve(said);
      else reject(new Error(`pgbench ended (${signal ?? code}): ${said}`));
    });
  });
}
