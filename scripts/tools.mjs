// Programs that tests need and npm does not have. They are installed if possible; otherwise the tests that need them are skipped.
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say } from './install.mjs';
import { pythonForTests, pythonVersion } from './python.mjs';

const TOOLS = [
  { command: 'chromium', package: 'chromium', serves: 'pages in a browser' },
  // The same browser without windows. Opening a page takes less than half of the processor time; without it, chromium does the same.
  { command: 'chromium-headless-shell', package: 'chromium-headless-shell', optional: true },
  { command: 'redis-server', package: 'redis-server', serves: 'rate limits kept in Redis' },
  { command: 'curl', package: 'curl', serves: 'the example call that a start prints' },
  { command: 'firefox-esr', package: 'firefox-esr', serves: 'reading tickets in Firefox', night: true },
  { command: 'WebKitWebDriver', package: 'webkit2gtk-driver', serves: 'reading tickets in WebKit', night: true },
  { command: 'Xvfb', package: 'xvfb', serves: 'a screen for WebKit', night: true },
  { command: 'pgbouncer', package: 'pgbouncer', serves: 'connections through a pooler', night: true },
  { command: 'pdftotext', package: 'poppler-utils', serves: 'tickets as PDF' },
  {
    command: 'python3 -m venv',
    package: 'python3-venv',
    serves: 'the Python package',
    there: () => pythonVersion() !== null,
    night: true,
  },
];

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

const missing = (night) =>
  TOOLS.filter((tool) => (night || tool.night !== true) && !(tool.there?.() ?? has(tool.command)));

/** With `night`, also what only the tests of the night need. */
export async function installTools({ night = false } = {}) {
  await installPrograms(night);
  if (night && pythonVersion() !== null) await pythonForTests();
}

async function installPrograms(night) {
  const wanted = missing(night);
  if (wanted.every((tool) => tool.optional && !isOffered(tool.package))) return;
  if (process.getuid?.() === 0 && has('apt-get')) {
    say(`installing for the tests: ${wanted.map((tool) => tool.package).join(', ')} …`);
    await apt('update');
    // If that fails, one by one: a system may have all but one of them.
    if (!(await apt('install', ...wanted.map((tool) => tool.package))) && wanted.length > 1) {
      for (const tool of wanted) await apt('install', tool.package);
    }
  }
  const left = missing(night).filter((tool) => !tool.optional);
  if (left.length === 0) return;
  const names = left.map((tool) => `${tool.command} (${tool.serves})`).join(', ');
  say(
    `!!! MISSING, AND CANNOT BE INSTALLED HERE (which needs root and apt): ${names}. TESTS THAT NEED THEM ARE SKIPPED.`,
  );
}

/** Whether this system has such a package at all. Not every distribution splits chromium in the same way. */
const isOffered = (name) =>
  has('apt-cache') && spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;

async function apt(verb, ...packages) {
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
  if (code >= 128) process.exit(code);
  return code === 0;
}
