import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Turnout } from './client.ts';
import { compile, installPacked, PRINTED, PROGRAMS, README, run } from './published.support.ts';

const project = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-sdk-')));
const installed = join(project, 'node_modules/@turnout/sdk');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
const STRICTEST = { isolatedDeclarations: true, erasableSyntaxOnly: true };

beforeAll(() => installPacked(project));
afterAll(() => rmSync(project, { recursive: true, force: true }));

const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(join(installed, folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(ending));

describe('packed by `npm pack` and installed in an empty project', () => {
  test('it has modules in two formats, types, the vectors and its license, and neither sources nor dependencies', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'webhook-vectors.json']));
    for (const ending of ['.js', '.d.ts']) {
      expect(filesOf('dist/esm', ending)).toEqual(expect.arrayContaining([`index${ending}`]));
      expect(filesOf('dist/cjs', ending).sort()).toEqual(filesOf('dist/esm', ending).sort());
    }
    expect(files.filter((path) => /(?<!\.d)\.ts$|\.test\.|support|tsconfig|test-data|building/.test(path))).toEqual([]);
    const { dependencies, private: hidden } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect({ dependencies, hidden }).toEqual({ dependencies: undefined, hidden: undefined });
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@turnout']);
  });

  test('it uses nothing that only Node has', () => {
    for (const path of filesOf('dist', '.js')) {
      const text = readFileSync(join(installed, 'dist', path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      const allowed = text.replaceAll(/\brequire\("\.\.?\//g, '');
      expect(allowed.match(/\bnode:|\bprocess\b|\bBuffer\b|\brequire\(|\b__dirname\b/g), path).toBeNull();
    }
  });

  test.each([
    ['node16', 'module'],
    ['node16', 'commonjs'],
    ['nodenext', 'module'],
    ['nodenext', 'commonjs'],
    ['bundler', 'module'],
  ] as const)('a program compiles with strict settings: moduleResolution %s, %s', (resolution, type) => {
    expect(README).toContain('DayFullError');
    const options = type === 'module' ? { ...STRICTEST, verbatimModuleSyntax: true } : STRICTEST;
    expect(compile(project, tsc, resolution, type, options)).toBe('');
  });

  test.each(['run.mjs', 'run.cjs'] as const)('a program runs in this Node: %s', (file) => {
    writeFileSync(join(project, file), PROGRAMS[file]);
    expect(run(process.execPath, [file], project)).toBe(`${PRINTED}\n`);
  });
});

/** Bytes with gzip of a program that a bundler makes. The limits are about twice what it was when they were set. */
describe.each([
  ['the verifier alone', "export { verify } from '@turnout/sdk';", 2400],
  ['the whole client', "export { Turnout, verify } from '@turnout/sdk';", 17_000],
])('the size of %s', (what, contents, limit) => {
  test(`is below ${limit} bytes with gzip`, async () => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    });
    const { text } = outputFiles[0]!;
    const gzipped = gzipSync(text).length;
    console.info(`the SDK, ${what}: ${text.length} bytes, ${gzipped} gzipped`);
    expect(gzipped).toBeLessThan(limit);
    expect(text.includes('needs a key')).toBe(what === 'the whole client');
  });
});

test('the sources of the workspace are what was built', () => {
  expect(readFileSync(join(installed, 'dist/esm/client.js'), 'utf8')).toContain(`class ${Turnout.name} `);
});
