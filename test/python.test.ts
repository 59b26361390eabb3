import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonForTests } from '../scripts/python.mjs';
import { startTest, type TestTurnout } from './support/turnout.ts';

const PACKAGE = fileURLToPath(new URL('../packages/python', import.meta.url));
const environment = await pythonForTests();

let t: TestTurnout;
let env: Record<string, string>;
beforeAll(async () => {
  t = await startTest({ env: { ROLES: 'api,worker' } });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  await t.org('small', 'growth');
  env = {
    TURNOUT_URL: t.url,
    TURNOUT_KEY: (await t.key('acme')).secret,
    // It may make one call a minute.
    TURNOUT_SLOW_KEY: (await t.key('acme', { rpm: 1 })).secret,
    // Its plan does not allow changes.
    TURNOUT_SMALL_KEY: (await t.key('small')).secret,
    TURNOUT_ORG: 'acme',
  };
});
afterAll(() => t.stop());

/** Runs a module of Python beside the server, and answers what it printed. */
async function python(...args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(environment!.python, ['-m', ...args], {
    cwd: PACKAGE,
    // Without the settings of the machine, such as a proxy, which are for other hosts.
    env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: join(PACKAGE, 'src'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code: code ?? 1, output: (await stdout) + (await stderr) };
}

const FILES = [
  'test_calls.py',
  'test_lists.py',
  'test_retries.py',
  'test_limits.py',
  'test_errors.py',
  'test_webhooks.py',
  'test_readme.py',
];

describe.skipIf(environment === null)('the Python package against a live server', () => {
  test.each(FILES)(
    '%s',
    async (file) => {
      const { code, output } = await python('pytest', '-q', '-p', 'no:cacheprovider', `tests/${file}`);
      expect(code, output).toBe(0);
      // pytest also ends well if nothing ran.
      expect(output).toMatch(/\d+ passed/);
      expect(output).not.toMatch(/skipped|xfailed|deselected/);
    },
    180_000,
  );
});
