import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonForTests } from '../scripts/python.mjs';
import { startTest, type TestTurnout } from './support/turnout.ts';

const PACKAGE = fileURLToPath(new URL('../packages/python', import.meta.url));
const PYRIGHT = fileURLToPath(new URL('../node_modules/pyright/index.js', import.meta.url));
const EXAMPLE = '../../examples/integration/python';
const environment = await pythonForTests();
const python = environment?.python ?? '';
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'turnout-python-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the program printed, also if it failed: checkers say on standard output what is wrong. */
const output = (program: string, ...args: string[]): Promise<string> =>
  run(program, args, { cwd: PACKAGE }).then(
    ({ stdout }) => stdout,
    (error) => `${error.stdout}${error.stderr}`,
  );

describe.skipIf(environment === null)('the types of the Python package', () => {
  test('mypy is content in its strict mode', async () => {
    const cache = join(folder, 'mypy');
    const said = await output(python, '-m', 'mypy', '--cache-dir', cache, 'src', 'tests', EXAMPLE);
    expect(said).toMatch(/^Success: no issues found in \d{2,} source files$/m);
  });

  test('pyright is content in its strict mode', async () => {
    expect(await output(process.execPath, PYRIGHT, '--pythonpath', python)).toMatch(/^0 errors, 0 warnings/m);
  }, 180_000);

  test('ruff finds nothing, and everything has its form', async () => {
    const settings = ['--no-cache', '--config', 'pyproject.toml', '.', EXAMPLE];
    expect(await output(python, '-m', 'ruff', 'check', ...settings)).toMatch(/^All checks passed!/);
    expect(await output(python, '-m', 'ruff', 'format', '--check', ...settings)).toMatch(
      /^\d+ files already formatted/,
    );
  });
});

const PROGRAM = `
import asyncio, sys, turnout
from turnout import AsyncTurnout, Turnout

with Turnout(base_url=sys.argv[1], key=sys.argv[2]) as client:
    print(client.me.get()["organization"]["code"])

async def main():
    async with AsyncTurnout(base_url=sys.argv[1], key=sys.argv[2]) as client:
        print([event["code"] async for event in client.events.list()])

asyncio.run(main())
print(turnout.__version__, turnout.__file__)
`;

describe.skipIf(environment === null)('the built Python package', () => {
  let t: TestTurnout;
  beforeAll(async () => {
    t = await startTest();
    await t.org('acme');
    await run(python, ['-m', 'hatchling', 'build', '-d', folder, '-t', 'sdist', '-t', 'wheel'], { cwd: PACKAGE });
  });
  afterAll(() => t.stop());
  const built = (ending: string) => join(folder, readdirSync(folder).find((name) => name.endsWith(ending))!);

  test('has its types and its license, and nothing that is only for us', async () => {
    const listed = await output(python, '-m', 'zipfile', '-l', built('.whl'));
    for (const part of ['turnout/py.typed', 'turnout/_generated/types.py', 'licenses/LICENSE', 'turnout/webhooks.py']) {
      expect(listed).toContain(part);
    }
    expect(listed).not.toMatch(/tests|requirements|__pycache__|\.mjs/);
    const source = await output(python, '-m', 'tarfile', '-l', built('.tar.gz'));
    for (const part of ['pyproject.toml', 'README.md', 'LICENSE', 'src/turnout/_client.py'])
      expect(source).toContain(part);
    expect(source).not.toMatch(/tests|__pycache__|\.mjs/);
  });

  test('installs into an empty environment and runs there', async () => {
    const empty = join(folder, 'empty');
    await run(python, ['-m', 'venv', '--without-pip', empty]);
    const there = join(empty, 'bin', 'python');
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-index', '--find-links', environment!.wheels];
    await run(python, ['-m', 'pip', '--python', there, 'install', ...quiet, built('.whl')]);
    const { secret } = await t.key('acme');
    const { stdout } = await run(there, ['-c', PROGRAM, t.url, secret], { cwd: folder });
    expect(stdout).toMatch(/^acme\n\[\]\n0\.1\.0 .*empty.*turnout\/__init__\.py\n$/);
  });
});
