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
export interface BuiltApp {
  /** Its tag changes with every build that changes the page. */
  page: BuiltFile & { tag: string };
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
 * memory, about 2 MB, so a name that is asked for is looked up in a map and never becomes a path.
 */
export async function readBuiltApp(builds: string): Promise<BuiltApp | null> {
  let folder: string;
  let page: Buffer;
  try {
    const hash = (await readFile(join(builds, 'current'), 'utf8')).trim();
    if (!/^[0-9a-f]+$/.test(hash)) return null;
    folder = join(builds, hash);
    page = await readFile(join(folder, 'index.html'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const names = await readdir(join(folder, 'assets'));
  const contents = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'assets', name))] as const)),
  );
  const assets = new Map<string, BuiltFile>();
  for (const [name, bytes] of contents) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const packed = (ending: string) => contents.get(`${name}.${ending}`) ?? null;
    assets.set(name, { type, bytes, gzip: packed('gz'), brotli: packed('br') });
  }
  const tag = createHash('sha256').update(page).digest('base64url').slice(0, 16);
  return { page: { type: TYPES['.html']!, bytes: page, gzip: null, brotli: null, tag }, assets };
}
