import type { Method } from '../operation.ts';

export const METHODS: readonly Method[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

interface Node {
  words: Map<string, Node>;
  /** Below a parameter. */
  any: Node | null;
  methods: Set<string>;
}
const node = (): Node => ({ words: new Map(), any: null, methods: new Set() });

/** Which methods each address takes. A call with another method is refused with 405, which lists them in `Allow`. */
export class Offered {
  readonly #root = node();
  #deepest = 0;

  /** Adds a route as Fastify spells it: `/v1/events/:event`. */
  add(pattern: string, methods: string | readonly string[]): void {
    let at = this.#root;
    const words = pattern.split('/');
    this.#deepest = Math.max(this.#deepest, words.length);
    for (const word of words) {
      if (word.startsWith(':')) {
        at.any ??= node();
        at = at.any;
      } else {
        const next = at.words.get(word) ?? node();
        at.words.set(word, next);
        at = next;
      }
    }
    for (const method of [methods].flat()) at.methods.add(method);
  }

  /** The methods that an address takes. Empty if there is no such address. */
  at(url: string): string[] {
    const words = url.split(/[?#]/, 1)[0]!.split('/', this.#deepest + 1);
    if (words.length > this.#deepest) return [];
    // A fixed word goes before a parameter, as in the router.
    const walk = (at: Node, index: number): Node | null => {
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
