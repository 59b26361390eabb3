import { Refusal } from '../../common/refusal.ts';
import { throttled } from './throttle.ts';

/** For so long a refusal is repeated without asking the database. */
const REPEATED_MS = 1000;
const MAX_REFUSALS = 5000;

/**
 * Remembers for a second who was told to wait. Somebody who sends thousands of tries nonetheless then costs no statement of the
 * database. It is only a second, because the right person may come in meanwhile, through another process, and begin anew.
 */
export class Refused {
  readonly #seen = new Map<string, { at: number; until: number }>();

  /** Does the work, unless the same was refused a moment ago. */
  async unlessJustRefused<T>(what: string, now: () => Date, work: () => Promise<T>): Promise<T> {
    const at = now().getTime();
    const last = this.#seen.get(what);
    if (last !== undefined && at < Math.min(last.until, last.at + REPEATED_MS)) throttled(last.until - at);
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.code === 'sign_in_throttled') this.#remember(what, at, error);
      throw error;
    }
  }

  #remember(what: string, at: number, { options }: Refusal): void {
    this.#seen.delete(what);
    if (this.#seen.size >= MAX_REFUSALS) this.#seen.delete(this.#seen.keys().next().value!);
    this.#seen.set(what, { at, until: at + Number(options.headers?.['Retry-After'] ?? 1) * 1000 });
  }
}
