import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { pythonForTests } from '../scripts/python.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const document = join(root, 'docs/reference/openapi.json');
const python = await pythonForTests();
const folder = mkdtempSync(join(tmpdir(), 'turnout-generators-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program to its end, and returns its exit code and everything that it printed. */
function run(command: string, args: string[], path = ''): Promise<{ code: number; said: string }> {
  const env = { ...process.env, NO_COLOR: '1', TERM: 'dumb', PATH: `${path}${delimiter}${process.env.PATH}` };
  return new Promise((done) => {
    execFile(command, args, { cwd: folder, env, maxBuffer: 1e8 }, (error, out, err) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), said: `${out}${err}`.trim() }),
    );
  });
}

/** A copy of the document with a fault that generators complain about. */
function damaged(damage: (copy: { paths: Record<string, Record<string, unknown>> }) => void): string {
  const copy = JSON.parse(readFileSync(document, 'utf8'));
  damage(copy);
  const file = join(folder, 'damaged.json');
  writeFileSync(file, JSON.stringify(copy));
  return file;
}

describe('openapi-typescript', { timeout: 120_000 }, () => {
  const generate = (from: string, to: string) => {
    const cli = join(root, 'test/generators/node_modules/openapi-typescript/bin/cli.js');
    return run(process.execPath, [cli, from, '-o', to]);
  };

  test('makes types without a complaint, which compile with the strictest settings', async () => {
    const { code, said } = await generate(document, 'turnout.ts');
    expect(code, said).toBe(0);
    const complaints = said.split('\n').filter((line) => !/^(✨ openapi-typescript|🚀 )/u.test(line.trim()));
    expect(complaints).toEqual([]);
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { operations } from './turnout.ts';
type Body = operations['createRegistration']['requestBody']['content']['application/json'];
export const body: Body = { attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' }] };
// @ts-expect-error a registration needs attendees
export const empty: Body = {};
`,
    );
    const options = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
    const files = { types: [], skipLibCheck: false, noEmit: true, allowImportingTsExtensions: true };
    const compilerOptions = { ...options, ...files, module: 'nodenext', target: 'es2022' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const compiled = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    expect(compiled).toEqual({ code: 0, said: '' });
  });

  test('seen failing: a document that refers to nothing', async () => {
    const from = damaged(({ paths }) => {
      paths['/me']!.get = { responses: { 200: { $ref: '#/components/responses/Nothing' } } };
    });
    expect((await generate(from, 'damaged.ts')).code).not.toBe(0);
  });
});

describe.skipIf(python === null)('openapi-python-client', { timeout: 240_000 }, () => {
  const generate = (from: string, to: string) => {
    const bin = dirname(python!.python);
    const config = join(root, 'examples/generators/openapi-python-client.yaml');
    const args = ['generate', '--path', from, '--output-path', to, '--config', config];
    // It formats what it makes with ruff, which it looks for in the path.
    return run(python!.python, ['-m', 'openapi_python_client', ...args], bin);
  };

  test('makes a package without a warning, every module of which can be imported and has sound types', async () => {
    expect(await generate(document, 'made')).toEqual({ code: 0, said: 'Generating made' });
    const program = `
import importlib, pkgutil, sys
sys.path.insert(0, "made")
import turnout_api_client as client
names = [module.name for module in pkgutil.walk_packages(client.__path__, "turnout_api_client.")]
for name in names:
    importlib.import_module(name)
print(len(names) > 400)
`;
    expect(await run(python!.python, ['-c', program])).toEqual({ code: 0, said: 'True' });
    const checked = await run(python!.python, ['-m', 'mypy', '--strict', 'made/turnout_api_client']);
    expect(checked.said).toMatch(/^Success: no issues found in \d+ source files$/);
  });

  test('seen failing: an answer of a type that it does not know', async () => {
    const from = damaged((copy) => {
      const answer = { 200: { description: 'Done.', content: { 'image/tiff': { schema: { type: 'string' } } } } };
      copy.paths = { '/me': { get: { operationId: 'getMe', tags: ['Profile'], responses: answer } } };
    });
    const { said } = await generate(from, 'damaged');
    expect(said).toContain('WARNING parsing GET /me within profile');
  });
});
