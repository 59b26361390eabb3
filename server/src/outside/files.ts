import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { type Id, newUlid, timeOf, toUlid, toUuid } from '../common/ids.ts';
import { Refusal } from '../common/refusal.ts';
import type { StoredFile } from '../common/stored-file.ts';

/** Stores files that are too large for a row: uploads that wait for their job, and the results of jobs. */
export interface Files {
  /** Writes the whole file or nothing. Answers its size. */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Reads the file, beginning at byte `from`. Null if there is no such file. */
  read(key: string, from?: number): Promise<Readable | null>;
  delete(key: string): Promise<void>;
  /** The keys of all files, including unfinished ones that a killed process left behind. */
  list(): AsyncIterable<string>;
}

declare module '../road/operation.ts' {
  interface Outside {
    files: Files;
  }
}

/** `<organization>/<job>-<file>`: the sweep can tell a file's age from its key, and ask the job whether it still needs it. */
const KEY = /^([0-7][0-9A-Z]{25})\/([0-7][0-9A-Z]{25})-([0-7][0-9A-Z]{25})(\.part)?$/;

export function readKey(key: string): { org: Id; job: Id; at: Date } {
  const [, org, job, file] = KEY.exec(key) ?? refuseKey(key);
  return { org: toUuid(org!), job: toUuid(job!), at: timeOf(toUuid(file!)) };
}
const refuseKey = (key: string): never => {
  throw new Error(`This is not the key of a file: ${key}`);
};

/** Writes a file for a job. Its key is always new, so two runners of one job never write the same file. */
export async function storeFile(
  files: Files,
  clock: Clock,
  owner: { org: Id; job: Id },
  file: { filename: string; mediaType: string; chunks: AsyncIterable<Uint8Array> },
): Promise<StoredFile> {
  const key = `${toUlid(owner.org)}/${toUlid(owner.job)}-${newUlid(clock.now())}`;
  const size = await files.write(key, file.chunks);
  return { key, filename: file.filename, mediaType: file.mediaType, size };
}

/** Files in a folder. Several machines must share the folder, or only one of them can serve the files. */
export function folderFiles(folder: string): Files {
  const at = (key: string): string => {
    if (!KEY.test(key)) refuseKey(key);
    return join(folder, key);
  };
  return {
    write: async (key, chunks) => {
      const file = at(key);
      const part = at(`${key}.part`);
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
      try {
        return (await open(at(key))).createReadStream({ start: from });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    delete: (key) => rm(at(key), { force: true }),
    list: async function* () {
      for (const org of await namesIn(folder)) {
        for (const name of await namesIn(join(folder, org))) if (KEY.test(`${org}/${name}`)) yield `${org}/${name}`;
      }
    },
  };
}

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
