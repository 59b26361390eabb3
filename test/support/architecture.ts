import { posix } from 'node:path';

/** One source file: its path from the root of the repository, with forward slashes, and its text. */
export interface Source {
  path: string;
  text: string;
}

export interface Import {
  from: string;
  /** As written. */
  specifier: string;
  /** A path of the repository; null when it is not ours (a library, Node). */
  to: string | null;
  /** Gone at run time. Only `import type` and `export type`: `import { type A }` still loads the file. */
  type: boolean;
}

/** Who may import whom. A part may always import itself; clock.ts, secrets.ts and unicode.ts are everybody's. */
interface Part {
  name: string;
  at: RegExp;
  /** Names of parts; null: anything. */
  may: readonly string[] | null;
}
const PARTS: readonly Part[] = [
  { name: 'test', at: /^(test|bench)\/|\.(test|support)\.ts$|\/testing\.ts$|^vitest\.config\.ts$/, may: null },
  { name: 'checkin', at: /^packages\/checkin\//, may: [] },
  { name: 'sdk', at: /^packages\/sdk\//, may: [] },
  { name: 'contract', at: /^packages\/contract\//, may: ['checkin'] },
  { name: 'road', at: /^server\/src\/road\//, may: ['contract', 'store', 'common'] },
  { name: 'store', at: /^server\/src\/store\//, may: ['contract', 'common'] },
  { name: 'outside', at: /^server\/src\/outside\//, may: ['contract', 'road', 'store', 'common'] },
  { name: 'areas', at: /^server\/src\/areas\/index\.ts$/, may: ['area', 'road'] },
  {
    name: 'area',
    at: /^server\/src\/areas\//,
    may: ['road', 'store', 'outside', 'contract', 'checkin', 'common'],
  },
  { name: 'work', at: /^server\/src\/work\//, may: ['road', 'store', 'outside', 'contract', 'common'] },
  // The published document is read off the declarations.
  { name: 'openapi', at: /^server\/src\/openapi\//, may: ['contract', 'road', 'common'] },
  { name: 'embedded', at: /^server\/src\/embedded\//, may: ['common'] },
  { name: 'cli', at: /^server\/(src\/cli|bin)\//, may: null },
  { name: 'common', at: /^server\/src\/(clock|secrets|sha256|unicode)\.ts$/, may: [] },
  { name: 'config', at: /^server\/src\/config\.ts$/, may: ['contract', 'common'] },
  { name: 'composition', at: /^server\/src\/[^/]+\.ts$/, may: null },
  { name: 'scanner app', at: /^web\/scanner\//, may: ['sdk', 'contract', 'checkin'] },
  { name: 'web app', at: /^web\//, may: ['sdk', 'contract'] },
  { name: 'integration', at: /^integrations\//, may: [] },
  { name: 'script', at: /^scripts\//, may: null },
];

export const partOf = (path: string): Part | null => PARTS.find((part) => part.at.test(path)) ?? null;
/** Areas, web apps and integrations are several of a kind; the others are one. */
const unitOf = (path: string): string =>
  /^(server\/src\/areas\/[^/]+|web\/[^/]+|integrations\/[^/]+)\//.exec(path)?.[1] ?? partOf(path)?.name ?? path;

// Statements start their line (Biome sees to it), so a word in a comment or a string is not taken for one.
const STATEMENT = /^(import|export)(\s+type(?=\s*[{*]|\s+\w+\s+from))?\b[^;'"`()]*?\bfrom\s*['"]([^'"]+)['"]/gm;
const EFFECT = /^import\s*['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** Names of workspaces and the files they lead to: `@turnout/contract` → `packages/contract/src/index.ts`. */
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

/** Every import that a rule forbids, in words. */
export function forbidden(sources: readonly Source[], workspaces: Workspaces): string[] {
  return sources.flatMap((source) =>
    importsOf(source, workspaces).flatMap((one) => {
      const why = objection(one);
      return why === null ? [] : [`${one.from} imports ${one.specifier}: ${why}`];
    }),
  );
}

function objection({ from, to, specifier }: Import): string | null {
  const part = partOf(from);
  if (part === null) return 'no rule says what this file is; add its folder to PARTS';
  if (part.name === 'test' || to === null) return null;
  const other = partOf(to);
  if (other === null) return 'it leads to a file that no rule knows';
  if (other.name === 'test') return 'the product must not need its tests';
  const root = (path: string) => /^((packages|web|integrations)\/[^/]+|server)\//.exec(path)?.[1] ?? '';
  if (specifier.startsWith('.') && root(from) !== root(to)) return 'another package is imported by its name';
  if (unitOf(from) === unitOf(to)) return null;
  const areaToArea = part.name === 'area' && other.name === 'area';
  if (areaToArea || part.name === 'areas') {
    if (other.name === 'area' && !/^server\/src\/areas\/[^/]+\/index\.ts$/.test(to)) {
      return 'another area is imported only through its index.ts';
    }
    if (areaToArea) return null;
  }
  if (part.may === null || part.may.includes(other.name)) return null;
  const allowed = part.may.length === 0 ? 'nothing of ours' : `only ${part.may.join(', ')}`;
  return `${part.name} may import ${allowed}, not ${other.name}`;
}

/** Circles of files that load each other, each once, as the path that closes it. */
export function circles(sources: readonly Source[], workspaces: Workspaces): string[][] {
  const known = new Set(sources.map((source) => source.path));
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source, workspaces).flatMap((one) =>
        !one.type && one.to !== null && known.has(one.to) ? [one.to] : [],
      ),
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
