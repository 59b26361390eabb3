import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildApps } from '../scripts/apps.mjs';

interface Part {
  file: string;
  imports?: string[];
}
const FIRST = 130;
const FURTHER = 50;
let folder: string;
let manifest: Record<string, Part>;
beforeAll(async () => {
  folder = (await buildApps())!;
  manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'));
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
const kB = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length, 0) / 1000;
const words = (area: string) => `../../packages/words/src/de/${area}.ts`;
const firstScreen = () =>
  filesOf('index.html', 'src/screens/sign-in.tsx', words('common'), words('nouns'), words('sign-in'));
const screens = () => Object.keys(manifest).filter((name) => name.startsWith('src/screens/'));

describe('JavaScript, compressed by gzip', () => {
  test(`the first screen loads at most ${FIRST} kB, and nothing of react-aria`, () => {
    const size = kB(firstScreen());
    console.log(`The sign-in screen loads ${size.toFixed(1)} kB of JavaScript in ${firstScreen().size} files.`);
    expect(size).toBeLessThanOrEqual(FIRST);
    expect([...firstScreen()].filter((file) => /aria/.test(file))).toEqual([]);
  });

  test(`each further screen loads at most ${FURTHER} kB more, with the shell around it`, () => {
    const there = firstScreen();
    const sizes = screens().map((name) => {
      const more = [...filesOf(name, 'src/frame/organization-frame.tsx')].filter((file) => !there.has(file));
      return [name, Math.round(kB(more) * 10) / 10] as const;
    });
    console.log(sizes.map(([name, size]) => `${name}: ${size} kB`).join('\n'));
    expect(sizes.length).toBeGreaterThan(5);
    expect(sizes.filter(([, size]) => size > FURTHER)).toEqual([]);
  });

  test('TypeBox is in none of it', () => {
    for (const { file } of Object.values(manifest)) {
      if (file.endsWith('.js')) expect(readFileSync(join(folder, file), 'utf8'), file).not.toContain('~kind');
    }
  });
});
