import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { codeOf } from './error.ts';
import { giveTo, type Identity } from './identity.ts';

const FILE = '.s.PGSQL.5432';
const PREFIX = 'turnout-pg-';
// sun_path holds 108 bytes on Linux, 104 on macOS, the closing zero included.
const LONGEST = process.platform === 'linux' ? 107 : 103;

/** Where the socket lies. `given` is what PostgreSQL is told: "." is the cluster itself, reachable however long its path. */
export interface SocketDir {
  given: string;
  path: string;
}

export function socketDirFrom(given: string, cluster: string): SocketDir {
  return { given, path: isAbsolute(given) ? given : resolve(cluster, given) };
}

/**
 * The cluster's own folder (0700, and a command line beside the server sees it even under systemd's PrivateTmp) unless a
 * client could not name it there: the path is too long, libpq would split it at a comma, or the disk keeps no sockets
 * (shared folders of virtual machines).
 */
export async function chooseSocketDir(cluster: string, identity: Identity): Promise<SocketDir> {
  const fits = Buffer.byteLength(join(cluster, FILE)) <= LONGEST && !cluster.includes(',');
  if (fits && (await keepsSockets(cluster))) return { given: '.', path: cluster };
  const path = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(path, 0o700);
  await giveTo(identity, path);
  return { given: path, path };
}

/** A cleaner of /tmp may have taken it in a long night, and the address that was given out must stay good. */
export async function ensureSocketDir({ given }: SocketDir, identity: Identity): Promise<void> {
  if (!isAbsolute(given)) return;
  try {
    await mkdir(given, { mode: 0o700 });
    await giveTo(identity, given);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function keepsSockets(dir: string): Promise<boolean> {
  // Short and fixed in length: the name must fit wherever PostgreSQL's own does.
  const path = join(dir, `.s.${randomUUID().slice(0, 8)}`);
  return new Promise((resolve) => {
    const server = createServer((peer) => peer.destroy());
    server.on('error', () => resolve(false));
    server.listen(path, async () => {
      const answered = await answers(path);
      server.close(() => resolve(answered));
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const peer = connect(path);
    const end = (answered: boolean) => {
      peer.destroy();
      resolve(answered);
    };
    peer.setTimeout(2000, () => end(false));
    peer.on('connect', () => end(true));
    peer.on('error', () => end(false));
  });
}

/** Tells a living server even where its pid cannot be seen, as from another container with the same volume. */
export const socketAnswers = (dir: SocketDir) => answers(join(dir.path, FILE));

export async function removeSocketDir({ given }: SocketDir): Promise<void> {
  if (isAbsolute(given) && basename(given).startsWith(PREFIX)) await rm(given, { recursive: true, force: true });
}

export interface Urls {
  url: string;
  adminUrl: string;
}

export function urlsOf({ path }: SocketDir): Urls {
  // The folder as an encoded host: read alike by pg, libpq and `new URL`, which refuses the form with an empty host.
  const url = (role: string, database: string) => `postgres://${role}@${encodeURIComponent(path)}/${database}`;
  return { url: url('turnout', 'turnout'), adminUrl: url('postgres', 'postgres') };
}
