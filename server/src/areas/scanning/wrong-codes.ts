import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, HOUR, MINUTE } from '../../clock.ts';
import { networkOf } from '../../common/network.ts';
import { type Refusal, refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import { takeOf } from '../../road/for-areas/tries.ts';
import type { Pool } from '../../store/pool.ts';
import { transaction } from '../../store/tx.ts';

export interface PairingLimits {
  /** Wrong codes of one network in a minute that are answered at once. */
  atOnce: number;
  /** Wrong codes of all networks in an hour that are answered at once, by all processes together. */
  anHour: number;
  /** How long a slow answer takes, in milliseconds. */
  slowMs: number;
  /** Slow answers that wait at one time: for one network, and in this process. */
  held: { network: number; all: number };
  wait: (ms: number) => Promise<unknown>;
}
export const PAIRING_LIMITS: PairingLimits = {
  atOnce: 20,
  anHour: 1_000,
  slowMs: 2_000,
  held: { network: 4, all: 100 },
  wait: sleep,
};

/** Networks that are remembered at one time. */
const NETWORKS = 10_000;

/**
 * Answers wrong pairing codes, and more slowly where there are many. A right code never comes here: it is taken whatever others have
 * tried, because all phones of a venue have one address, and a stranger among them must not keep the others from being paired.
 *
 * What makes guessing hopeless is the length of a code: of 2^60, somebody who tries 2,000 a second finds one of 1,000 valid codes
 * after 18,000 years. Slow answers keep programs that guess from costing much. They are bounded in number, so that they do not take up
 * connections and memory either; beyond that, a wrong code is answered with 429 at once.
 */
export class WrongCodes {
  readonly #parts: { pool: Pool; clock: Clock; secrets: Secrets };
  readonly #limits: PairingLimits;
  readonly #minutes = new Map<string, { since: number; wrong: number }>();
  readonly #held = new Map<string, number>();
  #allHeld = 0;
  /** Until then the installation has had its wrong codes of the hour. The database need not be asked again for each further one. */
  #manyUntil = 0;

  constructor(parts: { pool: Pool; clock: Clock; secrets: Secrets }, limits: Partial<PairingLimits> = {}) {
    this.#parts = parts;
    this.#limits = { ...PAIRING_LIMITS, ...limits };
  }

  /** Throws `refusal`, at once or after a while. */
  async answer(address: string, refusal: Refusal): Promise<never> {
    const network = networkOf(address);
    const isMany = this.#countMinute(network) > this.#limits.atOnce;
    if ((await this.#countHour()) || isMany) await this.#hold(network);
    throw refusal;
  }

  #countMinute(network: string): number {
    const now = this.#parts.clock.now().getTime();
    if (this.#minutes.size > NETWORKS) this.#minutes.clear();
    const seen = this.#minutes.get(network);
    const minute = seen === undefined || seen.since <= now - MINUTE ? { since: now, wrong: 0 } : seen;
    minute.wrong += 1;
    this.#minutes.set(network, minute);
    return minute.wrong;
  }

  /** Whether the installation has had more wrong codes in this hour than are answered at once. */
  async #countHour(): Promise<boolean> {
    const { pool, clock, secrets } = this.#parts;
    const now = clock.now().getTime();
    if (now < this.#manyUntil) return true;
    const wait = await transaction(pool, clock, { role: 'system' }, (tx) =>
      takeOf(tx, secrets, { of: 'wrong pairing codes', most: this.#limits.anHour, per: HOUR }),
    );
    if (wait > 0) this.#manyUntil = now + wait;
    return wait > 0;
  }

  async #hold(network: string): Promise<void> {
    const { held, slowMs, wait } = this.#limits;
    const here = this.#held.get(network) ?? 0;
    if (here >= held.network || this.#allHeld >= held.all) {
      refuse('rate_limited', {
        message: 'This pairing code is not valid, and many wrong ones were tried. Ask an organizer for a new one.',
        headers: { 'Retry-After': String(Math.ceil(slowMs / 1000)) },
      });
    }
    this.#held.set(network, here + 1);
    this.#allHeld += 1;
    try {
      await wait(slowMs);
    } finally {
      this.#allHeld -= 1;
      const left = this.#held.get(network)! - 1;
      if (left === 0) this.#held.delete(network);
      else this.#held.set(network, left);
    }
  }
}
