import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import type { StoredFile } from '../road/job.ts';
import { Refusal } from '../road/refusal.ts';
import { type Id, newUlid, timeOf, toUlid, toUuid } from '../store/ids.ts';

/** Where files lie that are too large for a row: uploads that wait for their job, and what jobs made. Keys are ours. */
export interface Files {
  /** Whole or not at all; answers the size. */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** From its first byte, or from a later one; null: there is no such file. */
  read(key: string, from?: number): Promise<Readable | null>;
  delete(key: string): Promise<void>;
  /** The keys of everything, also of halves that a killed process left behind. */
  list(): AsyncIterable<string>;
}

declare module '../road/operation.ts' {
  interface Outside {
    files: Files;
  }
}

/** `<organization>/<job>-<file>`: whoever sweeps can tell its age, and ask the job whether it still wants it. */
const KEY = /^([0-7][0-9A-Z]{25})\/([0-7][0-9A-Z]{25})-([0-7][0-9A-Z]{25})(\.part)?$/;

export function readKey(key: string): { org: Id; job: Id; at: Date } {
  const [, org, job, file] = KEY.exec(key) ?? refuseKey(key);
  return { org: toUuid(org!), job: toUuid(job!), at: timeOf(toUuid(file!)) };
}
const refuseKey = (key: string): never => {
  throw new Error(`not a key of a file: ${key}`);
};

/** Writes a file for a job under a key of its own: two runners of one job never write the same file. */
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

/** A folder. Several machines share it, or only one has files to give. */
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
        // On the disk before it has its name, and the name on the disk before anybody is told.
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
  new Refusal('unavailable', { message: 'There is no room left to store the file.', log: error.message });
