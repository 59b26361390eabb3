import { join, name, type Sql, sql, unprepared } from './sql.ts';
import type { Tx } from './tx.ts';

/** Columns and their values. An undefined value leaves the column out. The names come from the code, never from a caller. */
export type Columns = Record<string, unknown>;

/** Sorted by name, so that the same columns give the same statement whatever order the caller sent them in. */
const definedColumns = (columns: Columns): [string, unknown][] =>
  Object.entries(columns)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

export function insertRow(tx: Tx, table: string, columns: Columns): Promise<number> {
  const entries = definedColumns(columns);
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

/** Not prepared: the caller chooses which columns change, and n columns make 2^n different statements. */
export function updateRow(tx: Tx, table: string, where: Sql, columns: Columns): Promise<number> {
  const entries = definedColumns(columns);
  return tx.run(
    unprepared(sql`
    update ${name(table)} set ${join(
      entries.map(([column, value]) => sql`${name(column)} = ${value}`),
      ', ',
    )} where ${where}`),
  );
}
