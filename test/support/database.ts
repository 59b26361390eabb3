import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

export async function runSql(url: string, text: string, values: unknown[] = []): Promise<pg.QueryResult['rows']> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const withName = (url: string, name: string): string => url.replace(/(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`);

export interface TestDatabase {
  /** With the login of the server. */
  url: string;
  /** With the login of a superuser, who is not limited by row-level security. */
  adminUrl: string;
  /** The folder of the files that belong to it, whichever process makes them. */
  files: string;
  drop(): Promise<void>;
}

/** A copy of the migrated template, or an empty database. */
export async function cloneDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const admin = withName(inject('adminUrl'), 'postgres');
  const name = `t_${randomBytes(6).toString('hex')}`;
  // Copying the files takes less than writing their pages to the log, which is the default.
  const template = empty ? '' : 'template turnout strategy file_copy';
  await runSql(admin, `create database ${name} owner turnout ${template}`);
  const files = join(tmpdir(), `turnout-files-${name}`);
  return {
    url: withName(inject('databaseUrl'), name),
    adminUrl: withName(admin, name),
    files,
    drop: async () => {
      rmSync(files, { recursive: true, force: true });
      await runSql(admin, `drop database if exists ${name} with (force)`);
    },
  };
}
