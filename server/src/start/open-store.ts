import { randomBytes } from 'node:crypto';
import { closeSandbox, isSandboxFresh, isSandboxOpen, refreshSandbox } from '../areas/sandbox/index.ts';
import type { Clock } from '../clock.ts';
import { Secrets } from '../common/secrets.ts';
import { type Config, ConfigError, masterSecret, SANDBOX_ON } from '../config.ts';
import { startEmbedded } from '../embedded/index.ts';
import { migrate } from '../store/migrate.ts';
import { openPool, type Pool } from '../store/pool.ts';
import { requirePreparedStatements } from '../store/pooler.ts';
import { Replica } from '../store/replica.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction } from '../store/tx.ts';
import type { Stops } from './startup.ts';

export interface Store {
  pool: Pool;
  secrets: Secrets;
  /** The address of the database itself, around a connection pooler. */
  directUrl: string;
  /** A standby from which jobs read. */
  replica: Replica | null;
}

/** Starts the embedded database if there is no other, migrates, and checks that the secret key belongs to the database. */
export async function openStore(
  config: Config,
  clock: Clock,
  progress: (line: string) => void,
  stops: Stops,
): Promise<Store> {
  const { url, directUrl } = await findDatabase(config, progress, stops);
  await migrate(directUrl, progress);
  const pool = openPool({
    url,
    max: config.poolSize,
    ...(!config.roles.includes('api') && { name: 'turnout-worker', asksForCallers: true }),
  });
  stops.push(() => pool.end());
  if (url !== directUrl) await requirePreparedStatements(pool);
  const secrets = new Secrets(masterSecret(config, () => randomBytes(32)));
  await requireSameSecret(pool, clock, secrets);
  if (config.roles.includes('api')) await openOrCloseSandbox(config, pool, clock, progress);
  const replica = replicaOf(config);
  if (replica !== null) stops.push(() => replica.pool.end());
  return { pool, secrets, directUrl, replica };
}

/** It need not be there at the start, or later: then the primary is read. */
const replicaOf = ({ databaseReplicaUrl: url, poolSize }: Config): Replica | null =>
  url === null ? null : new Replica(url, poolSize);

async function findDatabase(config: Config, progress: (line: string) => void, stops: Stops) {
  const { databaseUrl, databaseDirectUrl, dataDir } = config;
  if (databaseUrl !== null) return { url: databaseUrl, directUrl: databaseDirectUrl ?? databaseUrl };
  const embedded = await startEmbedded({ dataDir, progress });
  stops.push(() => embedded.stop());
  return { url: embedded.url, directUrl: embedded.url };
}

/** Two processes with different secret keys could not read what the other one encrypted, so the second one must not start. */
async function requireSameSecret(pool: Pool, clock: Clock, secrets: Secrets): Promise<void> {
  const mark = secrets.sign('installation');
  const row = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.one<{ secret_check: Buffer }>(sql`
      insert into installation (sole, secret_check) values (true, ${mark})
      on conflict (sole) do update set secret_check = coalesce(installation.secret_check, excluded.secret_check)
      returning secret_check`),
  );
  if (!row.secret_check.equals(mark)) {
    throw new ConfigError(
      'This database belongs to another secret key. Set SECRET_KEY to the key that it was first started with (data/secret.key of that installation).',
    );
  }
}

/** Only the role that answers calls does this. A worker may be started without HOST and would not know better. */
async function openOrCloseSandbox(
  config: Config,
  pool: Pool,
  clock: Clock,
  progress: (line: string) => void,
): Promise<void> {
  if (config.sandbox) return seedSandbox(pool, clock, progress);
  if (config.sandboxOffBecause !== null) {
    progress(`the sandbox is off, because ${config.sandboxOffBecause}. ${SANDBOX_ON}`);
  }
  if (await closeSandbox(pool, clock)) progress('the sandbox of an earlier start was emptied and its key revoked');
}

async function seedSandbox(pool: Pool, clock: Clock, progress: (line: string) => void): Promise<void> {
  if ((await isSandboxFresh(pool, clock)) && (await isSandboxOpen(pool, clock))) return;
  progress('filling the sandbox organization');
  await refreshSandbox(pool, clock, true);
}
