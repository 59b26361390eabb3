import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../scripts/apps.mjs';
import { readBuiltApp } from '../server/src/web/built-app.ts';
import { appRoutes } from './support/app-routes.ts';

interface Part {
  file: string;
  imports?: string[];
}
const FIRST = 130;
const FURTHER = 50;
let folder: string;
let manifest: Record<string, Part>;
/** How many bytes the server sends for a file to a browser that takes gzip. */
let sentBytes: (file: string) => number;
beforeAll(async () => {
  folder = (await buildApp('admin'))!;
  manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
  const { assets } = (await readBuiltApp(join(folder, '..')))!;
  sentBytes = (file) => {
    const { gzip, bytes } = assets.get(file.replace('assets/', ''))!;
    return (gzip ?? bytes).length;
  };
});

/** The files that are loaded with some parts: their own, and whatever these import. */
function filesOf(...names: string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const part = manifest[name];
    if (part === undefined) throw new Error(`${name} is not in the build.`);
    if (seen.has(part.file)) return;
    seen.add(part.file);
    part.imports?.forEach(visit);
  };
  names.forEach(visit);
  return seen;
}
const kB = (files: Iterable<string>): number => [...files].reduce((sum, file) => sum + sentBytes(file), 0) / 1000;
// German texts are the longest.
const words = (...areas: string[]) => areas.map((area) => `../../packages/words/src/de/${area}.ts`);
/** The passkeys that the field for the address offers are loaded right after the screen was drawn. */
const PASSKEYS = /simplewebauthn/;
const firstScreen = () =>
  filesOf(
    'index.html',
    'src/screens/sign-in/sign-in.tsx',
    ...words('common', 'nouns', 'sign-in'),
    ...Object.keys(manifest).filter((name) => PASSKEYS.test(name)),
  );

describe('JavaScript as the server sends it, compressed by gzip', () => {
  test(`the first screen loads at most ${FIRST} kB, without the router and react-aria`, () => {
    const files = firstScreen();
    console.log(`The sign-in screen loads ${kB(files).toFixed(1)} kB of JavaScript in ${files.size} files.`);
    expect(Object.keys(manifest).filter((name) => PASSKEYS.test(name))).toHaveLength(1);
    expect(kB(files)).toBeLessThanOrEqual(FIRST);
    expect([...files].filter((file) => /aria|router/.test(file))).toEqual([]);
  });

  const all = (address: string) => {
    const { file, frames, areas } = appRoutes().find((one) => one.address === address)!;
    return filesOf(file, 'src/screens.tsx', ...frames, ...words(...areas));
  };

  test(`Home loads at most ${FURTHER} kB right after that, with the router and the shell; each other screen at most as much more`, () => {
    const signIn = firstScreen();
    const home = all('/$org');
    const rest = (files: Iterable<string>, ...there: ReadonlySet<string>[]) =>
      Math.round(kB([...files].filter((one) => !there.some((some) => some.has(one)))) * 10) / 10;
    const sizes = appRoutes().map(({ address }) => {
      const there = address === '/$org' ? [signIn] : [signIn, home];
      return [address, rest(all(address), ...there), rest(all(address), signIn)] as const;
    });
    console.log(
      sizes.map(([address, more, right]) => `${address}: ${more} kB (${right} kB right after signing in)`).join('\n'),
    );
    expect(sizes.length).toBeGreaterThan(50);
    expect(sizes.filter(([, more]) => more > FURTHER)).toEqual([]);
  });

  test('TypeBox is in none of it', () => {
    for (const { file } of Object.values(manifest)) {
      if (file.endsWith('.js')) expect(readFileSync(join(folder, file), 'utf8'), file).not.toContain('~kind');
    }
  });
});
