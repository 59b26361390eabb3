import type { Method } from './operation.ts';

export const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface Place {
  words: Map<string, Place>;
  any: Place | null;
  methods: Set<string>;
}
const place = (): Place => ({ words: new Map(), any: null, methods: new Set() });

/** Which methods an address takes: told to whoever comes with another one (405 and its `Allow`). */
export class Offered {
  readonly #root = place();
  #deepest = 0;

  /** A route as Fastify has it: `/v1/events/:event`. */
  add(pattern: string, methods: string | readonly string[]): void {
    let at = this.#root;
    const words = pattern.split('/');
    this.#deepest = Math.max(this.#deepest, words.length);
    for (const word of words) {
      if (word.startsWith(':')) {
        at.any ??= place();
        at = at.any;
      } else {
        const next = at.words.get(word) ?? place();
        at.words.set(word, next);
        at = next;
      }
    }
    for (const method of [methods].flat()) at.methods.add(method);
  }

  /** Empty where there is no such address. */
  at(url: string): string[] {
    const words = url.split(/[?#]/, 1)[0]!.split('/', this.#deepest + 1);
    if (words.length > this.#deepest) return [];
    // A word goes before a parameter, as in the router.
    const walk = (at: Place, index: number): Place | null => {
      if (index === words.length) return at.methods.size > 0 ? at : null;
      const word = decoded(words[index]!);
      if (word === null) return null;
      const next = at.words.get(word);
      return (next && walk(next, index + 1)) ?? (word !== '' && at.any !== null ? walk(at.any, index + 1) : null);
    };
    const methods = walk(this.#root, 0)?.methods ?? new Set();
    return METHODS.filter((method) => methods.has(method));
  }
}

function decoded(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}
