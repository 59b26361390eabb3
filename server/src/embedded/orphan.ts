import { realpath } from 'node:fs/promises';
import { clusterExists, clusterOf, tagOf } from './cluster.ts';
import { EmbeddedError } from './error.ts';
import { takeLock } from './lock.ts';
import { endPostmaster, findPostmaster } from './postmaster.ts';
import { startOf } from './process.ts';
import { removeSocketDir } from './socket.ts';

/**
 * Ends the PostgreSQL of a Turnout that was killed, if no other Turnout has taken it over. The watchdog runs this as a program of its
 * own. It holds the folder's lock while it works, so that a Turnout which starts at this moment waits for it.
 */
async function endOrphan(given: string): Promise<void> {
  const dataDir = await realpath(given);
  if (!(await clusterExists(dataDir))) return;
  const lock = await takeLock(dataDir, { leaving: true });
  try {
    const cluster = clusterOf(dataDir);
    const place = { dataDir, cluster, tag: await tagOf(cluster) };
    const found = await findPostmaster(place);
    if (found.state !== 'ours') return;
    const started = startOf(found.pid);
    if (started !== null) await endPostmaster({ pid: found.pid, started }, place);
    await removeSocketDir(found.socket);
  } finally {
    await lock.release();
  }
}

try {
  await endOrphan(process.argv[2]!);
} catch (error) {
  // Another Turnout uses the folder again, so its PostgreSQL is not an orphan any more.
  if (!(error instanceof EmbeddedError)) throw error;
}
