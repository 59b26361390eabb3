import { systemClock } from '../clock.ts';
import { type Config, requireDataDir } from '../config.ts';
import { connectRunning, requireEmbedded, startEmbedded } from '../embedded/index.ts';
import { migrate } from '../store/migrate.ts';
import { openPool, type Pool } from '../store/pool.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';

/** Opens the database for a command. If it is the embedded one and no server runs it, it is started for the command. */
export async function withDatabase<T>(config: Config, work: (pool: Pool, directUrl: string) => Promise<T>): Promise<T> {
  const say = (line: string) => console.error(line);
  let stop: () => Promise<void> = async () => {};
  let url = config.databaseUrl;
  if (url === null) {
    await requireEmbedded();
    requireDataDir(config);
    url = (await connectRunning(config.dataDir))?.url ?? null;
    if (url === null) {
      const embedded = await startEmbedded({ dataDir: config.dataDir, progress: say });
      stop = () => embedded.stop();
      url = embedded.url;
    }
  }
  const directUrl = config.databaseDirectUrl ?? url;
  try {
    await migrate(directUrl, say);
    const pool = openPool({ url, max: 4, name: 'turnout-cli' });
    try {
      return await work(pool, directUrl);
    } finally {
      await pool.end();
    }
  } finally {
    await stop();
  }
}

export const clock = systemClock;

export const asSystem = <T>(config: Config, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withDatabase(config, (pool) => inSystem(pool, work));
export const inSystem = <T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> =>
  jobTransaction(pool, clock, { role: 'system' }, work);
