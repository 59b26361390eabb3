import { randomBytes } from 'node:crypto';
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
  drop(): Promise<void>;
}

export async function cloneDatabase(): Promise<TestDatabase> {
  const admin = withName(inject('adminUrl'), 'postgres');
  const name = `t_${randomBytes(6).toString('hex')}`;
  // Copying the files takes less than writing their pages to the log, which is the default.
  await runSql(admin, `create database ${name} template turnout owner turnout strategy file_copy`);
  return {
    url: withName(inject('databaseUrl'), name),
    adminUrl: withName(admin, name),
    drop: async () => {
      await runSql(admin, `drop database if exists ${name} with (force)`);
    },
  };
}
