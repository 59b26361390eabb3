// Compares every installed package with its signature: the registry signs name, version and checksum of what it serves, so a package that
// somebody has exchanged there is noticed. It fails only if a signature is wrong. Where signatures cannot be had (no network, a mirror without
// them), it says so and succeeds: that is no fault of the project (docs/decisions/0047-checked-dependencies.md).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, say } from './install.mjs';

const SECONDS = 60;
const NAMED = 10;

/**
 * What the output of `npm audit signatures --json` means. `status` is `wrong` if a signature is not that of the package, `unchecked` if
 * there was nothing to compare with, and `checked` otherwise; `unsigned` are those that lack one where others have one.
 */
export function judge(output, installed) {
  let answer;
  try {
    answer = JSON.parse(output);
  } catch {
    return { status: 'unchecked', why: 'npm did not answer in time, or not in JSON' };
  }
  const names = (list) => (list ?? []).map(({ name, version }) => `${name}@${version}`);
  const wrong = names(answer.invalid);
  if (wrong.length > 0) return { status: 'wrong', wrong };
  if (answer.invalid === undefined) {
    return { status: 'unchecked', why: answer.error?.summary ?? answer.error?.code ?? 'npm gave no reason' };
  }
  const unsigned = names(answer.missing);
  // A mirror that answers under the registry's name but without its signatures lacks all of them.
  if (unsigned.length > installed / 2)
    return { status: 'unchecked', why: 'the registry sends packages without signatures' };
  return { status: 'checked', unsigned };
}

function check() {
  const quick = ['--fetch-retries=0', '--fetch-timeout=20000', '--loglevel=silent'];
  const { stdout } = spawnSync('npm', ['audit', 'signatures', '--json', ...quick], {
    cwd: root,
    encoding: 'utf8',
    timeout: SECONDS * 1000,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const { packages } = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8'));
  const installed = Object.values(packages).filter(({ link }) => !link).length;
  const { status, why, wrong, unsigned } = judge(stdout ?? '', installed);
  if (status === 'wrong') {
    say(`these packages are not what the registry has signed: ${wrong.join(', ')}`);
    process.exit(1);
  }
  if (status === 'unchecked') return say(`signatures could not be checked: ${why}`);
  const without = unsigned.length === 0 ? '' : `, ${unsigned.length} without: ${unsigned.slice(0, NAMED).join(', ')}`;
  say(`signatures: ${installed} packages${without}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) check();
