import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cloneDatabase, runSql, type TestDatabase } from '../../../test/support/database.ts';
import { startTest } from '../../../test/support/turnout.ts';
import { folderFiles } from '../outside/folder-files.ts';
import { runCommandLine } from './run.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await cloneDatabase();
  folder = mkdtempSync(join(tmpdir(), 'turnout-adopt-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const known = async () => (await runSql(database.adminUrl, 'select files_mark from installation'))[0]?.files_mark;
const markIn = (store: string) => readFileSync(join(store, '.turnout-files'), 'utf8');
/** A start with this store, which is stopped again. Rejects if it is refused. */
const start = async (store: string) => (await startTest({ database, env: { FILES_URL: store } })).stop();
async function adopt(store: string): Promise<unknown> {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    const env = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), FILES_URL: store };
    expect(await runCommandLine(['files', 'adopt'], env)).toBe(0);
    return JSON.parse(out.mock.calls[0]![0]);
  } finally {
    out.mockRestore();
  }
}

test('`turnout files adopt` makes another store the one of this database, and the one before is refused', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await start(first);
  const mark = await known();
  expect(markIn(first)).toBe(mark);

  // The store of another database. A start that is refused adopts nothing.
  await folderFiles(second).mark('theirs');
  await expect(start(second)).rejects.toThrow(/turnout files adopt/);
  expect(await known()).toBe(mark);

  expect(await adopt(second)).toEqual({ files: `in ${second}` });
  expect([await known(), markIn(second)]).toEqual(['theirs', 'theirs']);
  await start(second);
  await expect(start(first)).rejects.toThrow(/turnout files adopt/);
});

test('`turnout files adopt` marks a store that is new, also before the first start', async () => {
  const [fresh, other] = [join(folder, 'fresh'), join(folder, 'other')];
  await adopt(fresh);
  expect(await known()).toBe(markIn(fresh));
  await start(fresh);
  await adopt(other);
  expect(markIn(other)).not.toBe(markIn(fresh));
  expect(await known()).toBe(markIn(other));
});
