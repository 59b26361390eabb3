import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from '../../store/sql.ts';
import { apart, NoAnswer } from './apart.ts';
import type { FilesFound, Room } from './apart-answers.ts';
import type { Check, Context } from './check.ts';
import { failed, messageOf, ok, type Verdict, warning } from './verdict.ts';

const PROBE_MS = 12_000;
const PAGE = 'docs/operating/files.md';

/** One look for both checks: the mark is read, and a file is written, read and deleted. */
const looks = new WeakMap<Context, Promise<FilesFound>>();
function look(context: Context): Promise<FilesFound> {
  const found = looks.get(context) ?? apart<FilesFound>('files', context.config.files, limitOf(context));
  looks.set(context, found);
  return found;
}
const limitOf = ({ options }: Context): number => Math.min(PROBE_MS, options.limitMs ?? PROBE_MS);

const doesNotServe = (error: unknown): Verdict =>
  failed(
    error instanceof NoAnswer
      ? `The store of files gives ${error.message}.`
      : `The store of files does not serve: ${messageOf(error)}.`,
    `Exports, imports and downloads fail until it is back. Look at the folder or the bucket in FILES_URL (${PAGE}).`,
  );

const probe: Check = {
  name: 'store',
  group: 'files',
  limitMs: PROBE_MS + 1_000,
  run: async (context) => {
    const found = await look(context).catch((error: Error) => error);
    if (found instanceof Error) return doesNotServe(found);
    if (found.fault === null) return ok(`A file was written, read and deleted ${found.describe}.`);
    return failed(
      `Nothing can be kept ${found.describe}: to ${found.step} failed (${found.fault}).`,
      `Check the folder or bucket in FILES_URL, and what Turnout may do there (${PAGE}).`,
    );
  },
};

const mark: Check = {
  name: 'same store',
  group: 'files',
  limitMs: PROBE_MS + 1_000,
  run: async (context) => {
    const { read, isEmbedded } = await context.database();
    if (isEmbedded) return ok('The embedded database and its files belong together.');
    const [known, found] = await Promise.all([
      read((tx) => tx.maybe<{ files_mark: string | null }>(sql`select files_mark from installation`)),
      look(context).catch((error: Error) => error),
    ]);
    if (found instanceof Error || !found.isMarkRead)
      return failed('The mark of the store could not be read.', 'See what is said of the store.');
    const wanted = known?.files_mark ?? null;
    if (wanted === null) return ok('The first start marks it.');
    if (found.mark === wanted) return ok('It bears the mark of this database.');
    return failed(
      `The files of this database are not ${found.describe}: ${found.mark === null ? 'there is no mark' : 'there is the mark of another one'}.`,
      `Set FILES_URL as for the other processes. If those files are lost, \`turnout files adopt\` goes on with this store (${PAGE}).`,
    );
  },
};

const GB = 1024 ** 3;
/** What one organization may keep in files. */
const LITTLE = GB;
const NOTHING = GB / 10;
const LITTLE_SHARE = 0.05;
const size = (bytes: number): string =>
  bytes >= GB ? `${(bytes / GB).toFixed(1)} GB` : `${Math.round(bytes / 1024 ** 2)} MB`;

async function roomIn(context: Context, name: string, folder: string): Promise<Verdict> {
  const found = await apart<Room>('room', folder, Math.min(5_000, limitOf(context))).catch((error: Error) => error);
  if (found instanceof Error)
    return { ...doesNotServe(found), says: `The disk of ${name} (${folder}) cannot be asked: ${messageOf(found)}.` };
  const { free, size: whole, freeFiles, maxFiles } = found;
  const says = `${size(free)} of ${size(whole)} are free on the disk of ${name} (${folder}).`;
  const remedy = 'Free some space or enlarge the disk. Never delete anything inside DATA_DIR/postgres.';
  if (free < NOTHING) return failed(says, remedy);
  if (maxFiles > 0 && freeFiles < 1000)
    return failed(`The disk of ${name} (${folder}) has room for ${freeFiles} more files only.`, remedy);
  return free < LITTLE || free < whole * LITTLE_SHARE ? warning(says, remedy) : ok(says);
}

const disk: Check = {
  name: 'disk',
  group: 'machine',
  limitMs: 6_000,
  run: async (context) => {
    const { files, dataDir } = context.config;
    const folders =
      'folder' in files && !`${files.folder}/`.startsWith(`${dataDir}/`) ? [['FILES_URL', files.folder] as const] : [];
    return Promise.all(
      [['DATA_DIR', dataDir] as const, ...folders].map(([name, folder]) => roomIn(context, name, folder)),
    );
  },
};

const secret: Check = {
  name: 'secret key',
  group: 'machine',
  limitMs: 12_000,
  run: async (context) => {
    const { config } = context;
    const file = join(config.dataDir, 'secret.key');
    const mode = config.secretKey === null ? (statSync(file, { throwIfNoEntry: false })?.mode ?? null) : 0;
    const { Secrets } = await import('../../common/secrets.ts');
    const { ConfigError, masterSecret } = await import('../../config.ts');
    const missing = () => {
      throw new ConfigError('there is none');
    };
    const { read } = await context.database();
    const row = await read((tx) =>
      tx.maybe<{ secret_check: Buffer | null }>(sql`select secret_check from installation`),
    );
    const wanted = row?.secret_check ?? null;
    if (wanted === null) return ok('The first start marks the database with it.');
    let isSame: boolean;
    try {
      isSame = wanted.equals(new Secrets(masterSecret(config, missing)).sign('installation'));
    } catch (error) {
      if (error instanceof ConfigError)
        return failed(
          'SECRET_KEY is not set here, and DATA_DIR holds none.',
          'Run this with the settings of the server. If the key is lost, restore it from a backup.',
        );
      throw error;
    }
    if (!isSame)
      return failed(
        'This database belongs to another secret key.',
        'Set SECRET_KEY, or DATA_DIR/secret.key, to the key with which the database was first started.',
      );
    if (mode !== null && (mode & 0o077) !== 0)
      return warning(`Others on this machine may read ${file}.`, `chmod 600 ${file}`);
    return ok('It is the key of this database.');
  },
};

export const fileChecks: readonly Check[] = [probe, mark, disk, secret];
