import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** One file of a built app, with the copies that were compressed when it was built. */
export interface BuiltFile {
  type: string;
  bytes: Buffer;
  gzip: Buffer | null;
  brotli: Buffer | null;
}
/** A file whose name stays the same when its content changes. Its tag changes with the content. */
export type TaggedFile = BuiltFile & { tag: string };
export interface BuiltApp {
  page: TaggedFile;
  /** Files that stand beside the page, by name. */
  beside: ReadonlyMap<string, TaggedFile>;
  /** By name. The names contain a hash of the content. */
  assets: ReadonlyMap<string, BuiltFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Reads the build that `current` in the folder of builds names (scripts/apps.mjs). Null if nothing was built. Everything is kept in
 * memory, a few megabytes, so a name that is asked for is looked up in a map and never becomes a path.
 */
export async function readBuiltApp(builds: string): Promise<BuiltApp | null> {
  let folder: string;
  let beside: Map<string, BuiltFile>;
  try {
    const hash = (await readFile(join(builds, 'current'), 'utf8')).trim();
    if (!/^[0-9a-f]+$/.test(hash)) return null;
    folder = join(builds, hash);
    beside = await filesIn(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const tagged = new Map([...beside].map(([name, file]) => [name, { ...file, tag: tagOf(file) }]));
  const page = tagged.get(PAGE);
  tagged.delete(PAGE);
  return page === undefined ? null : { page, beside: tagged, assets: await filesIn(join(folder, 'assets')) };
}

const PAGE = 'index.html';
const tagOf = ({ bytes }: BuiltFile) => createHash('sha256').update(bytes).digest('base64url').slice(0, 16);

/** The files of a folder that can be served, by name, each with its compressed copies. */
async function filesIn(folder: string): Promise<Map<string, BuiltFile>> {
  const names = (await readdir(folder, { withFileTypes: true })).filter((one) => one.isFile()).map((one) => one.name);
  const contents = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)),
  );
  const files = new Map<string, BuiltFile>();
  for (const [name, bytes] of contents) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const packed = (ending: string) => contents.get(`${name}.${ending}`) ?? null;
    files.set(name, { type, bytes, gzip: packed('gz'), brotli: packed('br') });
  }
  return files;
}
