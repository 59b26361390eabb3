// What `npm start`, `npm test` and `npm run bench` share: packages in place, the pinned Node found. Runs on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, utimes, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const list = join(root, 'node_modules', '.package-lock.json');
const lock = join(root, '.turnout-installing');

export const say = (line) => process.stderr.write(`turnout: ${line}\n`);

/** Runs a child to its end and answers its exit code. A signal that reaches only us reaches it, too. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, ...options });
    const pass = (signal) => child.kill(signal);
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    for (const signal of signals) process.on(signal, pass);
    const unwatch = whenNpmEnds(() => child.kill('SIGTERM'));
    const end = (code) => {
      unwatch();
      for (const signal of signals) process.off(signal, pass);
      resolve(code);
    };
    child.on('error', (error) => {
      say(`${command} cannot be run (${error.message})`);
      end(127);
    });
    child.on('exit', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/**
 * npm passes SIGTERM on to its shell, and dash dies of it without a word to us; a killed npm tells nobody. So we look:
 * the shell has gone when our parent has changed, npm when the shell's has. Not run by npm, we may outlive our parent.
 */
function whenNpmEnds(then) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const parent = process.ppid;
  const ours = shellParent(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && shellParent(parent) === ours) return;
    clearInterval(timer);
    then();
  }, 250);
  return () => clearInterval(timer);
}

/** Of the `sh -c` between npm and us; null where it made way for us (bash does), and where there is no /proc. */
function shellParent(pid) {
  try {
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] !== '-c') return null;
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')[1];
  } catch {
    return null;
  }
}

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {});
const needed = (what, { dev, devOptional }) => what === 'develop' || !(dev || devOptional);
const oneOf = (values, value) => values === undefined || [values].flat().includes(value);
const fits = ({ os, cpu, libc }) => oneOf(os, process.platform) && oneOf(cpu, process.arch) && libc === undefined;

/** Whether all that the lockfile names is there, by the list npm leaves when it is done; so it is no matter who called it. */
function installed(what) {
  const there = packagesOf(list);
  return Object.entries(packagesOf(join(root, 'package-lock.json')))
    .filter(([path, entry]) => path.includes('node_modules/') && needed(what, entry))
    .every(([path, entry]) => {
      const one = there[path];
      if (one === undefined) return entry.optional === true && !fits(entry);
      return one.link === entry.link && one.version === entry.version && one.integrity === entry.integrity;
    });
}

/** `what`: 'run' (nothing but what the server needs) or 'develop' (tests and tools, too). */
export async function install(what) {
  if (installed(what)) return;
  await takeLock();
  const beat = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), 2000);
  try {
    // Whoever we waited for may have done it.
    if (!installed(what)) await npm(what);
  } finally {
    clearInterval(beat);
    rmSync(lock, { force: true });
  }
}

async function npm(what) {
  const started = Date.now();
  // After a pull, `npm start` does not take away what `npm test` had installed.
  const develop = what === 'develop' || Object.values(packagesOf(list)).some((entry) => entry.dev);
  say(`installing packages (${develop ? 'with the tools for development, once' : 'once'}) …`);
  // Not `npm ci`: it empties the folder a server may be running from, and refuses a lockfile without the builds of some
  // package for systems that the registry did not have. `install --no-save` takes what the lockfile says, and leaves it.
  const args = [
    'install',
    '--no-save',
    // Without lifecycle scripts: nothing we use needs one, and none may run unasked.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=optional',
    develop ? '--include=dev' : '--omit=dev',
  ];
  const code = await run('npm', args, {
    // Standard output is for what was asked for.
    stdio: ['ignore', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  });
  if (code !== 0) {
    if (code < 128) say('npm could not install the packages. Is the registry reachable, and this folder writable?');
    rmSync(lock, { force: true });
    process.exit(code);
  }
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** `npm start` and `npm test` at once in a fresh clone: two npm in one folder would each undo the other's work. */
async function takeLock() {
  for (let told = false; ; await sleep(250)) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        say(`cannot install into this folder (${error.code}).`);
        process.exit(1);
      }
    }
    const since = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // Its owner touches it every two seconds, as long as it lives.
    if (since > 20_000) rmSync(lock, { force: true });
    else if (!told) {
      say('packages are being installed by another command; waiting for it …');
      told = true;
    }
  }
}

/** Node 24 as pinned; on systems without a pinned build the caller's own, if it can strip types. */
export function pinnedNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const pinned = join(root, 'node_modules', name, 'bin', 'node');
  // There, and able to run: it is built for glibc, and Alpine has another one.
  if (existsSync(pinned) && spawnSync(pinned, ['--version'], { stdio: 'ignore' }).status === 0) return pinned;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const there = existsSync(pinned) ? 'does not run here' : 'was not installed';
  say(`Node ${process.versions.node} is too old (22.18 would do), and the pinned one (${name}) ${there}.`);
  process.exit(1);
}

/** The environment in which children find the pinned Node and our tools first. */
export const environment = () => ({
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
});
