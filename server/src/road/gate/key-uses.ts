import { type Clock, MINUTE } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction } from '../../store/tx.ts';

interface Use {
  org: Id;
  at: Date;
}

/**
 * When keys were last used, exact to a minute. A request writes nothing for it: the first use of a key in a minute is noted here,
 * and one statement a second writes what all keys have noted. A key that is used all the time is thus written once a minute.
 */
export class KeyUses {
  readonly #pool: Pool;
  readonly #clock: Clock;
  /** The last use of each key that was noted, if that is less than a minute ago. */
  readonly #noted = new Map<Id, number>();
  #unwritten = new Map<Id, Use>();

  constructor(pool: Pool, clock: Clock) {
    this.#pool = pool;
    this.#clock = clock;
  }

  note(org: Id, key: Id): void {
    const at = this.#clock.now();
    const noted = this.#noted.get(key);
    if (noted !== undefined && at.getTime() - noted < MINUTE) return;
    this.#noted.set(key, at.getTime());
    this.#unwritten.set(key, { org, at });
  }

  async write(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const uses = this.#unwritten;
    this.#unwritten = new Map();
    try {
      await this.#update(uses);
    } catch (error) {
      for (const [key, use] of uses) if (!this.#unwritten.has(key)) this.#unwritten.set(key, use);
      throw error;
    }
    const before = this.#clock.now().getTime() - MINUTE;
    for (const [key, at] of this.#noted) if (at <= before) this.#noted.delete(key);
  }

  /** The rows are locked in order, because other processes write the uses of the same keys. */
  #update(uses: ReadonlyMap<Id, Use>): Promise<number> {
    const all = [...uses.values()];
    return jobTransaction(this.#pool, this.#clock, { role: 'system' }, (tx) =>
      tx.run(sql`
        with used as (
          select k.org_id, k.id, u.at from unnest(
            ${all.map((use) => use.org)}::uuid[], ${[...uses.keys()]}::uuid[], ${all.map((use) => use.at)}::timestamptz[]) as u(org_id, id, at)
          join api_keys k on k.org_id = u.org_id and k.id = u.id
          where k.last_used_at is null or k.last_used_at < u.at
          order by k.org_id, k.id for no key update of k)
        update api_keys k set last_used_at = greatest(k.last_used_at, used.at) from used where k.org_id = used.org_id and k.id = used.id`),
    );
  }
}
