import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { TestDatabase } from './database.ts';

const PATIENCE_MS = 30_000;

async function untilBackends(database: TestDatabase, count: number, which: string, values: unknown[]): Promise<void> {
  const observer = new pg.Client({ connectionString: database.adminUrl });
  await observer.connect();
  try {
    for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(10)) {
      const { rows } = await observer.query(
        `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${which}`,
        values,
      );
      if (rows.length >= count) return;
      if (performance.now() > deadline) throw new Error(`Only ${rows.length} of ${count} came: ${which} ${values}`);
    }
  } finally {
    await observer.end();
  }
}

/** Waits until so many connections to the database wait for a lock. */
export const untilWaitingForLock = (database: TestDatabase, count = 1): Promise<void> =>
  untilBackends(database, count, `wait_event_type = 'Lock'`, []);

/** Waits until a statement that contains these words is running. */
export const untilRunning = (database: TestDatabase, words: string): Promise<void> =>
  untilBackends(database, 1, `state = 'active' and position($1 in query) > 0`, [words]);
