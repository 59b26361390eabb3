import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { judge } from '../scripts/signatures.mjs';

const named = (...names: string[]) => names.map((name) => ({ name, version: '1.0.0' }));
const answer = (invalid: string[], missing: string[] = []) =>
  JSON.stringify({ invalid: named(...invalid), missing: named(...missing) });

describe('what `npm audit signatures` answers', () => {
  test('a wrong signature is one, whatever else there is', () => {
    expect(judge(answer(['pg']), 100)).toEqual({ status: 'wrong', wrong: ['pg@1.0.0'] });
    expect(judge(answer(['pg'], ['a', 'b']), 2).status).toBe('wrong');
  });

  test('packages without a signature are named where others have one', () => {
    expect(judge(answer([]), 100)).toEqual({ status: 'checked', unsigned: [] });
    expect(judge(answer([], ['pg']), 100)).toEqual({ status: 'checked', unsigned: ['pg@1.0.0'] });
  });

  test.each([
    ['no network', '{ "error": { "code": "ENOTFOUND", "summary": "request failed" } }', 'request failed'],
    ['no keys', '{ "error": { "summary": "found no dependencies to audit" } }', 'found no dependencies to audit'],
    ['no signatures', answer([], ['a', 'b']), 'the registry sends packages without signatures'],
    ['no time', '', 'npm did not answer in time, or not in JSON'],
    ['an answer of another npm', '{}', 'npm gave no reason'],
  ])('%s: nothing was checked', (_, output, why) => {
    expect(judge(output, 3)).toEqual({ status: 'unchecked', why });
  });
});

describe('scripts/signatures.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-npm-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs it with a program in place of npm that prints `output`. npm ends with 1 also where there is no network. */
  function run(output: string) {
    writeFileSync(join(folder, 'npm'), `#!/bin/sh\necho '${output}'\nexit 1\n`, { mode: 0o755 });
    const script = fileURLToPath(new URL('../scripts/signatures.mjs', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [script], {
      encoding: 'utf8',
      env: { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) },
    });
    return { status, stderr };
  }

  test('fails if a signature is wrong, and names the package', () => {
    const { status, stderr } = run(answer(['pg']));
    expect([status, stderr]).toEqual([1, expect.stringContaining('pg@1.0.0')]);
  });

  test('succeeds where nothing can be checked, and says so', () => {
    const { status, stderr } = run('{ "error": { "summary": "getaddrinfo ENOTFOUND" } }');
    expect([status, stderr]).toEqual([0, 'turnout: signatures could not be checked: getaddrinfo ENOTFOUND\n']);
  });
});
