/** What time it is at the server. Scans are dated by it, because a phone's clock may be wrong by hours. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** By how much the clock of the device is wrong; null as long as the server has not been asked. */
  off(): number | null;
  /** The server said its time in an answer that was asked for and received at these times of `steady`. */
  heard(serverTime: number, sent: number, received: number): void;
  /** A clock that runs evenly, whatever happens to the time of the device. */
  steady(): number;
}

/** The clocks of a device. */
export interface DeviceClocks {
  wall(): number;
  steady(): number;
}

/** The time of a device: its clocks, and an alarm. Tests bring one of their own, which stands still until they move it. */
export interface DeviceTime extends DeviceClocks {
  /** Calls `ring` after so many milliseconds, unless the function that it returns is called before. */
  alarm(ms: number, ring: () => void): () => void;
}

export const browserTime: DeviceTime = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  },
};

/** Smaller differences between two clocks are not looked at. */
const SMALL = 2_000;
/** An answer that took longer says too little about the time. */
const SLOW_ANSWER = 2_000;

/**
 * Between two answers of the server, time goes by the steady clock: changing the device's time changes nothing. But the steady clock
 * may stand still while the device sleeps. So if the device's own clock is ahead afterwards, and the page was hidden in between, the
 * device slept and its clock is right. If it is behind, or the page was visible all the time, somebody changed the clock. This is a
 * guess (somebody may have set a slow clock right while the page was hidden), so the server is asked for its time as soon as possible.
 */
export class ServerClock implements Clock {
  readonly #clocks: DeviceClocks;
  readonly #keep: (offset: number) => void;
  readonly #jumped: () => void;
  /** Server time minus the device's own time; null if never heard. */
  #offset: number | null;
  #anchor: { server: number; steady: number };
  #hidden = false;

  /** `keep` gets a new offset. `jumped` is called when the two clocks of the device disagree: only the server knows which is right. */
  constructor(
    clocks: DeviceClocks,
    offset: number | null,
    { keep, jumped }: { keep: (offset: number) => void; jumped: () => void },
  ) {
    this.#clocks = clocks;
    this.#offset = offset;
    this.#keep = keep;
    this.#jumped = jumped;
    this.#anchor = { server: clocks.wall() + (offset ?? 0), steady: clocks.steady() };
  }

  steady(): number {
    return this.#clocks.steady();
  }

  now(): number {
    const even = this.#even();
    const ahead = this.#clocks.wall() + (this.#offset ?? 0) - even;
    if (Math.abs(ahead) < SMALL) return Math.round(even);
    if (ahead > 0 && this.#hidden) this.#anchor = { server: even + ahead, steady: this.#clocks.steady() };
    else if (this.#offset !== null) this.#setOffset(this.#even() - this.#clocks.wall());
    else this.#anchor = { server: even + ahead, steady: this.#clocks.steady() }; // nothing better is known
    this.#hidden = false;
    this.#jumped();
    return Math.round(this.#even());
  }

  off(): number | null {
    return this.#offset === null ? null : -Math.round(this.#offset);
  }

  /** The page was hidden, so the device may have slept. */
  hidden(): void {
    this.now();
    this.#hidden = true;
  }

  heard(serverTime: number, sent: number, received: number): void {
    const took = received - sent;
    const at = serverTime + took / 2 + (this.#clocks.steady() - received);
    const wrongBy = Math.abs(at - this.now());
    if (this.#offset !== null && took > SLOW_ANSWER && wrongBy <= took) return;
    this.#anchor = { server: at, steady: this.#clocks.steady() };
    this.#setOffset(at - this.#clocks.wall());
  }

  #even(): number {
    return this.#anchor.server + (this.#clocks.steady() - this.#anchor.steady);
  }

  #setOffset(offset: number): void {
    const changed = this.#offset === null || Math.abs(offset - this.#offset) > 100;
    this.#offset = offset;
    if (changed) this.#keep(offset);
  }
}
