// Programs that tests need and npm does not have. They are installed if possible; otherwise the tests that need them are skipped.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, run, say } from './install.mjs';
import { newPgbouncer } from './pgbouncer.mjs';
import { pythonForTests, pythonVersion } from './python.mjs';

const ALL = ['usual', 'night', 'drill'];
/** `runs`: for which runs it is needed. If that is left out, for the tests, usual and at night. */
const TOOLS = [
  { command: 'chromium', package: 'chromium', serves: 'pages in a browser' },
  // The same browser without windows. Opening a page takes less than half of the processor time; without it, chromium does the same.
  { command: 'chromium-headless-shell', package: 'chromium-headless-shell', optional: true },
  { command: 'redis-server', package: 'redis-server', serves: 'rate limits kept in Redis', runs: ALL },
  { command: 'curl', package: 'curl', serves: 'the example call that a start prints' },
  { command: 'firefox-esr', package: 'firefox-esr', serves: 'reading tickets in Firefox', runs: ['night'] },
  { command: 'WebKitWebDriver', package: 'webkit2gtk-driver', serves: 'reading tickets in WebKit', runs: ['night'] },
  { command: 'Xvfb', package: 'xvfb', serves: 'a screen for WebKit', runs: ['night'] },
  { command: 'haproxy', package: 'haproxy', serves: 'processes behind a balancer', runs: ['night', 'drill'] },
  { command: 'pgbouncer', package: 'pgbouncer', serves: 'connections through a pooler', runs: ['night'] },
  { command: 'pg_basebackup', package: 'postgresql', serves: 'reading from a standby', runs: ['night'] },
  { command: 'buildah', package: 'buildah', serves: 'building the image', runs: ['night'] },
  { command: 'runc', package: 'runc', serves: 'running the image', runs: ['night'] },
  { command: 'caddy', package: 'caddy', serves: 'the Caddyfile of compose', runs: ['night'] },
  { command: 'systemd-analyze', package: 'systemd', serves: 'the units for systemd', runs: ['night'] },
  { command: 'promtool', package: 'prometheus', serves: 'rules of alerts', runs: ['night'] },
  { command: 'pdftotext', package: 'poppler-utils', serves: 'tickets as PDF' },
  {
    command: 'python3 -m venv',
    package: 'python3-venv',
    serves: 'the Python package',
    there: () => pythonVersion() !== null,
    runs: ['night', 'drill'],
  },
  {
    command: 'mmdebstrap',
    package: 'mmdebstrap',
    serves: 'a PgBouncer of Debian 13, and a Debian for the image',
    runs: ['night', 'drill'],
  },
  { command: 'patroni', package: 'patroni', serves: 'failovers', runs: ['drill'] },
  { command: 'etcd', package: 'etcd-server', serves: 'failovers', runs: ['drill'] },
  {
    command: 'postgres',
    package: 'postgresql',
    serves: 'failovers',
    there: () => postgresqlPrograms() !== null,
    runs: ['drill'],
  },
];

/** The folder with the programs of the newest PostgreSQL of Debian. */
export function postgresqlPrograms() {
  const versions = '/usr/lib/postgresql';
  const newest = (existsSync(versions) ? readdirSync(versions) : []).map(Number).sort((a, b) => b - a)[0];
  const folder = join(versions, String(newest), 'bin');
  return existsSync(join(folder, 'postgres')) ? folder : null;
}

function has(command) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const isFor = (tool, what) => tool.runs?.includes(what) ?? what !== 'drill';
const missing = (what) => TOOLS.filter((tool) => isFor(tool, what) && !(tool.there?.() ?? has(tool.command)));

/** `what` is run: the `usual` tests, those of the `night`, which need more, or the `drill`, which needs others. */
export async function installTools(what = 'usual') {
  await installPrograms(what);
  if (what === 'usual') return;
  if (pythonVersion() !== null) await pythonForTests();
  if (has('mmdebstrap')) await newPgbouncer({ install: true });
  if (what === 'night') await helmForTests();
}

const HELM = '3.22.0';

/** Helm, built by Go in a folder of its own, because Debian has no package of it. Null if it cannot be had here. */
export async function helmForTests() {
  const folder = join(root, 'node_modules', '.cache', `turnout-helm-${HELM}`);
  const helm = join(folder, 'helm');
  if (existsSync(helm)) return helm;
  if (!has('go')) {
    say('!!! Go is not installed: THE TESTS OF THE CHART ARE SKIPPED.');
    return null;
  }
  say('building Helm for the tests (once, some minutes) …');
  // Go moves the program to its place when it is whole.
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' };
  const args = ['install', `helm.sh/helm/v3/cmd/helm@v${HELM}`];
  const code = await run('go', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  if (code >= 128) process.exit(code);
  if (code === 0) return helm;
  say('!!! Go could not build Helm: THE TESTS OF THE CHART ARE SKIPPED.');
  return null;
}

async function installPrograms(what) {
  const wanted = missing(what);
  if (wanted.every((tool) => tool.optional && !isOffered(tool.package))) return;
  if (process.getuid?.() === 0 && has('apt-get')) {
    say(`installing for the tests: ${wanted.map((tool) => tool.package).join(', ')} …`);
    await apt('update');
    // If that fails, one by one: a system may have all but one of them.
    if (!(await apt('install', ...wanted.map((tool) => tool.package))) && wanted.length > 1) {
      for (const tool of wanted) await apt('install', tool.package);
    }
  }
  const left = missing(what).filter((tool) => !tool.optional);
  if (left.length === 0) return;
  const names = left.map((tool) => `${tool.command} (${tool.serves})`).join(', ');
  say(
    `!!! MISSING, AND CANNOT BE INSTALLED HERE (which needs root and apt): ${names}. TESTS THAT NEED THEM ARE SKIPPED.`,
  );
}

/** Whether this system has such a package at all. Not every distribution splits chromium in the same way. */
const isOffered = (name) =>
  has('apt-cache') && spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;

/** While packages are installed, Debian asks this program whether it may start their services. */
const POLICY = '/usr/sbin/policy-rc.d';

async function apt(verb, ...packages) {
  const isOurs = verb === 'install' && !existsSync(POLICY);
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Use-Pty=0'];
  const code = await run(
    'apt-get',
    [...quiet, verb, ...(verb === 'install' ? ['-y', '--no-install-recommends'] : []), ...packages],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      // Tests call these programs; they must not be started as services by systemd or init scripts.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1', RUNLEVEL: '1' },
    },
  );
  if (isOurs) rmSync(POLICY, { force: true });
  if (code >= 128) process.exit(code);
  return code === 0;
}
