import type { SeenCode } from './types.ts';

/** A code that was out of sight for this long was taken away; if it is seen again, it is another scan. */
export const GONE_MS = 1500;
/**
 * Where another code was read in the meantime, the answer on the screen belongs to that one. A code that returns must then not wait for
 * as long: whoever holds it would take the answer for their own. It must not be zero, because a decoder that sees two tickets side by
 * side finds now the one, now the other.
 */
export const GONE_AFTER_ANOTHER_MS = 600;
/**
 * If a code that was read is still in the picture, another one has to be nearer to the middle by this much, so that a hand that trembles
 * over a sheet with two tickets does not read both.
 */
export const CLEARLY_NEARER = 0.15;

/**
 * Which of the codes that are seen is a new scan. A code is new when it comes into sight, and then held until it was out of sight for a
 * while, however many pictures show it. Of two codes in one picture, the one nearest to the middle counts.
 */
export class Holding {
  /** When each code that is held was seen last. */
  readonly #held = new Map<string, number>();
  /** The code that was read last. */
  #last: string | null = null;

  /**
   * The codes of one picture, taken at `at` (milliseconds, never going back). Answers with the code that is a new scan, or null. While
   * nobody wants to know (`deaf`), nothing is new, but what is held stays held; a code that is still there afterwards is new then.
   */
  see(codes: readonly SeenCode[], at: number, deaf = false): string | null {
    this.#forget(at);
    const held = codes.filter(({ text }) => this.#held.has(text));
    for (const { text } of held) this.#held.set(text, at);
    if (deaf) return null;
    const nearest = nearestOf(codes);
    if (nearest === null || this.#held.has(nearest.text)) return null;
    const rival = nearestOf(held);
    if (rival !== null && rival.off - nearest.off < CLEARLY_NEARER) return null;
    this.#held.set(nearest.text, at);
    this.#last = nearest.text;
    return nearest.text;
  }

  /** Whether the code was read, or is still held since. */
  holds(text: string): boolean {
    return this.#held.has(text);
  }

  #forget(at: number): void {
    for (const [text, seen] of this.#held) {
      if (at - seen >= (text === this.#last ? GONE_MS : GONE_AFTER_ANOTHER_MS)) this.#held.delete(text);
    }
  }
}

const nearestOf = (codes: readonly SeenCode[]): SeenCode | null =>
  codes.reduce<SeenCode | null>((best, one) => (best === null || one.off < best.off ? one : best), null);
