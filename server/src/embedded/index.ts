import { mkdir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Binaries, findPackage, MAJOR, prepareBinaries, type Say } from './binaries.ts';
import {
  clusterExists,
  clusterOf,
  createCluster,
  readConfiguration,
  removeDrafts,
  settleCluster,
  tagOf,
} from './cluster.ts';
import { EmbeddedError, explain } from './error.ts';
import { chooseIdentity, type Identity } from './identity.ts';
import { takeLock } from './lock.ts';
import {
  endPostmaster,
  findPostmaster,
  type Place,
  type Postmaster,
  type PostmasterState,
  ready,
  startPostmaster,
  watch,
} from './postmaster.ts';
import { startOf } from './process.ts';
import { provision } from './provision.ts';
import { configuration } from './settings.ts';
import { chooseSocketDir, removeSocketDir, type SocketDir, type Urls, urlsOf } from './socket.ts';
import { Supervisor } from './supervisor.ts';
import { ORPHAN_SECONDS, startWatchdog } from './watchdog.ts';

export { EmbeddedError };

export interface Embedded {
  /** Connects as `turnout`, which owns the database of that name. */
  url: string;
  /** Connects as the superuser. */
  adminUrl: string;
  /** The postmaster's pid, which changes when PostgreSQL is restarted. */
  readonly pid: number;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  dataDir: string;
  progress?: (line: string) => void;
  /** PostgreSQL settings that override ours (settings.ts). */
  settings?: Record<string, string>;
  /** How long PostgreSQL keeps running after its Turnout was killed, waiting for the next one. */
  orphanSeconds?: number;
}

/** Refuses where the packages of PostgreSQL are not installed, as in a container, before anything is made. */
export async function requireEmbedded(): Promise<void> {
  await findPackage();
}

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataPath = resolve(options.dataDir);
  try {
    await mkdir(dataPath, { recursive: true, mode: 0o700 });
    const dataDir = await realpath(dataPath);
    // Checked before the lock is taken: the lock knows its owner by pid, and would be taken from a living owner in another container.
    const place = await placeOf(dataDir);
    if (place && (await findPostmaster(place)).state === 'elsewhere') throw inUseElsewhere(dataDir);
    const lock = await takeLock(dataDir);
    // Started before PostgreSQL, so that PostgreSQL does not stay behind whatever ends us from here on.
    const watchdog = startWatchdog(dataDir, lock, options.orphanSeconds ?? ORPHAN_SECONDS);
    try {
      const embedded = await start(dataDir, options.settings ?? {}, options.progress ?? (() => {}));
      let stopped: Promise<void> | undefined;
      return {
        ...urlsOf(embedded.socket),
        get pid() {
          return embedded.supervisor.pid;
        },
        stop: () => {
          stopped ??= embedded.supervisor
            .stop()
            .finally(() => watchdog.dismiss())
            .finally(() => lock.release());
          return stopped;
        },
      };
    } catch (error) {
      await watchdog.dismiss();
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explain(error, dataPath);
  }
}

const inUseElsewhere = (dataDir: string) =>
  new EmbeddedError(
    `${dataDir} is in use by another Turnout (in another container). Stop it, or set DATA_DIR or DATABASE_URL.`,
  );

async function placeOf(dataDir: string): Promise<Place | null> {
  if (!(await clusterExists(dataDir))) return null;
  const cluster = clusterOf(dataDir);
  return { dataDir, cluster, tag: await tagOf(cluster) };
}

async function start(dataDir: string, settings: Record<string, string>, say: Say) {
  const cluster = clusterOf(dataDir);
  await removeDrafts(dataDir);
  const exists = await clusterExists(dataDir);
  const binaries = await prepareBinaries(await chooseIdentity(dataDir, cluster), dataDir, say);
  const text = configuration(binaries.version, settings);
  if (!exists) await createCluster(dataDir, binaries, say);
  const place: Place = { dataDir, cluster, tag: await tagOf(cluster) };

  const found = await findPostmaster(place);
  const adopted = await adopt(found, place, text, say);
  const socket = adopted?.socket ?? (await freshSocket(found, cluster, binaries.identity));
  if (!adopted) await settleCluster(cluster, binaries.identity, text);
  const postmaster = adopted?.postmaster ?? (await begin(place, binaries, socket, say));
  try {
    await provision(urlsOf(socket).adminUrl);
  } catch (error) {
    await endPostmaster(postmaster, place);
    await removeSocketDir(socket);
    throw error;
  }
  return { socket, supervisor: new Supervisor(place, binaries, socket, postmaster, say) };
}

async function begin(place: Place, binaries: Binaries, socket: SocketDir, say: Say): Promise<Postmaster> {
  say(`starting PostgreSQL ${MAJOR} …`);
  try {
    return await startPostmaster(place, binaries, socket, say);
  } catch (error) {
    await removeSocketDir(socket);
    throw error;
  }
}

async function freshSocket(found: PostmasterState, cluster: string, identity: Identity): Promise<SocketDir> {
  if (found.socket) await removeSocketDir(found.socket);
  return chooseSocketDir(cluster, identity);
}

/** A PostgreSQL that outlived its killed Turnout is kept if it runs with the configuration that we would start it with now. */
async function adopt(
  found: PostmasterState,
  place: Place,
  text: string,
  say: Say,
): Promise<{ postmaster: Postmaster; socket: SocketDir } | null> {
  if (found.state === 'none') return null;
  if (found.state === 'elsewhere') throw inUseElsewhere(place.dataDir);
  const { pid, socket } = found;
  const started = startOf(pid);
  if (started === null) return null;
  const postmaster = watch(pid, started);
  const same = (await readConfiguration(place.cluster)) === text;
  const over = () => startOf(pid) !== started;
  if (same && (await ready(place, socket, over, say))) {
    say(`taking over the running PostgreSQL (pid ${pid})`);
    return { postmaster, socket };
  }
  say(`stopping the PostgreSQL of an earlier start (pid ${pid}) …`);
  await endPostmaster(postmaster, place);
  return null;
}

/** For a command line beside a running server. Null if no server runs on this folder. */
export async function connectRunning(dataDir: string): Promise<Urls | null> {
  const dataPath = resolve(dataDir);
  try {
    const real = await realpath(dataPath).catch(() => null);
    const place = real === null ? null : await placeOf(real);
    if (!place) return null;
    const found = await findPostmaster(place);
    if (found.state === 'none') return null;
    const gone = () => found.state === 'ours' && startOf(found.pid) === null;
    const answers = await ready(place, found.socket, gone, () => {}, 30_000);
    return answers ? urlsOf(found.socket) : null;
  } catch (error) {
    throw explain(error, dataPath);
  }
}
