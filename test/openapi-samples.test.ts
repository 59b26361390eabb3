import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonForTests } from '../scripts/python.mjs';
import { operations } from '../server/src/areas/index.ts';
import { openapiDocument } from '../server/src/openapi/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;
const root = fileURLToPath(new URL('../', import.meta.url));
const python = await pythonForTests();
const described = Object.values<Any>(openapiDocument(operations).paths as Any)
  .flatMap((item) => Object.values<Any>(item))
  .filter((one) => one.operationId !== undefined);

/** Runs a program to its end, and returns everything that it printed. */
const run = (command: string, args: string[], env: Record<string, string> = {}): Promise<string> =>
  new Promise((done) => {
    const options = { cwd: root, env: { ...process.env, NO_COLOR: '1', ...env }, maxBuffer: 1e8 };
    execFile(command, args, options, (_error, out, err) => done(`${out}${err}`.trim()));
  });

describe('the samples of the operations fit the client libraries', { timeout: 180_000 }, () => {
  // Inside the project, so that the samples find the SDK where an integration finds it.
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
    folder = mkdtempSync(join(root, 'node_modules/.cache/samples-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes the samples of a language as files, one for each operation, and returns the folder. */
  function write(label: string, ending: string, damage = (source: string) => source): string {
    const into = mkdtempSync(join(folder, `${ending}-`));
    for (const { operationId, 'x-codeSamples': samples } of described) {
      const { source } = samples.find((one: Any) => one.label === label);
      writeFileSync(join(into, `${operationId}.${ending}`), `${damage(source)}\n`);
    }
    return into;
  }
  const renamed = (source: string) => source.replace(/events\.list\b/, 'events.enumerate');

  const compile = (into: string) => {
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const reading = { module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: ['node'] };
    const compilerOptions = { ...strict, ...reading, noEmit: true, allowImportingTsExtensions: true };
    writeFileSync(
      join(into, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, moduleDetection: 'force' }, include: ['*.mts'] }),
    );
    return run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', into]);
  };

  test('each operation has one in curl, TypeScript and Python', () => {
    expect(described.length).toBeGreaterThan(120);
    const labels = described.map((one) => one['x-codeSamples']?.map((sample: Any) => sample.label).join());
    expect(new Set(labels)).toEqual(new Set(['curl,TypeScript,Python']));
  });

  test('TypeScript', async () => {
    expect(await compile(write('TypeScript', 'mts'))).toBe('');
    expect(await compile(write('TypeScript', 'mts', renamed))).toContain("Property 'enumerate' does not exist");
  });

  test.skipIf(python === null)('Python', async () => {
    const check = (into: string) =>
      run(python!.python, ['-m', 'mypy', '--cache-dir', join(folder, 'mypy'), into], {
        MYPYPATH: join(root, 'packages/python/src'),
      });
    expect(await check(write('Python', 'py'))).toMatch(/^Success: no issues found in \d+ source files$/);
    expect(await check(write('Python', 'py', renamed))).toContain('has no attribute "enumerate"');
  });

  test('curl: the shell reads each of them', async () => {
    const into = write('curl', 'sh');
    expect(await run('sh', ['-c', `for file in "${into}"/*.sh; do sh -n "$file"; done`])).toBe('');
  });
});
