// Builds the browser apps, only when what they are made of has changed. `npm start`, the tests and the benches call `buildApps`.
// Runs on Node 20; the build itself runs on the pinned Node (scripts/build-apps.mjs).
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { environment, pinnedNode, root, run, say } from './install.mjs';

const LEFT_OUT = /^(node_modules|dist|scripts|\..*)$|\.test\.tsx?$/;
const SHARED = [
  'packages/checkin',
  'packages/client',
  'packages/contract',
  'packages/words',
  'scripts/build-apps.mjs',
  'package-lock.json',
];
const builds = (app) => join(root, 'web', app, 'dist');

/** Each app: what it is called, where it is served, and everything that its built files depend on. */
export const APPS = {
  admin: { name: 'the organizer’s app', path: '/app', sources: ['web/admin', 'packages/ui', ...SHARED] },
  register: {
    name: 'the registration pages',
    path: '/o',
    sources: ['web/register', 'packages/ui/src/css', 'scripts/build-apps.mjs', 'package-lock.json'],
  },
  scan: {
    name: 'the scanner',
    path: '/scan',
    sources: ['web/scan', 'packages/ui/src/css', 'packages/ui/src/wedge', ...SHARED],
  },
};

/**
 * Builds the apps at the same time, each only if its own sources changed. Returns their folders by name. Null: it could not be built,
 * which was said.
 */
export async function buildApps(options = {}) {
  const names = Object.keys(APPS);
  const folders = await Promise.all(names.map((name) => buildApp(name, options)));
  return Object.fromEntries(names.map((name, i) => [name, folders[i]]));
}

/**
 * `dist/<hash>` is one build; the file `current` names the one to serve. Tests bring a place, sources and a way to build of their own.
 *
 * Returns the folder of the build, or null. Ctrl-C ends our process, unless the caller brings a `stop` (an AbortSignal): then the build
 * ends with it or with Ctrl-C, and the caller decides what comes next.
 */
export async function buildApp(app, options = {}) {
  const { name, path, ...usual } = { at: root, builds: builds(app), make, say, ...APPS[app] };
  const { at, sources, builds: into, make: makeInto, say: tell, stop } = { ...usual, ...options };
  const hash = hashOf(at, sources);
  const folder = join(into, hash);
  if (!existsSync(folder)) {
    const started = Date.now();
    tell(`building ${name} (once) …`);
    const failed = await build(into, folder, (beside) => makeInto(beside, stop, app, hash));
    if (failed === STOPPED) return null;
    if (failed !== null) {
      tell(`${name} could not be built: ${failed} Everything else works; ${path} says that it is missing.`);
      return null;
    }
    tell(`built ${name} in ${Math.max(1, Math.round((Date.now() - started) / 1000))} s`);
  }
  serve(into, hash, tell);
  return folder;
}

const STOPPED = 'stopped';

function hashOf(at, sources) {
  const hash = createHash('sha256');
  for (const path of sources.flatMap((source) => filesOf(join(at, source))).sort()) {
    hash.update(relative(at, path).split(sep).join('/')).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex').slice(0, 20);
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !LEFT_OUT.test(name))
    .flatMap((name) => filesOf(join(path, name)));
}

/**
 * Builds beside the place and moves the folder there when it is whole, so that nobody sees a half of it. If two do this at the same
 * time, the first one's folder stays; both are the same. Returns null, or what went wrong.
 */
async function build(builds, folder, makeInto) {
  const beside = join(builds, `.building-${process.pid}-${randomBytes(4).toString('hex')}`);
  try {
    mkdirSync(builds, { recursive: true });
    removeOld(builds);
    const made = await makeInto(beside);
    if (made === STOPPED) return STOPPED;
    if (!made) return 'see above.';
    renameSync(beside, folder);
    return null;
  } catch (error) {
    if (existsSync(folder)) return null;
    return `${error.message}.`;
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Vite needs a newer Node than the one that may have called us. */
async function make(folder, stop, app, hash) {
  // Standard output is for the output of the command itself.
  const env = { ...environment(), TURNOUT_BUILD: hash.slice(0, 7) };
  const options = { stdio: ['ignore', process.stderr, 'inherit'], env };
  const code = await run(pinnedNode(), [join(root, 'scripts', 'build-apps.mjs'), app, folder], options, (child) =>
    stop?.addEventListener('abort', () => child.kill()),
  );
  if (code < 128) return code === 0;
  if (stop === undefined) process.exit(code);
  return STOPPED;
}

/** Names the build to serve. Written beside and moved, so that a server that reads it sees the old name or the new one. */
function serve(builds, hash, say) {
  const file = join(builds, 'current');
  if (existsSync(file) && readFileSync(file, 'utf8') === hash) return;
  const beside = `${file}-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(beside, hash);
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    say(`cannot write ${file} (${error.code}). Make the folder writable.`);
  }
}

const DAY = 86_400_000;
/** Builds of older sources go after a day: a server that runs has read its own into memory. */
function removeOld(builds) {
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (name !== 'current' && age > DAY) rmSync(path, { recursive: true, force: true });
  }
}
