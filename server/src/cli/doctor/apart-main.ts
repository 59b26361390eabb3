import { lookup } from 'node:dns/promises';
import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FilesPlace } from '../../common/files-place.ts';
import { newUlid } from '../../common/ids.ts';
import type { FilesFound, NameFound, Room } from './apart-answers.ts';

/* The process that apart.ts starts. Everything here may hang. */

async function names(hosts: string[]): Promise<null> {
  await Promise.all(
    hosts.map(async (host) => {
      const part: NameFound = await lookup(host, { all: true }).then(
        (found) => ({ host, addresses: found.map(({ address }) => address) }),
        (error: NodeJS.ErrnoException) => ({ host, fault: error.code ?? error.message }),
      );
      process.send!({ part });
    }),
  );
  return null;
}

/** Writes a file, reads it and deletes it, under a key that the nightly sweep would delete. */
async function files(place: FilesPlace): Promise<FilesFound> {
  // Names are waited for only a few seconds, so what only files need is not loaded for them.
  const { openFiles } = await import('../../outside/open-files.ts');
  const store = await openFiles(place);
  const found: FilesFound = {
    describe: store.describe,
    mark: null,
    isMarkRead: false,
    step: 'read the mark',
    fault: null,
  };
  try {
    found.mark = await store.readMark();
    found.isMarkRead = true;
    const now = new Date();
    const key = `${newUlid(now)}/${newUlid(now)}-${newUlid(now)}`;
    const text = `turnout doctor ${key}`;
    const chunks = async function* () {
      yield Buffer.from(text);
    };
    found.step = 'write';
    await store.write(key, chunks());
    found.step = 'read';
    const stream = await store.read(key);
    const read: Buffer[] = [];
    for await (const chunk of stream ?? []) read.push(chunk as Buffer);
    if (Buffer.concat(read).toString() !== text) throw new Error('other bytes were read than were written');
    found.step = 'delete';
    if (!(await store.delete(key))) throw new Error('the file was gone');
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    found.fault = cause?.message || message;
  }
  return found;
}

async function room(folder: string): Promise<Room> {
  for (let at = folder; ; at = dirname(at)) {
    // A folder that does not exist yet will be on the disk of the one above it.
    const isThere = await stat(at).then(
      () => true,
      () => false,
    );
    if (!isThere && dirname(at) !== at) continue;
    const { bavail, blocks, bsize, ffree, files: inodes } = await statfs(at);
    return { free: bavail * bsize, size: blocks * bsize, freeFiles: ffree, maxFiles: inodes };
  }
}

const TASKS = { names, files, room } as Record<string, (input: never) => Promise<unknown>>;

process.on('message', ({ task, input }: { task: string; input: never }) => {
  TASKS[task]!(input).then(
    (answer) => process.send!({ answer }),
    (error) => process.send!({ fault: (error as Error).message }),
  );
});
process.on('disconnect', () => process.exit());
