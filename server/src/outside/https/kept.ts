import type { Address } from '../addresses.ts';
import type { Connection } from './connection.ts';

/** Open connections that wait for the next attempt. They close themselves when none comes. */
export class Kept {
  readonly #idle = new Map<string, Connection[]>();
  #count = 0;
  readonly #most: number;

  /** `most` is over all endpoints; one more is closed after its answer. */
  constructor(most = 1_000) {
    this.#most = most;
  }

  /** One to that origin whose other end is among these addresses; the latest used, so that the surplus grows old. */
  take(origin: string, addresses: readonly Address[]): Connection | null {
    const usable = (one: Connection) => one.open && addresses.some(({ address }) => address === one.address);
    const connection = this.#idle.get(origin)?.findLast(usable) ?? null;
    if (connection !== null) this.remove(connection);
    return connection;
  }

  put(connection: Connection): void {
    if (!connection.open) return;
    if (this.#count === this.#most) {
      connection.destroy();
      return;
    }
    const idle = this.#idle.get(connection.origin);
    if (idle === undefined) this.#idle.set(connection.origin, [connection]);
    else idle.push(connection);
    this.#count++;
  }

  remove(connection: Connection): void {
    const idle = this.#idle.get(connection.origin) ?? [];
    const index = idle.lastIndexOf(connection);
    if (index < 0) return;
    idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(connection.origin);
    this.#count--;
  }

  close(): void {
    for (const connection of [...this.#idle.values()].flat()) {
      this.remove(connection);
      connection.destroy();
    }
  }
}
