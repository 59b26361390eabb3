import type { FastifyInstance } from 'fastify';

export interface Address {
  /** With `:name` for variable parts, and `*` for anything. */
  path: string;
  methods: string[];
}

/** Every address that the server answers at, as its router prints them: a tree whose branches are the parts of a path. */
export function addressesOf(app: FastifyInstance): Address[] {
  const addresses: Address[] = [];
  const parts: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const found = /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>[A-Z, ]+)\))?$/.exec(line);
    if (found === null) continue;
    const { indent, part, methods } = found.groups!;
    const depth = indent!.length / 4;
    parts.splice(depth, parts.length, part!);
    if (methods !== undefined) addresses.push({ path: parts.join(''), methods: methods.split(', ') });
  }
  return addresses;
}
