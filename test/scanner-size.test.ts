import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildApp } from '../scripts/apps.mjs';
import { readBuiltApp } from '../server/src/web/built-app.ts';

/** In kB, compressed by gzip. The decoder's WebAssembly is not part of it: it comes once, and is kept by the service worker. */
const FIRST = 150;
let folder: string;
let sizes: Map<string, number>;
beforeAll(async () => {
  folder = (await buildApp('scan'))!;
  const { assets, beside } = (await readBuiltApp(join(folder, '..')))!;
  sizes = new Map([...assets, ...beside].map(([name, { gzip, bytes }]) => [name, (gzip ?? bytes).length]));
});

test(`the scanner loads at most ${FIRST} kB at first: all its scripts, styles and words, without the decoder and fonts`, () => {
  // Every script counts, also one that is loaded later or by a worker: without a network it has to be there from the beginning.
  const scripts = [...sizes].filter(([name]) => /\.(js|css)$/.test(name));
  const kB = scripts.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
  console.log(`The scanner loads ${kB.toFixed(1)} kB of scripts and styles in ${scripts.length} files.`);
  expect(scripts.map(([name]) => name)).toContain('sw.js');
  expect(kB).toBeLessThanOrEqual(FIRST);
});

test('neither React nor TypeBox is in it', () => {
  for (const name of sizes.keys()) {
    if (!name.endsWith('.js') || name === 'sw.js') continue;
    const text = readFileSync(join(folder, 'assets', name), 'utf8');
    expect(text, name).not.toContain('~kind');
    expect(text, name).not.toContain('react.transitional.element');
  }
});
