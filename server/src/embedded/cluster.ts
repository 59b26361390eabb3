import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Binaries, MAJOR, type Say } from './binaries.ts';
import { codeOf, EmbeddedError, noSpace } from './error.ts';
import { commandAs, dataArgument, giveTo, giveTreeTo, type Identity, identityForInit } from './identity.ts';
import { type Ran, run } from './process.ts';
import { ACCESS } from './settings.ts';

export const clusterOf = (dataDir: string) => join(dataDir, 'postgres');
export const logOf = (dataDir: string) => join(dataDir, 'postgres.log');
const DRAFT = 'postgres.new-';

/**
 * A name that all processes of a cluster show. It is made from PostgreSQL's identifier of the cluster and the folder's inode: a
 * copy of the folder has the same identifier but another inode.
 */
export async function tagOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster);
  const control = await open(join(cluster, 'global', 'pg_control')).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new EmbeddedError(`${cluster} is damaged (no global/pg_control). Restore it, or set another DATA_DIR.`);
  });
  try {
    // The file begins with the 64-bit system identifier.
    const { buffer } = await control.read(Buffer.alloc(8), 0, 8, 0);
    const hash = createHash('sha256').update(`${dev}/${ino}/${buffer.toString('hex')}`);
    return `turnout-${hash.digest('hex').slice(0, 16)}`;
  } finally {
    await control.close();
  }
}

/** True if there is a cluster of our version, false if there is none. Throws if something else is there. */
export async function clusterExists(dataDir: string): Promise<boolean> {
  const cluster = clusterOf(dataDir);
  const major = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (major === null) {
    const names = await readdir(cluster).catch((error) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    });
    if (names.length === 0) return false;
    throw new EmbeddedError(`${cluster} holds no PostgreSQL data. Move it away, or set DATA_DIR or DATABASE_URL.`);
  }
  if (major.trim() !== MAJOR) {
    throw new EmbeddedError(
      `${cluster} was made by PostgreSQL ${major.trim()}, this Turnout runs ${MAJOR}. Serve it with its own version through DATABASE_URL, or set another DATA_DIR.`,
    );
  }
  return true;
}

/** Removes what a killed start left behind. Its initdb ends by itself, because the pipe that it writes to is gone. */
export async function removeDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT)) continue;
    await rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** The cluster is made in another folder and renamed when it is complete, so that `postgres/` is complete or does not exist. */
export async function createCluster(dataDir: string, { identity, initdb }: Binaries, say: Say): Promise<void> {
  say('creating the database cluster …');
  let maker = await identityForInit(identity);
  let unnamed = false;
  // Texts are compared by code point everywhere (the builtin provider). The ctype matters only to pg_trgm, which asks libc what a
  // letter is: with C it drops the ü of Zürich.
  const ctypes = ['C.UTF-8', 'en_US.UTF-8', 'C'];
  let ran: Ran;
  for (;;) {
    const draft = join(dataDir, DRAFT + randomUUID().slice(0, 8));
    await mkdir(draft, { mode: 0o700 });
    await giveTo(maker, draft);
    ran = await runInitdb(maker, initdb, draft, ctypes[0] ?? 'C');
    if (ran.ok) return finish(draft, clusterOf(dataDir), maker, identity);
    await rm(draft, { recursive: true, force: true });
    if (ran.output.includes('invalid locale name') && ctypes.length > 1) {
      ctypes.shift();
    } else if (ran.output.includes('could not look up effective user ID') && maker.kind === 'self') {
      unnamed = true;
      maker = { kind: 'map' };
    } else break;
  }
  if (unnamed) {
    throw new EmbeddedError(
      `PostgreSQL needs a name for user ${process.getuid?.()}, and the system has none. Add the user to /etc/passwd, or set DATABASE_URL.`,
    );
  }
  if (/No space left|disk quota/i.test(ran.output)) throw noSpace(dataDir);
  const why = /(?:FATAL|PANIC|error): +(.*)/.exec(ran.output)?.[1] ?? ran.output.split('\n').at(-1);
  throw new EmbeddedError(
    `The database cluster could not be created in ${dataDir} (${why}). Set DATA_DIR to another place, or set DATABASE_URL.`,
  );
}

function runInitdb(maker: Identity, initdb: string, draft: string, ctype: string): Promise<Ran> {
  const { file, args, options } = commandAs(
    maker,
    initdb,
    [
      `--pgdata=${dataArgument(maker, draft)}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C',
      `--lc-ctype=${ctype}`,
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ],
    draft,
  );
  return run(file, args, options, 180_000);
}

async function finish(draft: string, cluster: string, maker: Identity, identity: Identity): Promise<void> {
  await place(draft, 'pg_hba.conf', ACCESS, identity);
  if (JSON.stringify(maker) !== JSON.stringify(identity)) await giveTreeTo(identity, draft);
  await rename(draft, cluster);
  const parent = await open(dirname(cluster));
  await parent.sync().finally(() => parent.close());
}

/** Sets the owner and mode that PostgreSQL demands, which a restored backup has often lost, and writes our configuration. */
export async function settleCluster(cluster: string, identity: Identity, text: string): Promise<void> {
  if (identity.kind === 'drop' && (await stat(cluster)).uid !== identity.uid) await giveTreeTo(identity, cluster);
  await chmod(cluster, 0o700);
  if ((await readConfiguration(cluster)) === text) return;
  await place(cluster, 'postgresql.conf', text, identity);
}

/**
 * Writes a file completely or not at all. As root it never follows a symbolic link that the owner of the folder may have put there.
 */
async function place(dir: string, name: string, text: string, identity: Identity): Promise<void> {
  const draft = join(dir, `${name}.${randomUUID()}`);
  await writeFile(draft, text, { flag: 'wx', mode: 0o600 });
  await giveTo(identity, draft);
  await rename(draft, join(dir, name));
}

export function readConfiguration(cluster: string): Promise<string | null> {
  return readFile(join(cluster, 'postgresql.conf'), 'utf8').catch(() => null);
}
