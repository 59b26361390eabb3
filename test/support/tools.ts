import { spawnSync } from 'node:child_process';

/**
 * Whether a tool is there that a test needs and npm does not install. `npm test` installs it if it can (as root, with apt).
 * Otherwise the test is skipped with a warning, and `.ci/run` fails on a skipped test.
 */
export function hasTool(name: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!found)
    console.warn(`\n!!! ${name} is not installed: the tests that need it are skipped. Install it to run them.\n`);
  return found;
}
