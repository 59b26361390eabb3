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

/**
 * Rows as two parameters: what all of them share, once, and the rest of each. Reading values out of JSON is most of what an insert
 * costs, and rows of one event are alike (24 columns, 5 of their own: 20 µs a row, so 9 [m]). `column` puts them together.
 */
function apart(
  columns: BulkColumns,
  rows: readonly object[],
  always: readonly string[] = [],
): { source: Sql; column: (name: string) => string } {
  const [first] = rows as [Record<string, unknown>];
  const own = Object.keys(columns).filter(
    (column) =>
      always.includes(column) || rows.some((row) => (row as Record<string, unknown>)[column] !== first[column]),
  );
  const shared = { ...first };
  for (const column of own) delete shared[column];
  const rest = rows.map((row) =>
    Object.fromEntries(own.map((column) => [column, (row as Record<string, unknown>)[column]])),
  );
  return {
    source: sql`json_to_recordset(${JSON.stringify(rest)}::json) as r(${record(columns)}),
      json_to_record(${JSON.stringify(shared)}::json) as s(${record(columns)})`,
    column: (name) => `coalesce(r.${name}, s.${name})`,
  };
}

/**
 * Many values as one parameter, as PostgreSQL writes an array. For rows that share little, an array a column costs less than JSON
 * (13 of them for an outcome of a delivery: 3.4 µs in the database, so 1 [m]); what pg makes of a list looks at every letter twice.
 */
export const arrayOf = (values: readonly unknown[]): string => `{${values.map(element).join()}}`;
const element = (value: unknown): string => {
  if (value === null) return 'null';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${/["\\]/.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`;
};

/** Sent without waiting: a failure aborts the transaction (tx.ts). */
export function insertAll(
  tx: Tx,
  table: string,
  columns: BulkColumns,
  rows: readonly object[],
  conflict: Sql = sql``,
): void {
  if (rows.length === 0) return;
  const names = Object.keys(columns);
  const { source, column } = apart(columns, rows);
  tx.send(
    sql`insert into ${name(table)} (${list(names)}) select ${list(names.map(column))} from ${source} ${conflict}`,
  );
}

/** Found by plain columns: a `coalesce` of two gets another plan (an imported row took the database 555 µs, so 225 [m]). */
const KEY = ['org_id', 'id'];

/** Sets every column but the key from the rows. */
export function updateAll(tx: Tx, table: string, columns: BulkColumns, rows: readonly object[]): void {
  if (rows.length === 0) return;
  const { source, column } = apart(columns, rows, KEY);
  const set = Object.keys(columns)
    .filter((name) => !KEY.includes(name))
    .map((name) => `${name} = ${column(name)}`);
  tx.send(sql`
    update ${name(table)} t set ${list(set)} from ${source}
    where t.org_id = r.org_id and t.id = r.id`);
}
