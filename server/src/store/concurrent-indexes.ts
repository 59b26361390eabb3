import type pg from 'pg';
import type { Migration } from './migration.ts';
import { withoutComments } from './narrowing.ts';

/**
 * A migration that says `create index concurrently` builds indexes while everybody goes on writing. PostgreSQL does that only outside of a
 * transaction, so such a file has nothing else in it. A build that was interrupted leaves an invalid index; it is dropped and built anew.
 */
export const isConcurrent = ({ text }: Pick<Migration, 'text'>): boolean =>
  /\bindex\s+concurrently\b/i.test(withoutComments(text));

const BUILD = /^create (?:unique )?index concurrently (\w+) on /i;

/** The names of the indexes and their statements. */
export function indexesIn({ name, text }: Pick<Migration, 'name' | 'text'>): [index: string, statement: string][] {
  const statements = withoutComments(text).split(';');
  return statements.flatMap((one) => {
    const statement = one.trim().replace(/\s+/g, ' ');
    if (statement === '') return [];
    const index = BUILD.exec(statement)?.[1];
    if (index === undefined) {
      throw new Error(
        `${name} builds indexes concurrently, so it may have nothing else in it than "create index concurrently NAME on …": ${statement}`,
      );
    }
    return [[index, statement]];
  });
}

export async function buildIndexes(client: pg.Client, migration: Migration): Promise<void> {
  for (const [index, statement] of indexesIn(migration)) {
    const { rows } = await client.query<{ valid: boolean }>(
      'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
      [index],
    );
    if (rows[0]?.valid === true) continue;
    if (rows[0] !== undefined) await client.query(`drop index concurrently ${index}`);
    await client.query(statement);
  }
  await client.query('insert into migrations (name, checksum) values ($1, $2)', [migration.name, migration.checksum]);
}
