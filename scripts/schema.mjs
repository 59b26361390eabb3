// The text of docs/reference/schema.sql, from a database that is made and migrated for this purpose and then removed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../server/src/embedded/index.ts';
import { migrate } from '../server/src/store/migrate.ts';
import { dumpSchema } from '../server/src/store/schema/dump.ts';

export async function schemaPage() {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnout-schema-'));
  try {
    const embedded = await startEmbedded({ dataDir, settings: { fsync: 'off' } });
    try {
      await migrate(embedded.url);
      const client = new pg.Client({ connectionString: embedded.url });
      await client.connect();
      try {
        return await dumpSchema(client);
      } finally {
        await client.end();
      }
    } finally {
      await embedded.stop();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
