import type { Address } from '../addresses.ts';
import type { Connection } from './connection.ts';

/** Open connections that wait for the next attempt. They close themselves when none comes. */
export class Kept {
  readonly #idle = new Map<string, Connection[]>();
  /** All of them, the one that has waited longest first. */
  readonly #waiting = new Set<Connection>();
  readonly #most: number;

  /** `most` is over all endpoints; for one more, the one that has waited longest is closed. */
  constructor(most = 1_000) {
    this.#most = most;
  }

  /** One to that origin whose other end is among these addresses; the latest used, so that the surplus grows old. */
  take(origin: string, addresses: readonly Address[]): Connection | null {
    const idle = this.#idle.get(origin) ?? [];
    for (let i = idle.length - 1; i >= 0; i -= 1) {
      const connection = idle[i]!;
      if (!connection.ready || addresses.every(({ address }) => address !== connection.address)) continue;
      this.remove(connection);
      return connection;
    }
    return null;
  }

  put(connection: Connection): void {
    if (!connection.open) return;
    const [oldest] = this.#waiting;
    if (oldest !== undefined && this.#waiting.size === this.#most) {
      this.remove(oldest);
      oldest.destroy();
    }
    const idle = this.#idle.get(connection.origin);
    if (idle === undefined) this.#idle.set(connection.origin, [connection]);
    else idle.push(connection);
    this.#waiting.add(connection);
  }

  remove(connection: Connection): void {
    if (!this.#waiting.delete(connection)) return;
    const idle = this.#idle.get(connection.origin)!;
    idle.splice(idle.lastIndexOf(connection), 1);
    if (idle.length === 0) this.#idle.delete(connection.origin);
  }

  close(): void {
    for (const connection of this.#waiting) {
      this.remove(connection);
      connection.destroy();
    }
  }
}
