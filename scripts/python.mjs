// Python with what the tests of packages/python need, in a folder of its own. Only tests call this, never `npm start`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, say } from './install.mjs';

/** What the tests of the Python package need, and the programs that other tests run. */
const REQUIREMENTS = [
  join(root, 'packages', 'python', 'requirements.txt'),
  join(root, 'test', 'support', 'requirements.txt'),
];
const CACHE = join(root, 'node_modules', '.cache');

/** The version of this machine's Python if it can make environments, else null. Debian has them in a package of its own. */
export function pythonVersion() {
  const asked = 'import sys, ensurepip, venv; print(sys.version if sys.version_info >= (3, 10) else "")';
  const { status, stdout } = spawnSync('python3', ['-c', asked], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : null;
}

/**
 * The environment for the tests: `python`, which has all of the requirements, and `wheels`, the folder of the same packages as files,
 * from which a test can install without a network. Made anew when they change. Null if it cannot be made here.
 */
export async function pythonForTests() {
  const version = pythonVersion();
  if (version === null) {
    say('!!! Python 3.10 or newer with venv is not installed: THE TESTS OF THE PYTHON PACKAGE ARE SKIPPED.');
    return null;
  }
  const name = createHash('sha256')
    .update([version, ...REQUIREMENTS.map((file) => readFileSync(file, 'utf8'))].join('\n'))
    .digest('hex')
    .slice(0, 16);
  const folder = join(CACHE, `turnout-python-${name}`);
  if (!existsSync(folder) && !(await make(folder))) {
    say('!!! pip could not install what the tests need: THE TESTS OF THE PYTHON PACKAGE AND OF S3 ARE SKIPPED.');
    return null;
  }
  return { python: join(folder, 'bin', 'python'), wheels: join(folder, 'wheels') };
}

/** Made under another name and renamed when it is complete, because two test files may begin at once, and one may be interrupted. */
async function make(folder) {
  say('installing Python packages for the tests (once) …');
  mkdirSync(CACHE, { recursive: true });
  const made = mkdtempSync(join(CACHE, 'turnout-python-making-'));
  const [python, wheels] = [join(made, 'bin', 'python'), join(made, 'wheels')];
  const all = REQUIREMENTS.flatMap((file) => ['-r', file]);
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
  const steps = [
    ['python3', '-m', 'venv', made],
    [python, '-m', 'pip', 'download', ...quiet, '--only-binary', ':all:', '-d', wheels, ...all],
    [python, '-m', 'pip', 'install', ...quiet, '--no-index', '--find-links', wheels, ...all],
  ];
  for (const [command, ...args] of steps) {
    const code = await run(command, args, { stdio: ['ignore', process.stderr, 'inherit'] });
    if (code === 0) continue;
    rmSync(made, { recursive: true, force: true });
    if (code >= 128) process.exit(code);
    return false;
  }
  try {
    renameSync(made, folder);
  } catch {
    // Another process was faster, and its folder is the same.
    rmSync(made, { recursive: true, force: true });
  }
  return existsSync(folder);
}
