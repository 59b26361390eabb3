import type { Address } from '../addresses.ts';
import type { Connection } from './connection.ts';

/** Open connections that wait for their next request. They close themselves if none comes. */
export class IdleConnections {
  readonly #byOrigin = new Map<string, Connection[]>();
  /** All of them; the one that has waited longest comes first. */
  readonly #all = new Set<Connection>();
  readonly #most: number;

  /** `most` counts all endpoints together. When one more is put here, the one that has waited longest is closed. */
  constructor(most = 1_000) {
    this.#most = most;
  }

  /**
   * Takes out a connection to this origin whose other end is one of these addresses. The most recently used one is taken, so
   * that those which are not needed grow old and close.
   */
  take(origin: string, addresses: readonly Address[]): Connection | null {
    const idle = this.#byOrigin.get(origin) ?? [];
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
    if (this.#all.size === this.#most) this.#closeOldest();
    const idle = this.#byOrigin.get(connection.origin);
    if (idle === undefined) this.#byOrigin.set(connection.origin, [connection]);
    else idle.push(connection);
    this.#all.add(connection);
  }

  #closeOldest(): void {
    const [oldest] = this.#all;
    this.remove(oldest!);
    oldest!.destroy();
  }

  remove(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const idle = this.#byOrigin.get(connection.origin)!;
    idle.splice(idle.lastIndexOf(connection), 1);
    if (idle.length === 0) this.#byOrigin.delete(connection.origin);
  }

  close(): void {
    for (const connection of this.#all) {
      this.remove(connection);
      connection.destroy();
    }
  }
}
