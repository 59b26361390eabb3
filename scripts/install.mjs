// Shared by `npm start`, `npm test` and the other commands: installs the packages and finds the pinned Node. Runs on Node 20.
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

/** Runs a child process to its end and returns its exit code. Signals that reach us are passed on to it. `started` gets the process. */
export function run(command, args, options = {}, started = () => {}) {
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
    started(child);
    child.on('error', (error) => {
      say(`${command} cannot be run (${error.message})`);
      end(127);
    });
    child.on('exit', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/**
 * Calls `then` when npm has ended. npm passes SIGTERM on to its shell, and dash ends without passing it on to us; a killed npm passes
 * on nothing. So we look every 250 ms: the shell has ended if our parent has changed, and npm if the shell's parent has. If npm did
 * not start us, we may outlive our parent.
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

/** The parent of the `sh -c` between npm and us. Null if there is no such shell (bash replaces itself by us) or no /proc. */
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
/** Whether an optional package is built for this machine. One that is built for none, npm may leave out. */
const fits = ({ os, cpu, libc }) =>
  (os !== undefined || cpu !== undefined) &&
  oneOf(os, process.platform) &&
  oneOf(cpu, process.arch) &&
  libc === undefined;

/** Whether everything in the lockfile is installed. npm leaves a list when it is done, so it does not matter who called npm. */
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

/** `what`: 'run' installs only what the server needs, 'develop' also what tests and tools need. */
export async function install(what) {
  if (installed(what)) return;
  await takeLock();
  const beat = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), 2000);
  try {
    // The process that we waited for may have installed everything.
    if (!installed(what)) await npm(what);
  } finally {
    clearInterval(beat);
    rmSync(lock, { force: true });
  }
}

async function npm(what) {
  const started = Date.now();
  // If the packages for development are there, `npm start` keeps them up to date and does not remove them.
  const develop = what === 'develop' || Object.values(packagesOf(list)).some((entry) => entry.dev);
  say(`installing packages (${develop ? 'with the tools for development, once' : 'once'}) …`);
  // Not `npm ci`, because it empties node_modules first, from which a server may be running. `install --no-save` also installs what
  // the lockfile says and does not change it. CI uses `npm ci` (.ci/run).
  const args = [
    'install',
    '--no-save',
    // No package that we use needs its install scripts, and none should run unasked.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=optional',
    develop ? '--include=dev' : '--omit=dev',
  ];
  const code = await run('npm', args, {
    // Standard output is for the output of the command itself.
    stdio: ['ignore', process.stderr, 'inherit'],
    shell: process.platform === 'win32',
  });
  if (code !== 0) {
    if (code < 128)
      say(
        'npm could not install the packages. Check that the registry can be reached and that this folder is writable.',
      );
    rmSync(lock, { force: true });
    process.exit(code);
  }
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** If `npm start` and `npm test` run at once in a fresh clone, only one installs. Two npm in one folder would undo each other's work. */
async function takeLock() {
  for (let announced = false; ; await sleep(250)) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') {
        say(`cannot install into this folder (${error.code}). Make it writable.`);
        process.exit(1);
      }
    }
    const since = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    // Its owner updates the file every two seconds while it runs.
    if (since > 20_000) rmSync(lock, { force: true });
    else if (!announced) {
      say('another command is installing packages; waiting for it …');
      announced = true;
    }
  }
}

/** The pinned Node 24 or, on systems without a pinned build, the caller's own Node if it can strip types. */
export function pinnedNode() {
  const name = `node-${process.platform}-${process.arch}`;
  const pinned = join(root, 'node_modules', name, 'bin', 'node');
  // It may be installed and still not run: it is built for glibc, and Alpine has another libc.
  if (existsSync(pinned) && spawnSync(pinned, ['--version'], { stdio: 'ignore' }).status === 0) return pinned;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  const there = existsSync(pinned) ? 'does not run here' : 'was not installed';
  say(`Node ${process.versions.node} is too old, and the pinned one (${name}) ${there}. Install Node 22.18 or newer.`);
  process.exit(1);
}

/** The environment for child processes, in which they find our tools first. */
export const environment = () => ({
  ...process.env,
  PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
});
