import { call } from './calls.ts';
import { note, type Parts } from './parts.ts';
import { orgOf } from './session-token.ts';
import { readAnything } from './shapes.ts';
import { CALL_TIMEOUT, HEARTBEAT_EVERY } from './times.ts';
import { VERSION } from './version.ts';

interface WithBattery {
  getBattery?(): Promise<{ readonly level: number }>;
}

/** Tells the server now and then how this device is doing: its queue, its battery and its version. */
export class Heartbeat {
  readonly #parts: Parts;
  #at = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A member's browser is no device that anybody watches. */
  dueAt(): number {
    return orgOf(this.#parts.event.token) === null ? this.#at : Number.POSITIVE_INFINITY;
  }

  async beat(): Promise<void> {
    const { board, clock, event, handOuts, queue } = this.#parts;
    const battery = await (navigator as WithBattery).getBattery?.().catch(() => null);
    const outcome = await call({
      method: 'PUT',
      path: '/devices/self/heartbeat',
      token: event.token,
      body: JSON.stringify({
        queue_length: queue.length + handOuts.length,
        ...(battery != null && { battery: Math.round(battery.level * 100) }),
        version: VERSION,
      }),
      timeout: CALL_TIMEOUT,
      read: readAnything,
    });
    this.#at = clock.steady() + HEARTBEAT_EVERY;
    note(board, outcome, 'device');
  }
}
