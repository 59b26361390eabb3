import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/**
 * Processor time in milliseconds, as the scheduler counts it in nanoseconds. It is what a request costs, however busy the machine is.
 * Only Linux tells it: elsewhere it is zero, and nothing is found too dear.
 */
function timeOfTask(path: string): number {
  try {
    return Number(readFileSync(`${path}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0; // it has just ended, or this is another system
  }
}

/** The processor time of all threads of a process. */
export function processorTime(pid: number): number {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    return tasks.reduce((sum, task) => sum + timeOfTask(`/proc/${pid}/task/${task}`), 0);
  } catch {
    return 0;
  }
}

/**
 * The processor time of PostgreSQL for one database: that of the processes behind its connections. Other databases of the same
 * PostgreSQL, with which other tests work at the same time, do not count.
 */
export class DatabaseTime {
  readonly #client: pg.Client;
  /** What each process had used when it was last seen. One that has ended keeps it. */
  readonly #seen = new Map<number, number>();

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** `url` names a superuser, who sees the connections of all users. */
  static async open(url: string): Promise<DatabaseTime> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const time = new DatabaseTime(client);
    await time.used();
    return time;
  }

  /** All that was used so far. */
  async used(): Promise<number> {
    const { rows } = await this.#client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    for (const { pid } of rows) this.#seen.set(pid, processorTime(pid));
    return [...this.#seen.values()].reduce((sum, one) => sum + one, 0);
  }

  close(): Promise<void> {
    return this.#client.end();
  }
}
