import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { codeOf } from './error.ts';
import { giveTo, type Identity } from './identity.ts';

const FILE = '.s.PGSQL.5432';
const PREFIX = 'turnout-pg-';
// sun_path has 108 bytes on Linux and 104 on macOS, including the terminating zero.
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** The folder of the socket. `option` is what PostgreSQL gets as -k: "." is the cluster itself, however long its path is. */
export interface SocketDir {
  option: string;
  path: string;
}

export function socketDirFrom(option: string, cluster: string): SocketDir {
  return { option, path: isAbsolute(option) ? option : resolve(cluster, option) };
}

/**
 * The socket lies in the cluster's own folder: it has mode 0700, and a command line beside the server finds it even under systemd's
 * PrivateTmp. It lies in a temporary folder if clients could not use it there: if the path is too long, if it contains a
 * comma, at which libpq would split it, or if the disk supports no sockets (shared folders of virtual machines).
 */
export async function chooseSocketDir(cluster: string, identity: Identity): Promise<SocketDir> {
  const fits = Buffer.byteLength(join(cluster, FILE)) <= MAX_PATH_BYTES && !cluster.includes(',');
  if (fits && (await keepsSockets(cluster))) return { option: '.', path: cluster };
  const path = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(path, 0o700);
  await giveTo(identity, path);
  return { option: path, path };
}

/** Makes the folder again if something that cleans /tmp has removed it: the address that was given out must stay valid. */
export async function ensureSocketDir({ option }: SocketDir, identity: Identity): Promise<void> {
  if (!isAbsolute(option)) return;
  try {
    await mkdir(option, { mode: 0o700 });
    await giveTo(identity, option);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function keepsSockets(dir: string): Promise<boolean> {
  // Not longer than PostgreSQL's own name, so that it fits wherever that one does.
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

/** Whether a server runs, also if its pid cannot be seen from here, because it runs in another container with the same volume. */
export const socketAnswers = (dir: SocketDir) => answers(join(dir.path, FILE));

export async function removeSocketDir({ option }: SocketDir): Promise<void> {
  if (isAbsolute(option) && basename(option).startsWith(PREFIX)) await rm(option, { recursive: true, force: true });
}

export interface Urls {
  url: string;
  adminUrl: string;
}

export function urlsOf({ path }: SocketDir): Urls {
  // The folder as an encoded host, which pg, libpq and `new URL` all understand. `new URL` refuses the form with an empty host.
  const url = (role: string, database: string) => `postgres://${role}@${encodeURIComponent(path)}/${database}`;
  return { url: url('turnout', 'turnout'), adminUrl: url('postgres', 'postgres') };
}
