import { randomBytes } from 'node:crypto';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { createKey, createOrganization, setPlan } from '../server/src/areas/access/index.ts';
import { systemClock } from '../server/src/clock.ts';
import type { Id } from '../server/src/common/ids.ts';
import { connectRunning, startEmbedded } from '../server/src/embedded/index.ts';
import { openPool, type Pool } from '../server/src/store/pool.ts';
import { type Tx, transaction } from '../server/src/store/tx.ts';
import { parentOf } from './cpu.ts';
import type { Bench } from './support.ts';

/** A real Turnout in a process of its own, on a real and durable PostgreSQL (fsync on). Both are ended and removed after the bench. */
export interface BenchTurnout {
  /** Its address, without `/v1`. */
  url: string;
  pid: number;
  /** The process id of PostgreSQL; null on systems without /proc. */
  databasePid: number | null;
  databaseUrl: string;
  /** The same database as a superuser, for peers, which do without row-level security. */
  adminUrl: string;
  pool: Pool;
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  org(code: string): Promise<{ id: Id; key: string }>;
}

export interface BenchTurnoutOptions {
  env?: Record<string, string>;
  /** As `npm start` runs it: the server owns its database and counts rates in memory. Otherwise as one of several, with DATABASE_URL. */
  embedded?: boolean;
  nodeOptions?: readonly string[];
  /** Where the data is and stays, for the next run. Otherwise it is in a new folder, which is removed after the bench. */
  dataDir?: string;
  /** PostgreSQL settings that replace ours, for example to load pg_stat_statements. Only where the bench starts PostgreSQL. */
  settings?: Record<string, string>;
}

export const POOL_SIZE = 20;

export async function startBenchTurnout(bench: Bench, options: BenchTurnoutOptions = {}): Promise<BenchTurnout> {
  const dataDir = options.dataDir ?? bench.folder();
  const env: Record<string, string> = {
    PORT: '0',
    DATA_DIR: dataDir,
    ROLES: 'api',
    LOG_LEVEL: 'warn',
    SANDBOX: 'off',
    // With data that stays, the secret stays beside it.
    ...(options.dataDir === undefined && { SECRET_KEY: randomBytes(32).toString('base64') }),
    DATABASE_POOL: String(POOL_SIZE),
    ...options.env,
  };
  let urls: { url: string; adminUrl: string } | null = null;
  if (options.embedded !== true) {
    const starting = startEmbedded({ dataDir, ...(options.settings && { settings: options.settings }) });
    // Added before it has started, because Ctrl-C may come meanwhile.
    bench.later(() =>
      starting.then(
        (started) => started.stop(),
        () => {},
      ),
    );
    const embedded = await starting;
    urls = { url: embedded.url, adminUrl: embedded.adminUrl };
    env.DATABASE_URL = embedded.url;
  }
  const { url, pid } = await bench.child<{ url: string }>('server.ts', env, [
    ...NODE_FLAGS,
    ...(options.nodeOptions ?? []),
  ]);
  urls ??= await connectRunning(dataDir);
  if (urls === null) throw new Error('The embedded PostgreSQL cannot be found.');
  const pool = openPool({ url: urls.url, max: 2, name: 'bench' });
  bench.later(() => pool.end());
  const system = <T>(work: (tx: Tx) => Promise<T>) => transaction(pool, systemClock, { role: 'system' }, work);
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  return {
    url,
    pid,
    databasePid: parentOf(rows[0]!.pid),
    databaseUrl: urls.url,
    adminUrl: urls.adminUrl.replace(/[^/]*$/, new URL(urls.url).pathname.slice(1)),
    pool,
    system,
    org: (code) => system((tx) => createBenchOrg(tx, code)),
  };
}

/** Makes an organization and a key whose limits no bench reaches. */
export async function createBenchOrg(tx: Tx, code: string): Promise<{ id: Id; key: string }> {
  const org = await createOrganization(tx, { code, name: `${code} events`, plan: 'scale' });
  await setPlan(tx, org, undefined, [
    ['api_rate_per_min', '999999999'],
    ['api_calls_monthly', '999999999999'],
  ]);
  const scopes = ['read', 'write', 'admin', 'scanner'];
  const key = await createKey(tx, org.id, { name: 'bench', mode: 'live', scopes, rpm: 999_999_999 });
  return { id: org.id, key: key.secret };
}

/** One call over HTTP. A refusal ends the bench. */
export async function call<T>(url: string, key: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(method === 'POST' && { 'idempotency-key': randomBytes(12).toString('hex') }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
