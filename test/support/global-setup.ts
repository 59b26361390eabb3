import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { logOf } from '../../server/src/embedded/cluster.ts';
import { startEmbedded } from '../../server/src/embedded/index.ts';
import { migrate } from '../../server/src/store/migrate.ts';
import { runSql } from './database.ts';
import { fastFolder } from './fast-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    databaseUrl: string;
    /** The log file of PostgreSQL. */
    postgresLog: string;
  }
}

/** Starts one real PostgreSQL for the whole run. Each test file clones a migrated template database, so files do not see each other. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(fastFolder(), `turnout-test-${process.pid}-`));
  const embedded = await startEmbedded({
    dataDir,
    settings: {
      // The rows of a test need not survive a power cut.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // Each file writes a database of its own. Compressing that took half a second of processor time for each (measured).
      wal_compression: 'off',
      // It may lie in memory.
      max_wal_size: '512MB',
      max_connections: '300',
    },
  });
  await migrate(embedded.url);
  await runSql(embedded.adminUrl, `alter database turnout with is_template true allow_connections false`);
  project.provide('adminUrl', embedded.adminUrl);
  project.provide('databaseUrl', embedded.url);
  project.provide('postgresLog', logOf(dataDir));
  return async () => {
    await embedded.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
