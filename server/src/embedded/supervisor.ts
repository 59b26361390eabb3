import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries, Say } from './binaries.ts';
import { logOf } from './cluster.ts';
import { endPostmaster, type Place, type Postmaster, startPostmaster } from './postmaster.ts';
import { removeSocketDir, type SocketDir } from './socket.ts';

const TRIES = 10;
/** After this many milliseconds without a crash, the next one counts as the first. */
const CALM = 60_000;
const backOff = (tries: number) => Math.min(100 * 2 ** tries, 10_000);

/**
 * Restarts PostgreSQL when it ends by itself. States and transitions:
 *
 * running ─ ended by itself ─→ waiting ─ back-off ─→ starting ─ answers ─→ running
 *    │                            │                     └─ fails ─→ waiting, after TRIES in a row: given up
 *    └─ stop() ─→ stopped         └─ stop() ─→ stopped
 *
 * The count of tries starts over once PostgreSQL has run for CALM.
 */
export class Supervisor {
  #place: Place;
  #binaries: Binaries;
  #socket: SocketDir;
  #say: Say;
  #current: Postmaster;
  #halt = new AbortController();
  #watching: Promise<void>;

  constructor(place: Place, binaries: Binaries, socket: SocketDir, current: Postmaster, say: Say) {
    this.#place = place;
    this.#binaries = binaries;
    this.#socket = socket;
    this.#current = current;
    this.#say = say;
    this.#watching = this.#watch();
  }

  get pid(): number {
    return this.#current.pid;
  }

  async #watch(): Promise<void> {
    const { signal } = this.#halt;
    const halted = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
    let tries = 0;
    for (;;) {
      const since = performance.now();
      const how = await Promise.race([this.#current.ended, halted]);
      if (how === null || signal.aborted) return;
      if (performance.now() - since > CALM) tries = 0;
      this.#say(`PostgreSQL ended unexpectedly (${how}); starting it again …`);
      for (;;) {
        if (tries === TRIES) {
          this.#say(
            `PostgreSQL does not come back after ${TRIES} tries. Read ${logOf(this.#place.dataDir)}, then restart Turnout.`,
          );
          return;
        }
        await sleep(backOff(tries++), null, { signal, ref: false }).catch(() => {});
        if (signal.aborted) return;
        try {
          const cancelled = () => signal.aborted;
          this.#current = await startPostmaster(this.#place, this.#binaries, this.#socket, this.#say, cancelled);
          this.#say(`PostgreSQL is back (pid ${this.#current.pid})`);
          break;
        } catch (error) {
          if (signal.aborted) return;
          this.#say(error instanceof Error ? error.message : String(error));
        }
      }
    }
  }

  async stop(): Promise<void> {
    this.#halt.abort();
    await this.#watching;
    await endPostmaster(this.#current, this.#place);
    await removeSocketDir(this.#socket);
  }
}
