import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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

const read = (): Packages =>
  JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')).packages;

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

test('the lockfile names every package for every system, so `npm ci` works', () => {
  const packages = read();
  expect(missing(packages)).toEqual([]);
  delete packages['node_modules/@biomejs/cli-win32-x64'];
  expect(missing(packages)).toEqual(['@biomejs/cli-win32-x64 of node_modules/@biomejs/biome']);
});

test('every package from a registry has a checksum, and none the address of a registry', () => {
  const fromRegistry = Object.entries(read()).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  expect(fromRegistry.length).toBeGreaterThan(300);
  expect(fromRegistry.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  expect(fromRegistry.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
