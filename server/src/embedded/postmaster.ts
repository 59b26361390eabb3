import { closeSync, constants, fchownSync, lstatSync, openSync, readFileSync, renameSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Binaries, Say } from './binaries.ts';
import { logOf } from './cluster.ts';
import { codeOf, EmbeddedError, noSpace } from './error.ts';
import { commandAs, dataArgument, type Identity } from './identity.ts';
import { postgresAt, processesOf, signal, spawnSafely, startOf, until, waitUntilSettled } from './process.ts';
import { ensureSocketDir, type SocketDir, socketAnswers, socketDirFrom, urlsOf } from './socket.ts';

/** A running PostgreSQL server, from its start to its end. */
export interface Postmaster {
  pid: number;
  started: string;
  /** Resolves with the reason when the server has ended. Does not keep this process alive. */
  ended: Promise<string>;
}

export interface Place {
  dataDir: string;
  cluster: string;
  tag: string;
}

export const alive = (postmaster: { pid: number; started: string }) => startOf(postmaster.pid) === postmaster.started;

interface PidFile {
  pid: number;
  ready: boolean;
  socket: SocketDir | null;
}

async function readPidFile(cluster: string): Promise<PidFile | null> {
  try {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
    const ready = lines[7]?.trim() === 'ready';
    return { pid: Number(lines[0]), ready, socket: lines[4] ? socketDirFrom(lines[4], cluster) : null };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

export type PostmasterState =
  | { state: 'none'; socket: SocketDir | null }
  | { state: 'ours'; pid: number; socket: SocketDir }
  /** It answers, but its pid does not exist here: it runs in another container. */
  | { state: 'elsewhere'; socket: SocketDir };

/** Finds the server that runs this cluster. The pid file alone is not trusted: the process's tag and the socket decide. */
export async function findPostmaster({ dataDir, cluster, tag }: Place): Promise<PostmasterState> {
  let file = await readPidFile(cluster);
  if (!file) return { state: 'none', socket: null };
  await waitUntilSettled(file.pid);
  const holder = postgresAt(file.pid, tag);
  // Its Turnout was killed just after starting it, and it has not opened its socket yet.
  for (let i = 0; holder === 'ours' && file && !file.socket && i < 100; i++) {
    await sleep(50);
    file = await readPidFile(cluster);
  }
  if (!file) return { state: 'none', socket: null };
  if (holder === 'other') {
    throw new EmbeddedError(
      `${dataDir} is in use by a PostgreSQL that Turnout did not start (pid ${file.pid}). Stop it, or set DATABASE_URL.`,
    );
  }
  if (holder === 'ours' && file.socket) return { state: 'ours', pid: file.pid, socket: file.socket };
  if (file.socket && (await socketAnswers(file.socket))) return { state: 'elsewhere', socket: file.socket };
  return { state: 'none', socket: file.socket };
}

export function watch(pid: number, started: string): Postmaster {
  const ended = new Promise<string>((resolve) => {
    const timer = setInterval(() => {
      if (alive({ pid, started })) return;
      clearInterval(timer);
      resolve('gone');
    }, 500);
    timer.unref();
  });
  return { pid, started, ended };
}

const LOG_LIMIT = 16 * 1024 * 1024;

function openLog(path: string, identity: Identity): { fd: number; offset: number } {
  let offset = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (offset > LOG_LIMIT) {
    renameSync(path, `${path}.1`);
    offset = 0;
  }
  // Root gives the file to the owner of the folder, who can then start Turnout without root. O_NOFOLLOW, so that a link cannot make
  // root give away another file.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (identity.kind === 'drop') fchownSync(fd, identity.uid, identity.gid);
  return { fd, offset };
}

/** PostgreSQL runs in a session of its own: Ctrl-C at the terminal reaches only Turnout, which then stops PostgreSQL cleanly. */
function launch(place: Place, { identity, postgres }: Binaries, socket: SocketDir) {
  const log = openLog(logOf(place.dataDir), identity);
  try {
    const { file, args, options } = commandAs(
      identity,
      postgres,
      ['-D', dataArgument(identity, place.cluster), '-k', socket.option, '-c', `cluster_name=${place.tag}`],
      place.cluster,
    );
    const child = spawnSafely(file, args, { ...options, detached: true, stdio: ['ignore', log.fd, log.fd] });
    if (child instanceof Error) return { pid: undefined, ended: Promise.resolve(child.message), offset: log.offset };
    child.unref();
    const ended = new Promise<string>((resolve) => {
      child.on('error', (error) => resolve(error.message));
      child.on('exit', (code, name) => resolve(name ?? `exit ${code}`));
    });
    return { pid: child.pid, ended, offset: log.offset };
  } finally {
    closeSync(log.fd);
  }
}

/** Ends what a killed postmaster left behind. Most of its children end at once; one in the middle of a query, only after it. */
export async function clearRemains({ cluster, tag }: Place): Promise<void> {
  if (!(await until(() => processesOf(tag).length === 0, 3000))) {
    for (const pid of processesOf(tag)) signal(pid, 'SIGKILL');
    await until(() => processesOf(tag).length === 0, 5000);
  }
  // PostgreSQL refuses to start if any process of the same user has the pid in this file, even a zombie, which stays forever. We know
  // by better signs that no server runs, and PostgreSQL's second guard, its shared memory, still applies.
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

const RETRY = /pre-existing shared memory|lock file ".*" already exists|could not (?:bind|create) .*in use/i;
// On a slow disk, replaying a log of max_wal_size takes minutes, and cutting it short means starting over.
const START_LIMIT = 600_000;
const ANSWER_LIMIT = 30_000;

/** Starts PostgreSQL and waits until it answers. The caller has made sure that no server runs on the cluster. */
export async function startPostmaster(
  place: Place,
  binaries: Binaries,
  socket: SocketDir,
  say: Say,
  cancelled: () => boolean = () => false,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    await clearRemains(place);
    await ensureSocketDir(socket, binaries.identity);
    const { pid, ended, offset } = launch(place, binaries, socket);
    let end: string | null = null;
    ended.then((how) => {
      end = how;
    });
    const started = pid === undefined ? null : startOf(pid);
    if (pid !== undefined && started !== null) {
      if (await ready(place, socket, () => end !== null || cancelled(), say)) return { pid, started, ended };
      await endPostmaster({ pid, started }, place, 5000);
    }
    const how = await ended;
    const output = readFileSync(logOf(place.dataDir)).subarray(offset).toString('utf8');
    if (!RETRY.test(output) || attempt === 10 || cancelled()) throw failure(place.dataDir, output, how);
    await sleep(500);
  }
}

function failure(dataDir: string, output: string, how: string): EmbeddedError {
  if (/No space left on device/i.test(output)) return noSpace(dataDir);
  const why = /(?:LOG: +((?:invalid|unrecognized|could not).*)|(?:FATAL|PANIC): +(.*)|postgres: (.*))/.exec(output);
  const reason = why?.[1] ?? why?.[2] ?? why?.[3] ?? how;
  return new EmbeddedError(
    `PostgreSQL does not start in ${dataDir} (${reason}). Read ${logOf(dataDir)}, or set DATABASE_URL.`,
  );
}

/** Waits until the server answers; false if it ended first or the time ran out. After a crash it first replays its log. */
export async function ready(
  { cluster }: Place,
  socket: SocketDir,
  over: () => boolean,
  say: Say,
  limit = START_LIMIT,
): Promise<boolean> {
  const begun = performance.now();
  let lastReportAt = begun;
  let opened = Number.POSITIVE_INFINITY;
  while (!over() && performance.now() - begun < limit && performance.now() - opened < ANSWER_LIMIT) {
    // A server that is still starting refuses each connection and logs a FATAL for it.
    if ((await readPidFile(cluster))?.ready) {
      opened = Math.min(opened, performance.now());
      if (await answersQuery(urlsOf(socket).adminUrl)) return true;
    }
    await sleep(20);
    if (performance.now() - lastReportAt > 5000) {
      lastReportAt = performance.now();
      say('PostgreSQL is recovering …');
    }
  }
  return false;
}

async function answersQuery(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 5000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Ends PostgreSQL: by a fast shutdown, else one without a checkpoint, else by force. No process of the cluster is left. */
export async function endPostmaster(
  postmaster: { pid: number; started: string },
  { tag }: Place,
  patience = 60_000,
): Promise<void> {
  const gone = () => !alive(postmaster);
  for (const [name, ms] of [
    ['SIGINT', patience],
    ['SIGQUIT', 5000],
    ['SIGKILL', 5000],
  ] as const) {
    if (gone()) break;
    signal(postmaster.pid, name);
    if (await until(gone, ms)) break;
  }
  if (await until(() => processesOf(tag).length === 0, 2000)) return;
  for (const pid of processesOf(tag)) signal(pid, 'SIGKILL');
  await until(() => processesOf(tag).length === 0, 5000);
}
