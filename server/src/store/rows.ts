import { join, name, type Sql, sql, unprepared } from './sql.ts';
import type { Tx } from './tx.ts';

/** Columns and their values; undefined leaves a column out. Names come from the code, never from a caller. */
export type Columns = Record<string, unknown>;

/** In one order, whatever the order in which they were sent. */
const given = (columns: Columns): [string, unknown][] =>
  Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

export function insertRow(tx: Tx, table: string, columns: Columns): Promise<number> {
  const entries = given(columns);
  return tx.run(sql`
    insert into ${name(table)} (${join(
      entries.map(([column]) => name(column)),
      ', ',
    )})
    values (${join(
      entries.map(([, value]) => sql`${value}`),
      ', ',
    )})`);
}

/** Which columns depends on what a caller changes, and of n fields there are 2^n choices: not prepared. */
export function updateRow(tx: Tx, table: string, where: Sql, columns: Columns): Promise<number> {
  const entries = given(columns);
  return tx.run(
    unprepared(sql`
    update ${name(table)} set ${join(
      entries.map(([column, value]) => sql`${name(column)} = ${value}`),
      ', ',
    )} where ${where}`),
  );
}
