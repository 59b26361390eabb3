import type { Readable } from 'node:stream';
import type { Clock } from '../clock.ts';
import { type Id, newUlid, timeOf, toUlid, toUuid } from '../common/ids.ts';
import type { StoredFile } from '../common/stored-file.ts';

/**
 * Stores files that are too large for a row: uploads that wait for their job, and the results of jobs. They are in a folder
 * (folder-files.ts) or in a bucket (s3-files.ts).
 */
export interface Files {
  /** Writes the whole file or nothing. Answers its size. */
  write(key: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Reads the file, beginning at byte `from`. Null if there is no such file. */
  read(key: string, from?: number): Promise<Readable | null>;
  /** Answers whether there was such a file. */
  delete(key: string): Promise<boolean>;
  /** The keys of all files, including unfinished ones that a killed process left behind. */
  list(): AsyncIterable<string>;
  /** The mark of this store: the given one if it had none (store-mark.ts). */
  mark(ifNone: string): Promise<string>;
  /** Null if the store has none. */
  readMark(): Promise<string | null>;
  /** In words, for the operator. */
  describe: string;
  close?(): void;
}

declare module '../road/operation.ts' {
  interface Outside {
    files: Files;
  }
}

/** `<organization>/<job>-<file>`: the sweep can tell a file's age from its key, and ask the job whether it still needs it. */
const KEY = /^([0-7][0-9A-Z]{25})\/([0-7][0-9A-Z]{25})-([0-7][0-9A-Z]{25})(\.part)?$/;
/** What an unfinished file is listed and deleted as. */
export const PART = '.part';

export const isKey = (key: string): boolean => KEY.test(key);

/** The key, once it is certain that it leads nowhere else. */
export const requireKey = (key: string): string => (isKey(key) ? key : refuseKey(key));

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
