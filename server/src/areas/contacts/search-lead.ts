import { join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { begins, on, type SearchedTable } from './searched.ts';

/*
 * Which of several words leads a search (search.ts). It is best if few rows have it: of "anna zyrianov" it is the second word. If all
 * words are frequent, the planner's statistics decide, because counting the rows would take as long as reading them.
 */

/** How many words are tried as the leading one, and up to how many rows are counted for each. */
const TRIED = 4;
const COUNTED = 900;
/** For a row that a word in the table of words finds, the person must be looked up; names are checked in their index. */
const LOOKED_UP = 20;

export async function rarestWord(tx: Tx, table: SearchedTable, words: readonly string[]): Promise<string> {
  const tried = words.toSorted((a, b) => b.length - a.length).slice(0, TRIED);
  const counts = tried.map((word) => sql`(${countUpTo(table, word, COUNTED)})`);
  const counted = sql`select array[${join(counts, ', ')}] as found`;
  const { found } = await tx.one<{ found: number[] }>(tried.length === 2 ? counted : unprepared(counted));
  const fewest = Math.min(...found);
  if (fewest < COUNTED) return tried[found.indexOf(fewest)]!;
  const costs = await estimatedCosts(tx, table, tried);
  return tried[costs.indexOf(Math.min(...costs))]!;
}

/** Selects of the rows that a word finds, by the index that finds them: last names, first names, inner words. */
const found = (table: SearchedTable, word: string): [Sql, Sql, Sql] => {
  const keyed = (key: string) =>
    sql`select 1 from ${name(table.table)} x where ${table.within('x')} and ${begins(on('x', key), word)}`;
  return [
    keyed('name_key'),
    keyed('given_key'),
    sql`select 1 from ${name(table.words)} x where ${table.within('x')} and ${begins(sql`x.word`, word)}`,
  ];
};

/** Counts the rows that a word finds, but not further than `most`. */
const countUpTo = (table: SearchedTable, word: string, most: number): Sql => sql`
  select count(*)::int from (select from (${join(
    found(table, word).map((part) => sql`(${part} limit ${most})`),
    ' union all ',
  )}) found limit ${most}) few`;

interface Plan {
  'Plan Rows': number;
  Plans: Plan[];
}

/** What reading the rows of each word costs, as the planner estimates it without reading any. */
async function estimatedCosts(tx: Tx, table: SearchedTable, words: readonly string[]): Promise<number[]> {
  const parts = words.flatMap((word) => found(table, word)).map((part) => sql`array(${part})`);
  const explained = await tx.one<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    unprepared(sql`explain (format json) select ${join(parts, ', ')}`),
  );
  // The plan has one subplan for each array, in this order.
  const rows = explained['QUERY PLAN'][0].Plan.Plans.map((plan) => plan['Plan Rows']);
  return words.map((_, i) => rows[3 * i]! + rows[3 * i + 1]! + LOOKED_UP * rows[3 * i + 2]!);
}
