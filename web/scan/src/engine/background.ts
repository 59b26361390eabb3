import type { Heartbeat } from './heartbeat.ts';
import type { Parts } from './parts.ts';
import type { Sync } from './sync.ts';
import { backOff, REFUSED_EVERY, TOO_OLD_EVERY } from './times.ts';
import type { Uploader } from './uploader.ts';

/** The shortest pause between two requests while the server does not answer, however many scans are made. */
const MIN_PAUSE = 1_000;

const MIN_SLEEP = 5;

/**
 * All that goes on beside scanning, one thing at a time: sending the queue and what was handed out up, manifest, changes of the roster, the heartbeat. While
 * the server does not answer, one question after ever longer pauses is the way back; the first answer ends that.
 */
export class Background {
  readonly #parts: Parts;
  readonly #uploader: Uploader;
  readonly #sync: Sync;
  readonly #heartbeat: Heartbeat;
  #stopped = false;
  #awaken: () => void = () => {};
  #tries = 0;
  #triedAt = Number.NEGATIVE_INFINITY;
  #probeAt = 0;
  #before: string;

  constructor(parts: Parts, uploader: Uploader, sync: Sync, heartbeat: Heartbeat) {
    this.#parts = parts;
    this.#uploader = uploader;
    this.#sync = sync;
    this.#heartbeat = heartbeat;
    this.#before = parts.board.link.connection;
  }

  start(): void {
    void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.wake();
  }

  /** Looks again what is to be done. */
  wake(): void {
    this.#awaken();
  }

  /** Something is to be done, or the network may be back: the next try comes soon. */
  soon(): void {
    this.#tries = 0;
    const { link } = this.#parts.board;
    if (link.connection === 'offline') this.#probeAt = Math.max(this.#triedAt + MIN_PAUSE, this.#now());
    this.wake();
  }

  /** Asks at once, whatever the state: somebody has opened the app or brought it back to the front. */
  now(): void {
    this.#sync.soon();
    this.#probeAt = Math.max(this.#triedAt + MIN_PAUSE, this.#now());
    this.soon();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      // At least a moment, so that the page stays alive whatever is due.
      await this.#sleep(Math.max(this.#dueAt() - this.#now(), MIN_SLEEP));
      if (this.#stopped || this.#dueAt() > this.#now()) continue;
      try {
        await this.#turn();
      } catch (error) {
        // What was under way when the engine was closed fails because it was closed.
        if (this.#stopped) return;
        reportError(error);
        await this.#sleep(MIN_PAUSE);
      }
    }
  }

  #now(): number {
    return this.#parts.clock.steady();
  }

  #online(): boolean {
    return this.#parts.board.link.connection === 'online';
  }

  #dueAt(): number {
    if (!this.#online()) return this.#probeAt;
    const uploads = [this.#uploader.dueAt(), this.#parts.handOuts.dueAt()].map((at) => at ?? Number.POSITIVE_INFINITY);
    return Math.min(...uploads, this.#sync.dueAt(), this.#heartbeat.dueAt());
  }

  async #turn(): Promise<void> {
    this.#triedAt = this.#now();
    if (this.#online()) await this.#work();
    else await this.#probe();
    this.#after();
  }

  async #work(): Promise<void> {
    const now = this.#now();
    const upload = this.#uploader.dueAt();
    const handOut = this.#parts.handOuts.dueAt();
    if (upload !== null && upload <= now) await this.#uploader.upload();
    else if (handOut !== null && handOut <= now) await this.#parts.handOuts.upload(this.#parts);
    else if (this.#sync.dueAt() <= now) await this.#sync.turn();
    else await this.#heartbeat.beat();
  }

  /** Scans that wait are the better question: their answer is worth more. */
  async #probe(): Promise<void> {
    const upload = this.#uploader.dueAt();
    if (upload !== null && upload <= this.#now()) await this.#uploader.upload();
    else await this.#sync.manifest();
  }

  #after(): void {
    const { connection } = this.#parts.board.link;
    if (connection === 'online') {
      this.#tries = 0;
      if (this.#before !== 'online') this.#sync.soon();
    } else {
      const pause =
        connection === 'refused'
          ? REFUSED_EVERY
          : connection === 'too_old'
            ? TOO_OLD_EVERY
            : backOff(this.#tries, Math.random());
      this.#tries += 1;
      this.#probeAt = this.#now() + pause;
    }
    this.#before = connection;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#parts.alarm(Math.min(ms, 2 ** 30), resolve);
      this.#awaken = () => {
        cancel();
        resolve();
      };
    });
  }
}
