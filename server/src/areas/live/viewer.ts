import type { ServerResponse } from 'node:http';
import type { Caller } from '../../road/caller.ts';

/** Which parts of a snapshot somebody may see. */
export interface Sight {
  /** The names of people (`people.read`). */
  names: boolean;
  /** Paired scanners (`door.devices`). */
  devices: boolean;
}

/** More than a snapshot of the largest event. So much waits in this process at most before a reader is dropped. */
const MAX_WAITING_BYTES = 1_048_576;

/** One open stream. What cannot be sent is not kept: a reader who falls behind is dropped, comes again and begins with a snapshot. */
export class Viewer {
  readonly caller: Caller;
  readonly session: Buffer;
  readonly sight: Sight;
  /** When it was last known that the viewer may watch, by `performance.now()`. */
  checkedAt = performance.now();
  sentAt = performance.now();
  readonly #response: ServerResponse;
  readonly #stallMs: number;
  #stalledAt: number | null = null;

  constructor(response: ServerResponse, caller: Caller, session: Buffer, stallMs: number) {
    this.#response = response;
    this.#stallMs = stallMs;
    this.caller = caller;
    this.session = session;
    const { actor } = caller;
    const may = actor.kind === 'member' ? actor.permissions : [];
    this.sight = { names: may.includes('people.read'), devices: may.includes('door.devices') };
    response.on('drain', () => {
      this.#stalledAt = null;
    });
  }

  /** Sends a message, or drops the reader who does not take what was sent before. */
  send(message: string): void {
    const response = this.#response;
    const now = performance.now();
    const stalls = this.#stalledAt !== null && now - this.#stalledAt > this.#stallMs;
    if (stalls || response.writableLength > MAX_WAITING_BYTES) {
      response.destroy();
      return;
    }
    this.sentAt = now;
    if (!response.write(message)) this.#stalledAt ??= now;
  }

  /** Ends the stream. The browser comes again by itself and learns whether it still may. */
  end(): void {
    this.#response.end();
    // A reader who takes nothing would never see the end either.
    if (this.#stalledAt !== null) this.#response.destroy();
  }
}
