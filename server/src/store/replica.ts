import { setTimeout as sleep } from 'node:timers/promises';
import { lookup } from './lookup.ts';
import { openPool, type Pool } from './pool.ts';

/** How long a standby that is behind is waited for, in milliseconds, and how often it is asked. Tests lower the first. */
export const replicaWait = { ms: 10_000 };
const ASKED_EVERY_MS = 100;

const OF_PRIMARY = `select pg_current_wal_lsn()::text as at, (select system_identifier::text from pg_control_system()) as cluster`;
const OF_STANDBY = `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn end as reached,
  (select system_identifier::text from pg_control_system()) as cluster`;

/** A standby of the database, from which jobs read what they only read. */
export class Replica {
  readonly pool: Pool;

  constructor(url: string, max: number) {
    this.pool = openPool({ url, max, name: 'turnout-replica', readOnly: true });
  }

  /**
   * Whether it shows all that was committed on the primary before it was asked: otherwise a file could lack somebody who has just
   * registered, or contain somebody who was erased. A standby that is behind is waited for; of one that is too far behind, cannot be
   * reached, or is no standby of this primary, the answer is no.
   */
  async shows(primary: Pool, ms = replicaWait.ms): Promise<boolean> {
    try {
      const [{ at, cluster }] = (await lookup<{ at: string; cluster: string }>(primary, { text: OF_PRIMARY })).rows as [
        { at: string; cluster: string },
      ];
      for (const until = performance.now() + ms; ; await sleep(ASKED_EVERY_MS)) {
        const { rows } = await lookup<{ reached: boolean | null; cluster: string }>(this.pool, {
          text: OF_STANDBY,
          values: [at],
        });
        if (rows[0]?.cluster !== cluster) return false;
        if (rows[0].reached === true) return true;
        // It is no standby any more, or was never one: what it shows may differ for good.
        if (rows[0].reached === null || performance.now() > until) return false;
      }
    } catch {
      return false;
    }
  }
}
