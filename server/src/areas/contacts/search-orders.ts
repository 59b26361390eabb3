import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { begins, isFound, on, type Search, type SearchedTable } from './searched.ts';
import { holdsWords } from './words.ts';

/*
 * Searching in another order than that of the search (search.ts): by name or by last change. If the search finds few people, they are
 * looked up and sorted. If it finds many, the list is read in its own order, where one of them comes up soon. That fails if they are
 * far from one another, as after the import of a file that is sorted by name; so only a piece of the list is read, and if it does not
 * fill the page, all who are found are looked up and sorted after all.
 */

/** Up to how many rows are looked up and sorted at once, and how many rows of the list are read. Tests lower them. */
export const searchBounds = { few: 2000, walked: 10_000 };

/** The SQL of a page, read in either way. On each row `isFound` has to be checked. */
export interface Ways {
  /** Reads so many rows of the list in its order. */
  walk: (rows: number) => Sql;
  /** Looks up all candidates and sorts them. */
  sort: () => Sql;
}

/**
 * Selects of the rows that the leading word or the e-mail address finds, one for each index. `keys`: the keys of names to look in. For
 * people whom the index of words finds, the other words have not been checked.
 */
export function candidates(
  table: SearchedTable,
  { lead, others, email }: Search,
  keys: readonly string[] = ['name_key', 'given_key'],
): Sql[] {
  const keyed = (key: string, text: string, words: readonly string[]) => {
    const column = on('x', key);
    return sql`select x.id from ${name(table.table)} x
      where ${table.within('x')} and ${begins(column, text)} and ${table.seen('x')} and ${every(holdsWords(column, words))}`;
  };
  const found: Sql[] = [];
  if (lead !== null) {
    found.push(...keys.map((key) => keyed(key, lead, others)));
    found.push(sql`select ${on('x', table.owner)} as id from ${name(table.words)} x
      where ${table.within('x')} and ${begins(sql`x.word`, lead)}`);
  }
  if (email !== null) found.push(keyed('email_key', email, []));
  return found;
}

/** Reads a page in the better way, which depends on how many candidates there are. */
export async function pageInOrder<Row>(tx: Tx, found: readonly Sql[], limit: number, ways: Ways): Promise<Row[]> {
  const { few, walked } = searchBounds;
  const some = found.map((select) => sql`(select 1 from (${select}) led limit ${few + 1})`);
  const { count } = await tx.one<{ count: number }>(
    unprepared(
      sql`select count(*)::int from (select from (${join(some, ' union all ')}) all_found limit ${few + 1}) few`,
    ),
  );
  if (count > few) {
    const rows = await tx.all<Row>(unprepared(ways.walk(walked)));
    if (rows.length >= limit) return rows;
  }
  return tx.all<Row>(unprepared(ways.sort()));
}

export const afterName = (after: readonly string[] | null, alias: string): Sql =>
  after === null ? sql`true` : sql`(${on(alias, 'name_key')}, ${on(alias, 'id')}) > (${after[0]}, ${after[1]}::uuid)`;

/** Rows in the order of their names. The index of names holds what `seen` and `condition` check, and the columns `and`. */
export const readByName = (
  table: SearchedTable,
  after: readonly string[] | null,
  condition: Sql,
  and: Sql = sql``,
): Sql => sql`
  select x.id, x.name_key as key ${and} from ${name(table.table)} x
  where ${table.within('x')} and ${afterName(after, 'x')} and ${table.seen('x')} and ${condition}
  order by x.name_key, x.id offset 0`;

/** A page of these rows, which are in order. */
const pageOf = (table: SearchedTable, rows: Sql, limit: number): Sql => sql`
  select k.key, k.id, kept.* from (${rows}) k
  cross join lateral (select ${table.columns} from ${name(table.table)} a
    where a.org_id = ${table.org} and a.id = k.id and ${table.chosen} offset 0) kept
  order by k.key, k.id limit ${limit}`;

/** A page of the list by name, without a search. */
export const byName = (table: SearchedTable, after: readonly string[] | null, limit: number): Sql =>
  pageOf(table, readByName(table, after, sql`true`), limit);

/** The same, of the first rows only. */
export const walkByName = (
  table: SearchedTable,
  after: readonly string[] | null,
  condition: Sql,
  rows: number,
  and: Sql = sql``,
): Sql => sql`
  select x.id, x.name_key as key ${and} from (
    select x.* from ${name(table.table)} x where ${table.within('x')} and ${afterName(after, 'x')}
    order by x.name_key, x.id limit ${rows}) x
  where ${table.seen('x')} and ${condition} order by x.name_key, x.id offset 0`;

/** A page of the list by name, of those whom the search finds. */
export function searchByName<Row>(
  tx: Tx,
  table: SearchedTable,
  search: Search,
  after: readonly string[] | null,
  limit: number,
): Promise<Row[]> {
  const { lead, others } = search;
  const found = candidates(table, search, ['given_key']);
  const sorted = sql`
    select x.id, x.name_key as key from ${name(table.table)} x
    where x.org_id = ${table.org} and x.id = any(array(${join(found, ' union ')})) and ${table.seen('x')}
      and ${isFound(search, 'x')} and ${afterName(after, 'x')} order by x.name_key, x.id offset 0`;
  // Those who are found by the beginning of the last name are together in this list and need no sorting.
  const together = (word: string) =>
    readByName(table, after, every([begins(sql`x.name_key`, word), ...holdsWords(sql`x.name_key`, others)]));
  const parts = [...(lead === null ? [] : [together(lead)]), sorted].map(
    (rows) => sql`(${pageOf(table, rows, limit)})`,
  );
  return pageInOrder<Row>(tx, found, limit, {
    walk: (rows) => pageOf(table, walkByName(table, after, isFound(search, 'x', 'name_key'), rows), limit),
    sort: () => sql`
      select distinct on (key, id) * from (${join(parts, ' union all ')}) found order by key, id limit ${limit}`,
  });
}
