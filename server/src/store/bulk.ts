import { name, Sql, sql } from './sql.ts';
import type { Tx } from './tx.ts';

/** Columns of a table with their SQL types: many rows travel as one JSON parameter and one statement, prepared once. */
export type BulkColumns = Readonly<Record<string, string>>;

const list = (columns: readonly string[]): Sql => new Sql([columns.join(', ')], []);
const record = (columns: BulkColumns): Sql =>
  new Sql(
    [
      Object.entries(columns)
        .map(([column, type]) => `${column} ${type}`)
        .join(', '),
    ],
    [],
  );

/**
 * Texts as one parameter, for `unnest`. They hold no U+001E, as JSON never does, so nothing is quoted here and unquoted there
 * (an answer of 1.2 kB as text[]: 32 µs, so 22; as bytea[]: 40 and 25 [m]).
 */
export const texts = (list: readonly string[]): Sql => sql`string_to_array(${list.join(SEPARATOR)}, ${SEPARATOR})`;
const SEPARATOR = '\u001e';

/**
 * From here on, statements of this transaction that look for many things at once are planned for any number of them. Else, for a
 * few, a plan of their own looks cheaper, and PostgreSQL makes one on every call: 3 ms of every scan of one ticket [m].
 */
export const onePlan = (tx: Tx): void => tx.send(sql`set local plan_cache_mode = force_generic_plan`);

/** Sent without waiting: a failure aborts the transaction (tx.ts). */
export function insertAll(tx: Tx, table: string, columns: BulkColumns, rows: readonly object[]): void {
  if (rows.length === 0) return;
  const names = list(Object.keys(columns));
  tx.send(sql`
    insert into ${name(table)} (${names})
    select ${names} from json_to_recordset(${JSON.stringify(rows)}::json) as r(${record(columns)})`);
}

/** Sets every column but the key from the rows; rows are found by (org_id, id). */
export function updateAll(tx: Tx, table: string, columns: BulkColumns, rows: readonly object[]): void {
  if (rows.length === 0) return;
  const set = Object.keys(columns)
    .filter((column) => column !== 'org_id' && column !== 'id')
    .map((column) => `${column} = r.${column}`)
    .join(', ');
  tx.send(sql`
    update ${name(table)} t set ${new Sql([set], [])} from json_to_recordset(${JSON.stringify(rows)}::json) as r(${record(columns)})
    where t.org_id = r.org_id and t.id = r.id`);
}
