import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/**
 * `npm ci` refuses a lockfile that lacks an entry for an optional package, also for one that only another system would
 * install. npm leaves such entries out, without a word, when the registry does not have that build. The remedy is a version
 * of the package whose builds for every system can be had.
 */
interface Entry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
type Packages = Record<string, Entry>;

/** Each with the number of packages that it has at least. */
const LOCKFILES = [
  ['package-lock.json', 300],
  ['integrations/zapier/package-lock.json', 50],
  ['integrations/n8n/package-lock.json', 300],
] as const;

const read = (path: string): Packages =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).packages;

/** Where Node would find the package `name`: beside the package at `path` or in a folder above it. */
function found(packages: Packages, path: string, name: string): boolean {
  for (let folder = path; ; ) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')));
  }
}

const missing = (packages: Packages): string[] =>
  Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !found(packages, path, name))
      .map((name) => `${name} of ${path}`),
  );

describe.each(LOCKFILES)('%s', (path, least) => {
  test('names every package for every system, so `npm ci` works', () => {
    expect(missing(read(path))).toEqual([]);
  });

  test('has a checksum for every package from a registry, and no address of one', () => {
    const entries = Object.entries(read(path)).filter(([at, { link }]) => at.includes('node_modules/') && !link);
    expect(entries.length).toBeGreaterThan(least);
    expect(entries.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
    expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});

test('a package that is missing is found', () => {
  const packages = read('package-lock.json');
  delete packages['node_modules/@biomejs/cli-win32-x64'];
  expect(missing(packages)).toEqual(['@biomejs/cli-win32-x64 of node_modules/@biomejs/biome']);
});
