import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { APPS, buildApp } from '../scripts/apps.mjs';

let at: string;
let builds: string;
let built: string[];
let said: string[];
beforeEach(() => {
  at = mkdtempSync(join(tmpdir(), 'turnout-apps-'));
  builds = join(at, 'web', 'dist');
  built = [];
  said = [];
  write('web/src/main.tsx', 'one');
  write('lock.json', '{}');
});
afterEach(() => rmSync(at, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(at, path, '..'), { recursive: true });
  writeFileSync(join(at, path), text);
}
/** Builds a page that says what the sources say. */
const make = async (folder: string): Promise<boolean> => {
  built.push(folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.html'), readFileSync(join(at, 'web/src/main.tsx')));
  return true;
};
const build = (options: Parameters<typeof buildApp>[1] = {}) =>
  buildApp('admin', { at, sources: ['web', 'lock.json'], builds, make, say: (line) => said.push(line), ...options });
const served = () => readFileSync(join(builds, readFileSync(join(builds, 'current'), 'utf8'), 'index.html'), 'utf8');

test('the same sources are built once, with a line that says so', async () => {
  const first = await build();
  expect(await build()).toBe(first);
  expect(built).toHaveLength(1);
  expect(said).toEqual([
    'building the organizer’s app (once) …',
    expect.stringMatching(/^built the organizer’s app in \d+ s$/),
  ]);
});

test.each([
  ['a source', () => write('web/src/main.tsx', 'two'), 'two'],
  ['a new file', () => write('web/src/more/screen.tsx', 'x'), 'one'],
  ['a renamed file', () => write('web/src/main2.tsx', 'one'), 'one'],
  ['the lockfile', () => write('lock.json', '{"vite":"9"}'), 'one'],
])('%s that changed is built again and served', async (_what, change, page) => {
  await build();
  change();
  await build();
  expect(built).toHaveLength(2);
  expect(served()).toBe(page);
});

test.each([
  ['a test', () => write('web/src/main.test.ts', 'x')],
  ['a build', () => write('web/dist/other/x.js', 'x')],
  ['an installed package', () => write('web/node_modules/a/x.js', 'x')],
])('%s is no source', async (_what, change) => {
  await build();
  change();
  await build();
  expect(built).toHaveLength(1);
});

test('sources that were changed back are served without building again', async () => {
  await build();
  write('web/src/main.tsx', 'two');
  await build();
  write('web/src/main.tsx', 'one');
  await build();
  expect([built.length, served()]).toEqual([2, 'one']);
});

test('two starts at once do not spoil each other: both find the whole build, and nothing else is left', async () => {
  let arrived = 0;
  let open = () => {};
  const both = new Promise<void>((resolve) => {
    open = resolve;
  });
  const together = async (folder: string) => {
    const made = await make(folder);
    arrived += 1;
    if (arrived === 2) open();
    await both;
    return made;
  };
  const [one, two] = await Promise.all([build({ make: together }), build({ make: together })]);
  expect(one).toBe(two);
  expect(built).toHaveLength(2);
  expect(readdirSync(builds).sort()).toEqual([one!.slice(builds.length + 1), 'current'].sort());
  expect(served()).toBe('one');
});

test('a build that fails or breaks off leaves nothing to be served, and the next one tries again', async () => {
  const fails = async (folder: string) => {
    await make(folder);
    return false;
  };
  expect(await build({ make: fails })).toBeNull();
  const breaks = async (folder: string) => {
    await make(folder);
    throw new Error('the disk is full');
  };
  expect(await build({ make: breaks })).toBeNull();
  expect(said.join('\n')).toContain('the disk is full');
  expect(existsSync(join(builds, 'current'))).toBe(false);
  expect(readdirSync(builds)).toEqual([]);
  await build();
  expect(served()).toBe('one');
});

test('builds of older sources go after a day', async () => {
  const old = (await build())!;
  write('web/src/main.tsx', 'two');
  const kept = (await build())!;
  const dayAgo = Date.now() / 1000 - 100_000;
  utimesSync(old, dayAgo, dayAgo);
  write('web/src/main.tsx', 'three');
  await build();
  expect([existsSync(old), existsSync(kept), served()]).toEqual([false, true, 'three']);
});

test('each app is built by itself: a change in one leaves the other alone, and what both use changes both', () => {
  const { admin, scan } = APPS;
  expect([admin.sources.includes('web/scan'), scan.sources.includes('web/admin')]).toEqual([false, false]);
  for (const { sources } of [admin, scan]) {
    expect(sources).toEqual(
      expect.arrayContaining(['packages/checkin', 'packages/client', 'packages/words', 'package-lock.json']),
    );
  }
});
