import type { Id } from '../../store/ids.ts';
import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { normalise } from './match.ts';
import { holdsWords, wordsOf } from './words.ts';

/*
 * Searching attendees and contacts. Somebody is found if every word of the search begins a word of the name, in any order, or if the
 * whole search is the beginning of the e-mail address. One of the words leads: whoever has it is read in order from an index, and
 * the other words are checked on those rows. Row-level security keeps `like`, trigrams and `tsquery` off their indexes, but not
 * ranges of normalised keys, so ranges are used.
 *
 * Everybody has one position in the list: the first of the keys that match the leading word, then the id. So a cursor stays valid
 * as long as the names do, and nobody is listed twice.
 */

/** The table that is searched. */
export interface SearchedTable {
  org: Id;
  table: 'attendees' | 'contacts';
  words: 'attendee_words' | 'contact_words';
  /** The column of `words` that names the row to which a word belongs. */
  owner: 'attendee_id' | 'contact_id';
  /** The condition on organization and event, for a row of either table. */
  within: (alias: string) => Sql;
  /** Whether the caller sees a row and asks for it, as far as the columns in the indexes of names can tell (migration 0026). */
  seen: (alias: string) => Sql;
  /** The other conditions, on the row `a`. Its position in the list is (k.key, k.id). */
  chosen: Sql;
  /** The columns that are read besides key and id. */
  columns: Sql;
}

export interface Search {
  /** The leading word, and the words that are checked on the rows it finds. */
  lead: string | null;
  others: readonly string[];
  /** The beginning of an e-mail address. */
  email: string | null;
}

export interface Found {
  key: string;
  id: Id;
}

/** How many words are tried as the leading one, and up to how many rows are counted for each. */
const TRIED = 4;
const COUNTED = 900;

/** The end of the range of texts that begin with this text. */
const rangeEnd = (text: string): string => `${text}\u{10ffff}`;
export const begins = (column: Sql, text: string): Sql => sql`${column} >= ${text} and ${column} < ${rangeEnd(text)}`;
const on = (alias: string, column: string): Sql => name(`${alias}.${column}`);

/** Reads what the caller searches for. Null if nothing is left of the text. */
export async function readSearch(tx: Tx, table: SearchedTable, text: string): Promise<Search | null> {
  const whole = normalise(text);
  if (whole === '') return null;
  const email = whole.includes(' ') ? null : whole;
  const words = whole.includes('@') ? [] : wordsOf(whole);
  if (words.length === 0) return { lead: null, others: [], email };
  const lead = words.length === 1 ? words[0]! : await rarestWord(tx, table, words);
  return { lead, others: words.filter((word) => word !== lead), email };
}

/** The word that the fewest rows have, which is the best one to lead: of "anna zyrianov" it is the second. */
async function rarestWord(tx: Tx, table: SearchedTable, words: readonly string[]): Promise<string> {
  const tried = words.toSorted((a, b) => b.length - a.length).slice(0, TRIED);
  const counts = tried.map((word) => sql`(${countUpTo(table, word, COUNTED)})`);
  const { found } = await tx.one<{ found: number[] }>(unprepared(sql`select array[${join(counts, ', ')}] as found`));
  return tried[found.indexOf(Math.min(...found))]!;
}

/** Counts the rows that a word finds, but not further than `most`. */
const countUpTo = (table: SearchedTable, word: string, most: number): Sql => sql`
  select count(*)::int from (select from (${join(
    [
      ...['name_key', 'given_key'].map(
        (
          key,
        ) => sql`(select x.id from ${name(table.table)} x where ${table.within('x')} and ${begins(on('x', key), word)}
          limit ${most})`,
      ),
      sql`(select from ${name(table.words)} x where ${table.within('x')} and ${begins(sql`x.word`, word)} limit ${most})`,
    ].map((part) => sql`(select 1 from ${part} c)`),
    ' union all ',
  )}) found limit ${most}) few`;

/** The sort key of a row in the list. Null if the search does not find it. */
export function sortKey(table: SearchedTable, { lead, others, email }: Search, alias: string): Sql {
  const places: Sql[] = [];
  if (lead !== null) {
    const keys = ['name_key', 'given_key'].map(
      (key) => sql`case when ${begins(on(alias, key), lead)} then ${on(alias, key)} end`,
    );
    places.push(sql`case when ${every(holdsWords(on(alias, 'given_key'), others))} then least(${join(keys, ', ')}, (
      select min(w.word) from ${name(table.words)} w where w.org_id = ${table.org}
        and ${on('w', table.owner)} = ${on(alias, 'id')} and ${begins(sql`w.word`, lead)})) end`);
  }
  if (email !== null) {
    places.push(sql`case when ${begins(on(alias, 'email_key'), email)} then ${on(alias, 'email_key')} end`);
  }
  return sql`least(${join(places, ', ')})`;
}

/** Whether the search finds a row at all: for lists in another order. */
export function isFound({ lead, others, email }: Search, alias: string): Sql {
  const ways: Sql[] = [];
  if (lead !== null) ways.push(every(holdsWords(on(alias, 'given_key'), [lead, ...others])));
  if (email !== null) ways.push(sql`coalesce(${begins(on(alias, 'email_key'), email)}, false)`);
  return sql`(${join(
    ways.map((way) => sql`(${way})`),
    ' or ',
  )})`;
}

/** Selects of the rows that the leading word or the e-mail address finds, one for each index. `isFound` checks the other words. */
function candidateSelects(table: SearchedTable, { lead, email }: Search): Sql[] {
  const keyed = (key: string, text: string) =>
    sql`select x.id from ${name(table.table)} x where ${table.within('x')} and ${begins(on('x', key), text)}`;
  const ways: Sql[] = [];
  if (lead !== null) {
    ways.push(keyed('name_key', lead), keyed('given_key', lead));
    ways.push(sql`select ${on('x', table.owner)} from ${name(table.words)} x
      where ${table.within('x')} and ${begins(sql`x.word`, lead)}`);
  }
  if (email !== null) ways.push(keyed('email_key', email));
  return ways;
}

/**
 * Up to this many candidates are looked up and then sorted. If there are more, reading the list in its own order meets one of them
 * soon, and that is faster.
 */
const FEW = 5000;

/** A select of all candidates, or null if they are more than a few. */
export async function candidatesIfFew(tx: Tx, table: SearchedTable, search: Search): Promise<Sql | null> {
  const ways = candidateSelects(table, search);
  const some = ways.map((way) => sql`select * from (${way} limit ${FEW + 1}) led`);
  const { found } = await tx.one<{ found: number }>(
    unprepared(sql`select count(*)::int as found from (${join(some, ' union all ')} limit ${FEW + 1}) few`),
  );
  return found > FEW ? null : join(ways, ' union ');
}

/** The rows that the search finds as a condition, for a list in another order. */
export async function foundCondition(tx: Tx, table: SearchedTable, search: Search, alias: string): Promise<Sql> {
  const few = await candidatesIfFew(tx, table, search);
  const asked = isFound(search, alias);
  return unprepared(few === null ? asked : sql`${on(alias, 'id')} = any(array(${few})) and ${asked}`);
}

/** What the search finds after the cursor, as parts of one list, one for each index. Each part is in order and has at most `limit` rows. */
export function searchParts(
  table: SearchedTable,
  search: Search,
  after: readonly string[] | null,
  limit: number,
): Sql[] {
  const { lead, others, email } = search;
  const kept = sql`
    cross join lateral (select ${table.columns} from ${name(table.table)} a
      where a.org_id = ${table.org} and a.id = k.id and ${table.chosen} and k.key = ${sortKey(table, search, 'a')} offset 0) kept
    order by k.key, k.id limit ${limit}`;
  const later = (key: Sql, id: Sql) =>
    after === null ? sql`true` : sql`(${key}, ${id}) > (${after[0]}, ${after[1]}::uuid)`;
  // `offset 0` keeps the planner from merging the subselect: the index is read in order, and rows that it rules out are never fetched.
  const keyed = (key: string, text: string, asked: readonly string[]) => {
    const column = on('x', key);
    return sql`(select k.key, k.id, kept.* from (
      select x.id, ${column} as key from ${name(table.table)} x
      where ${table.within('x')} and ${begins(column, text)} and ${table.seen('x')}
        and ${every([...holdsWords(column, asked), later(column, sql`x.id`)])}
      order by ${column}, x.id offset 0) k ${kept})`;
  };
  const found: Sql[] = [];
  if (lead !== null) {
    found.push(keyed('name_key', lead, others), keyed('given_key', lead, others));
    const owner = on('x', table.owner);
    found.push(sql`(select k.key, k.id, kept.* from (
      select ${owner} as id, x.word as key from ${name(table.words)} x
      where ${table.within('x')} and ${begins(sql`x.word`, lead)} and ${later(sql`x.word`, owner)}
      order by x.word, ${owner} offset 0) k ${
        // The index of words lacks the columns that `seen` needs, so the row itself is asked.
        sql`cross join lateral (select from ${name(table.table)} s where s.org_id = ${table.org} and s.id = k.id
          and ${table.seen('s')} offset 0) their ${kept}`
      })`);
  }
  if (email !== null) found.push(keyed('email_key', email, []));
  // The SQL text differs with the number of words, so it is not worth preparing.
  return others.length === 0 ? found : found.map(unprepared);
}

/** Merges the parts into one page. */
export const mergeParts = (found: readonly Sql[], limit: number): Sql => sql`
  select distinct on (key, id) * from (${join(found, ' union all ')}) found order by key, id limit ${limit}`;

/** A page of the list by name, without a search. */
export const byName = (table: SearchedTable, after: readonly string[] | null, limit: number): Sql => sql`
  select k.key, k.id, kept.* from (
    select x.id, x.name_key as key from ${name(table.table)} x
    where ${table.within('x')} and ${table.seen('x')}
      and ${after === null ? sql`true` : sql`(x.name_key, x.id) > (${after[0]}, ${after[1]}::uuid)`}
    order by x.name_key, x.id offset 0) k
  cross join lateral (select ${table.columns} from ${name(table.table)} a
    where a.org_id = ${table.org} and a.id = k.id and ${table.chosen} offset 0) kept
  order by k.key, k.id limit ${limit}`;
