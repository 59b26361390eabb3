import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, EmbeddedError } from './error.ts';
import { startOf } from './process.ts';

const NAME = 'postgres.owner';

export interface Lock {
  path: string;
  /** The content of the file while the lock is ours, in one line. */
  text: string;
  release(): Promise<void>;
}

/** How long we wait for an owner that only ends an orphaned server (orphan.ts). */
const LEAVES_WITHIN = 90_000;

async function readLock(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function livingOwner(text: string): { pid: number; leaving: boolean } | null {
  try {
    const { pid, started, leaving } = JSON.parse(text) as { pid: number; started: string; leaving?: boolean };
    return startOf(pid) === started ? { pid, leaving: leaving === true } : null;
  } catch {
    return null;
  }
}

/**
 * Makes sure that one Turnout at a time uses a data folder. The file outlives `kill -9`; the start time in it tells whether the
 * pid is still the process that wrote it or has been reused.
 */
export async function takeLock(dataDir: string, { leaving = false } = {}): Promise<Lock> {
  const path = join(dataDir, NAME);
  const me = { pid: process.pid, started: startOf(process.pid), token: randomUUID() };
  const mine = JSON.stringify(leaving ? { ...me, leaving } : me);
  const patience = performance.now() + LEAVES_WITHIN;
  for (;;) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o644 });
      break;
    } catch (error) {
      if (codeOf(error) === 'ENOSPC') await rm(path, { force: true });
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    let theirs = await readLock(path);
    if (theirs === '') {
      // Created but still empty: its owner is about to write it, or died at this point, or the disk was full.
      await sleep(200);
      theirs = await readLock(path);
    }
    if (theirs === null) continue;
    const owner = livingOwner(theirs);
    if (owner?.leaving && performance.now() < patience) {
      await sleep(50);
      continue;
    }
    if (owner !== null) {
      throw new EmbeddedError(
        `${dataDir} is in use by another Turnout (pid ${owner.pid}). Stop it, or set DATA_DIR or DATABASE_URL.`,
      );
    }
    await setAside(path, theirs);
  }
  return {
    path,
    text: mine,
    release: async () => {
      if ((await readLock(path)) === mine) await rm(path, { force: true });
    },
  };
}

/**
 * Removes the stale lock that was read, and only that one: if two processes found it stale at once, the other may have replaced it
 * with its own since. Then it is put back.
 */
async function setAside(path: string, stale: string): Promise<void> {
  const grave = `${path}.${randomUUID()}`;
  try {
    await rename(path, grave);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readLock(grave)) !== stale) await link(grave, path).catch(() => {});
  await rm(grave, { force: true });
}
