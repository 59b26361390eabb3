import { posix } from 'node:path';

/** One source file: its path from the root of the repository, with forward slashes, and its text. */
export interface Source {
  path: string;
  text: string;
}

export interface Import {
  from: string;
  /** As it is written in the file. */
  specifier: string;
  /** A path of the repository. Null for what is not ours: a library, or Node itself. */
  to: string | null;
  /** Removed before the code runs: `import type` and `export type` are. `import { type A }` still loads the file. */
  type: boolean;
}

/** A part of the repository and the other parts that it may import. Every part may import itself. */
interface Part {
  name: string;
  at: RegExp;
  /** Names of parts. Null: it may import anything. */
  may: readonly string[] | null;
}
const PARTS: readonly Part[] = [
  { name: 'test', at: /^(test|bench|drill)\/|\.(test|support)\.tsx?$|\/testing\.ts$|^vitest\.config\.ts$/, may: null },
  { name: 'checkin', at: /^packages\/checkin\//, may: [] },
  { name: 'sdk', at: /^packages\/sdk\//, may: [] },
  { name: 'contract', at: /^packages\/contract\//, may: ['checkin'] },
  { name: 'road', at: /^server\/src\/road\//, may: ['contract', 'store', 'common'] },
  { name: 'store', at: /^server\/src\/store\//, may: ['contract', 'common'] },
  // The words are those of mails and tickets.
  { name: 'outside', at: /^server\/src\/outside\//, may: ['contract', 'words', 'common'] },
  { name: 'areas', at: /^server\/src\/areas\/index\.ts$/, may: ['area', 'road'] },
  {
    name: 'area',
    at: /^server\/src\/areas\//,
    // The words are those of the registration pages and of mails, which areas make.
    may: ['road', 'store', 'outside', 'contract', 'checkin', 'words', 'common'],
  },
  { name: 'work', at: /^server\/src\/work\//, may: ['road', 'store', 'outside', 'contract', 'common'] },
  // The published document is made from the declarations of the operations, which the road defines.
  { name: 'openapi', at: /^server\/src\/openapi\//, may: ['contract', 'road', 'common'] },
  // The tools of agents are made from the declarations, like the document, and called over the road.
  { name: 'agents', at: /^server\/src\/agents\//, may: ['openapi', 'contract', 'road', 'store', 'common'] },
  // The built apps are files to it; it imports nothing of them.
  { name: 'app pages', at: /^server\/src\/web\//, may: ['road', 'common'] },
  { name: 'embedded', at: /^server\/src\/embedded\//, may: ['common'] },
  { name: 'cli', at: /^server\/(src\/cli|bin)\//, may: null },
  // What everything may use, such as ids, refusals, addresses and secrets. It knows nothing of the rest.
  { name: 'common', at: /^server\/src\/(common\/|clock\.ts$)/, may: ['contract'] },
  { name: 'config', at: /^server\/src\/config\.ts$/, may: ['contract', 'common'] },
  { name: 'composition', at: /^server\/src\/((start|service-pages)\/|main\.ts$)/, may: null },
  // The list of languages is the contract's.
  { name: 'words', at: /^packages\/words\//, may: ['contract'] },
  { name: 'client', at: /^packages\/client\//, may: ['contract'] },
  { name: 'ui', at: /^packages\/ui\//, may: ['client', 'words', 'contract'] },
  { name: 'scanner app', at: /^web\/scan\//, may: ['client', 'ui', 'words', 'contract', 'checkin'] },
  // The simulator of the organizer's app answers by the function of the door.
  { name: 'admin app', at: /^web\/admin\//, may: ['client', 'ui', 'words', 'contract', 'checkin'] },
  { name: 'web app', at: /^web\//, may: ['client', 'ui', 'words', 'contract'] },
  { name: 'integration', at: /^integrations\//, may: [] },
  { name: 'script', at: /^scripts\//, may: null },
];

export const partOf = (path: string): Part | null => PARTS.find((part) => part.at.test(path)) ?? null;
/** The unit that a file belongs to. Each area, web app and integration is a unit; every other part is one unit as a whole. */
const unitOf = (path: string): string =>
  /^(server\/src\/areas\/[^/]+|web\/[^/]+|integrations\/[^/]+)\//.exec(path)?.[1] ?? partOf(path)?.name ?? path;

// A statement begins its line (Biome formats it so). A word in a comment or a string is therefore not mistaken for one.
const STATEMENT = /^(import|export)(\s+type(?=\s*[{*]|\s+\w+\s+from))?\b[^;'"`()]*?\bfrom\s*['"]([^'"]+)['"]/gm;
const EFFECT = /^import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** The file that the name of each workspace leads to: `@turnout/contract` → `packages/contract/src/index.ts`. */
export type Workspaces = ReadonlyMap<string, string>;

export function importsOf({ path, text }: Source, workspaces: Workspaces): Import[] {
  const found: { specifier: string; type: boolean }[] = [
    ...[...text.matchAll(STATEMENT)].map((match) => ({ specifier: match[3]!, type: match[2] !== undefined })),
    ...[...text.matchAll(EFFECT)].map((match) => ({ specifier: match[1]!, type: false })),
    ...[...text.matchAll(DYNAMIC)].map((match) => ({ specifier: match[1]!, type: false })),
  ];
  return found.map(({ specifier, type }) => ({ from: path, specifier, type, to: target(path, specifier, workspaces) }));
}

function target(from: string, specifier: string, workspaces: Workspaces): string | null {
  if (specifier.startsWith('.')) return posix.normalize(posix.join(posix.dirname(from), specifier));
  if (specifier.startsWith('/')) return specifier;
  const named = workspaces.get(specifier);
  if (named !== undefined) return named;
  const scope = [...workspaces.keys()].find((name) => specifier.startsWith(`${name}/`));
  return scope === undefined ? null : posix.join(posix.dirname(workspaces.get(scope)!), specifier.slice(scope.length));
}

/** One sentence for every import that a rule forbids. */
export function forbidden(sources: readonly Source[], workspaces: Workspaces): string[] {
  return sources.flatMap((source) =>
    importsOf(source, workspaces).flatMap((one) => {
      const why = objection(one);
      return why === null ? [] : [`${one.from} imports ${one.specifier}: ${why}`];
    }),
  );
}

/** What a browser loads. One value of the contract would bring TypeBox with it, 33 kB compressed. */
const BROWSER = ['words', 'client', 'ui', 'scanner app', 'admin app', 'web app'];

function objection({ from, to, specifier, type }: Import): string | null {
  const part = partOf(from);
  if (part === null) return 'this file belongs to no part; add its folder to PARTS in test/support/architecture.ts';
  if (part.name === 'test' || to === null) return null;
  const other = partOf(to);
  if (other === null)
    return 'the imported file belongs to no part; add its folder to PARTS in test/support/architecture.ts';
  if (other.name === 'test') return 'the product must not import its tests';
  const root = (path: string) => /^((packages|web|integrations)\/[^/]+|server)\//.exec(path)?.[1] ?? '';
  if (specifier.startsWith('.') && root(from) !== root(to))
    return 'another package must be imported by its name, not by a path';
  if (unitOf(from) === unitOf(to)) return null;
  if (BROWSER.includes(part.name) && to === 'packages/contract/src/index.ts' && !type)
    return 'a browser loads only types of the contract, by `import type`; values are in files without schemas, such as @turnout/contract/access';
  const areaToArea = part.name === 'area' && other.name === 'area';
  if (areaToArea || part.name === 'areas') {
    if (other.name === 'area' && !/^server\/src\/areas\/[^/]+\/index\.ts$/.test(to)) {
      return 'another area must be imported through its index.ts';
    }
    if (areaToArea) return null;
  }
  if (part.may === null || part.may.includes(other.name)) return null;
  const allowed = part.may.length === 0 ? 'nothing of ours' : `only ${part.may.join(', ')}`;
  return `${part.name} may import ${allowed}, not ${other.name}`;
}

/**
 * Circles of files that import each other, each told once, as the path that closes it. Imports of types count: files that need each
 * other's types can only be read and changed together, even though they load one after the other.
 */
export function circles(sources: readonly Source[], workspaces: Workspaces): string[][] {
  const known = new Set(sources.map((source) => source.path));
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source, workspaces).flatMap((one) => (one.to !== null && known.has(one.to) ? [one.to] : [])),
    ]),
  );
  const done = new Set<string>();
  const trail: string[] = [];
  const found = new Map<string, string[]>();
  const visit = (path: string): void => {
    const open = trail.indexOf(path);
    if (open >= 0) {
      const circle = trail.slice(open);
      found.set([...circle].sort().join(' '), [...circle, path]);
      return;
    }
    if (done.has(path)) return;
    trail.push(path);
    for (const next of edges.get(path) ?? []) visit(next);
    trail.pop();
    done.add(path);
  };
  for (const path of edges.keys()) visit(path);
  return [...found.values()];
}
