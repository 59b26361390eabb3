import type { Logger } from 'pino';
import { type Clock, MINUTE } from '../clock.ts';
import { FilesAway } from '../common/files-away.ts';
import { newUlid } from '../common/ids.ts';
import { inTime } from '../common/in-time.ts';
import { ConfigError } from '../config.ts';
import type { Files } from '../outside/files.ts';
import { lookup } from '../store/lookup.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction } from '../store/tx.ts';

interface Parts {
  files: Files;
  pool: Pool;
  clock: Clock;
  log: Logger;
  /** When this process began to open connections, in milliseconds since any moment. */
  since: number;
}

const ANSWER_MS = 5_000;
const ALONE = `select not exists (select from pg_stat_activity where datname = current_database() and application_name in ('turnout', 'turnout-worker')
  and backend_start < clock_timestamp() - make_interval(secs => $1::float8)) as alone`;

export type FilesState = 'ok' | 'another store' | 'refused' | 'unreachable';

/**
 * All processes must keep their files in one store. If each had a folder of its own, one could not serve what another one made, and an
 * erased person would stay in the files of the others. So the store bears a mark, and the database knows it. The first start makes both.
 */
export class SameFiles {
  readonly #parts: Parts;
  #known: string | null = null;
  #state: FilesState = 'ok';
  #askedAt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Refuses to start with another store. One that cannot be reached does not keep people waiting at a door. */
  async require(): Promise<void> {
    const { files } = this.#parts;
    await this.#look();
    if (this.#state === 'another store')
      throw new ConfigError(
        `FILES_URL: the files of this database are not ${files.describe}. Set it as for the other processes. If those files are lost, \`turnout files adopt\` goes on with this store.`,
      );
    if (this.#state === 'refused')
      throw new ConfigError(`FILES_URL: nothing can be kept ${files.describe}. Check the bucket and the credentials.`);
  }

  /** How it was lately. Whoever looks after the process asks every second, and must not wait. */
  get state(): FilesState {
    if (performance.now() > this.#askedAt + MINUTE / 6) void this.#look();
    return this.#state;
  }

  async #look(): Promise<void> {
    const { files, log } = this.#parts;
    this.#askedAt = performance.now();
    try {
      this.#known ??= await this.#knownMark();
      let mark = await inTime(ANSWER_MS, files.readMark());
      if (mark === null && (await this.#isAlone())) {
        log.warn({ files: files.describe }, 'a new store of files; those of before are not in it');
        mark = await files.mark(this.#known);
      }
      this.#state = mark === this.#known ? 'ok' : 'another store';
    } catch (error) {
      log.warn({ err: error }, 'the store of files does not serve');
      this.#state = error instanceof FilesAway && error.isRefused ? 'refused' : 'unreachable';
    }
  }

  /**
   * Whether no other process was there before this one. Then an empty store is no fault: the disk of a container is new at each start.
   */
  async #isAlone(): Promise<boolean> {
    const { pool, since } = this.#parts;
    const ours = (performance.now() - since) / 1000 + 1;
    // Only the login itself is told the names of its sessions.
    const { rows } = await lookup<{ alone: boolean }>(pool, { text: ALONE, values: [ours] });
    return rows[0]?.alone === true;
  }

  async #knownMark(): Promise<string> {
    const { files, pool, clock } = this.#parts;
    const known = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
      tx.one<{ files_mark: string | null }>(sql`select files_mark from installation`),
    );
    if (known.files_mark !== null) return known.files_mark;
    const mark = await files.mark(newUlid(clock.now()));
    // Another process may have been first, with another store.
    const first = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
      tx.one<{ files_mark: string }>(
        sql`update installation set files_mark = coalesce(files_mark, ${mark}) returning files_mark`,
      ),
    );
    return first.files_mark;
  }
}

/** From now on the files of this database are in this store, whatever it knew before. */
export async function adoptFiles({ files, pool, clock }: Omit<Parts, 'log' | 'since'>): Promise<void> {
  const mark = await files.mark(newUlid(clock.now()));
  await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.run(sql`
      insert into installation (sole, files_mark) values (true, ${mark})
      on conflict (sole) do update set files_mark = excluded.files_mark`),
  );
}
