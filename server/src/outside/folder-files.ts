import { createWriteStream } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refusal } from '../common/refusal.ts';
import { type Files, isKey, PART, requireKey } from './files.ts';

/** Files in a folder. Several machines must share the folder, or only one of them can serve the files. */
export function folderFiles(folder: string): Files {
  const at = (key: string): string => join(folder, requireKey(key));
  const mark = join(folder, MARK);
  const readMark = () => unlessMissing(readFile(mark, 'utf8'));
  return {
    write: async (key, chunks) => {
      const file = at(key);
      const part = at(`${key}${PART}`);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      try {
        // The content is flushed to disk before the file gets its name, and the folder before the write is answered: after a
        // crash a file is either complete or not there.
        await pipeline(Readable.from(chunks), createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }));
        const { size } = await stat(part);
        await rename(part, file);
        await flushFolder(dirname(file));
        return size;
      } catch (error) {
        await rm(part, { force: true });
        throw fullDisk(error) ? noRoom(error as Error) : error;
      }
    },
    read: async (key, from = 0) => {
      const file = await unlessMissing(open(at(key)));
      return file?.createReadStream({ start: from }) ?? null;
    },
    delete: async (key) => (await unlessMissing(rm(at(key)).then(() => true))) ?? false,
    list: async function* () {
      for (const org of await namesIn(folder)) {
        for (const name of await namesIn(join(folder, org))) if (isKey(`${org}/${name}`)) yield `${org}/${name}`;
      }
    },
    mark: async (ifNone) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const own = `${mark}-${ifNone}`;
      await writeFile(own, ifNone, { mode: 0o600, flush: true });
      // A link is made whole or not at all, and never over one that is there.
      await link(own, mark).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await rm(own);
      await flushFolder(folder);
      return (await readMark())!;
    },
    readMark,
    describe: `in ${folder}`,
  };
}

const MARK = '.turnout-files';

const unlessMissing = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

const fullDisk = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '');

const noRoom = (error: Error): Refusal =>
  new Refusal('unavailable', {
    message: 'The server has no room left to store the file. Try again later, or tell the operator.',
    log: error.message,
  });
