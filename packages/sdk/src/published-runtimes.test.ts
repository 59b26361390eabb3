import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, installPacked, PRINTED, PROGRAMS, RESOLUTIONS, run } from './published.support.ts';

/**
 * The packed SDK in each runtime, with each module system and with compilers old and new. All of them are packages of npm in a pinned
 * version; if one cannot be had, the test fails. published.test.ts tries the Node and the compiler of the repository.
 */
const NODES = { 'Node 20': '20.19.6', 'Node 22': '22.23.3', 'Node 24': '24.21.0' };
/** The first one is the oldest that knows `Uint8Array<ArrayBuffer>`, which the types name. */
const COMPILERS = ['5.7.3', '5.9.3', '7.0.2'];
const BUN = '1.4.4';
const JEST = '30.5.2';

const project = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-sdk-runtimes-')));
const packages = join(project, 'node_modules');
const platform = `${process.platform}-${process.arch}`;
const nodeOf = (version: string) => join(packages, `node-${version}`, 'bin/node');
const bun = join(packages, 'bun/bin/bun');
const tscOf = (version: string) => join(packages, `typescript-${version}`, 'bin/tsc');
const jest = join(packages, 'jest/bin/jest.js');

beforeAll(() => {
  installPacked(project, [
    ...Object.values(NODES).map((version) => `node-${version}@npm:node-${platform}@${version}`),
    ...COMPILERS.map((version) => `typescript-${version}@npm:typescript@${version}`),
    `bun@npm:@oven/bun-${platform.replace('arm64', 'aarch64')}@${BUN}`,
    `jest@${JEST}`,
  ]);
  for (const [file, text] of Object.entries(PROGRAMS)) writeFileSync(join(project, file), text);
}, 900_000);
const rows: string[] = [];
afterAll(() => {
  console.info(`the packed SDK:\n${rows.join('\n')}`);
  rmSync(project, { recursive: true, force: true });
});

const row = (what: string, how: string) => rows.push(`| ${what} | ${how} | runs |`);

describe.each(Object.entries(NODES))('%s', (name, version) => {
  const node = nodeOf(version);

  test.each([
    ['ES modules', 'run.mjs'],
    ['CommonJS', 'run.cjs'],
  ])('a program runs: %s', (how, file) => {
    expect(run(node, ['--version'], project)).toBe(`v${version}\n`);
    expect(run(node, [file], project)).toBe(`${PRINTED}\n`);
    row(name, how);
  });

  test.each([
    ['CommonJS', 'jest.cjs', []],
    ['ES modules', 'jest.mjs', ['--experimental-vm-modules']],
  ])('a test of Jest runs: %s', (how, file, options) => {
    const config = JSON.stringify({
      testMatch: [`<rootDir>/${file}`],
      transform: {},
      moduleFileExtensions: ['js', 'mjs', 'cjs'],
    });
    const said = run(
      node,
      [...options, jest, '--rootDir', project, '--config', config, '--json', '--watchman=false'],
      project,
    );
    expect(JSON.parse(said)).toMatchObject({ numPassedTests: 1, numTotalTests: 1, success: true });
    row(name, `Jest ${JEST}, ${how}`);
  });
});

test.each([
  ['ES modules', 'run.mjs'],
  ['CommonJS', 'run.cjs'],
])(`a program runs in Bun ${BUN}: %s`, (how, file) => {
  expect(run(bun, [file], project)).toBe(`${PRINTED}\n`);
  row(`Bun ${BUN}`, how);
});

/** The newest compiler no longer knows `node10`. A bundler's programs are always modules. */
const SETTINGS = COMPILERS.flatMap((version) =>
  (Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])
    .filter((resolution) => resolution !== 'node10' || !version.startsWith('7.'))
    .flatMap((resolution) =>
      (['module', 'commonjs'] as const)
        .filter((type) => type === (resolution === 'bundler' ? 'module' : resolution === 'node10' ? 'commonjs' : type))
        .map((type) => ({ version, resolution, type })),
    ),
);

test.each(SETTINGS)('TypeScript $version compiles a program: moduleResolution $resolution, $type', (setting) => {
  const { version, resolution, type } = setting;
  expect(compile(project, tscOf(version), resolution, type)).toBe('');
  rows.push(`| TypeScript ${version} | moduleResolution \`${resolution}\`, ${type} | compiles |`);
});
