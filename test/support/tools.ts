import { spawnSync } from 'node:child_process';

/**
 * A tool beyond npm that a test needs. `npm test` installs it where that is allowed (root, apt); where it is not, the test skips
 * with one loud line, and `.ci/run` fails on a skip.
 */
export function hasTool(name: string): boolean {
  const found = spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!found)
    console.warn(`\n!!! ${name} is not installed: the tests that need it are skipped. Install it to run them.\n`);
  return found;
}
