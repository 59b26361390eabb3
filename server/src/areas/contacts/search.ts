import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { normalise } from './match.ts';
import { rarestWord } from './search-lead.ts';
import { byName, searchByName } from './search-orders.ts';
import { begins, type FoundRow, LAST, on, type Search, type SearchedTable } from './searched.ts';
import { holdsWords, mayHoldWords, searchWords } from './words.ts';

/*
 * Searching attendees and contacts. Somebody is found if every word of the search begins a word of the name, in any order, or if the
 * whole search is the beginning of the e-mail address. One of the words leads: whoever has it is read in order from an index, and
 * the other words are checked on those rows. Row-level security keeps `like`, trigrams and `tsquery` off their indexes, but not
 * ranges of normalised keys, so ranges are used.
 *
 * Everybody has one position in the list: the first of the keys that match the leading word, then the id. So a cursor stays valid
 * as long as the names do, and nobody is listed twice. Whoever is found only by the e-mail address comes after everybody who is
 * found by name. Most addresses begin with the name, so most people who are found by address have been listed already; in one
 * common order, a page had to skip all of them before it could show the first person.
 */

/** Parts of one list. Each is in order and has at most a page of rows; all rows of the first stage come before those of the next. */
export type Stages = readonly (readonly Sql[])[];

/** The sort key of a row that a later stage finds, by the number of that stage. */
export const inStage = (stage: number, key: Sql): Sql => sql`${LAST.repeat(stage)} || ${key}`;

/** Whether a row of this stage comes after the cursor. `key` is its sort key within the stage. */
export function comesAfter(after: readonly string[] | null, stage: number, key: Sql, id: Sql): Sql {
  if (after === null) return sql`true`;
  const reached = /^\u{10ffff}*/u.exec(after[0]!)![0].length / LAST.length;
  if (reached !== stage) return reached < stage ? sql`true` : sql`false`;
  return sql`(${key}, ${id}) > (${after[0]!.slice(reached * LAST.length)}, ${after[1]}::uuid)`;
}

/** Reads what the caller searches for. Null if nothing is left of the text. */
export async function readSearch(tx: Tx, table: SearchedTable, text: string): Promise<Search | null> {
  const whole = normalise(text);
  if (whole === '') return null;
  const email = whole.includes(' ') ? null : whole;
  const words = whole.includes('@') ? [] : searchWords(whole);
  if (words.length === 0) return { lead: null, others: [], email };
  const lead = words.length === 1 ? words[0]! : await rarestWord(tx, table, words);
  return { lead, others: words.filter((word) => word !== lead), email };
}

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
    const key = on(alias, 'email_key');
    places.push(sql`case when ${begins(key, email)} then ${inStage(1, key)} end`);
  }
  return sql`coalesce(${join(places, ', ')})`;
}

/**
 * The SQL text differs with the number of words. It is prepared for one and for two, as first and last name: planning it takes longer
 * than reading most pages.
 */
export const preparedIfCommon =
  ({ others }: Search) =>
  (part: Sql): Sql =>
    others.length <= 1 ? part : unprepared(part);

/**
 * What the search finds after the cursor: by name, then by e-mail address. The indexes of a stage are read side by side, each in its
 * order, and whoever they find is looked up in one place: a statement with a lookup for each index took 3 ms to plan, of 4.5 ms in
 * all (measured). With `placed: false`, rows may be there whose position is another one: the caller compares it with `sortKey`.
 */
export function searchParts(
  table: SearchedTable,
  search: Search,
  after: readonly string[] | null,
  limit: number,
  { placed = true } = {},
): Stages {
  const { lead, others, email } = search;
  // Folding a long name is what costs most, so it is done once for each person, here and not in the indexes.
  const isThere = placed ? sql`k.key = ${sortKey(table, search, 'a')}` : sql`true`;
  // `offset 0` keeps the planner from merging the subselects: the index is read in order, and rows that it rules out are never fetched.
  const pageOfFound = (found: readonly Sql[]) => sql`(
    select distinct on (k.key, k.id) k.key, k.id, kept.* from (
      select * from (${join(found, ' union all ')}) found order by key, id offset 0) k
    cross join lateral (select ${table.columns} from ${name(table.table)} a
      where a.org_id = ${table.org} and a.id = k.id and ${table.chosen} and ${isThere} offset 0) kept
    order by k.key, k.id limit ${limit})`;
  const keyed = (stage: number, key: string, text: string, words: readonly string[]) => {
    const column = on('x', key);
    const conditions = [...mayHoldWords(column, words), comesAfter(after, stage, column, sql`x.id`)];
    return sql`(select x.id, ${stage === 0 ? column : inStage(stage, column)} as key from ${name(table.table)} x
      where ${table.within('x')} and ${begins(column, text)} and ${table.seen('x')} and ${every(conditions)}
      order by ${column}, x.id offset 0)`;
  };
  const stages: [Sql[], Sql[]] = [[], []];
  if (lead !== null) {
    const owner = on('x', table.owner);
    // The index of words lacks the columns that `seen` needs, so the row itself is asked.
    const worded = sql`(select ${owner} as id, x.word as key from ${name(table.words)} x
      where ${table.within('x')} and ${begins(sql`x.word`, lead)} and ${comesAfter(after, 0, sql`x.word`, owner)}
        and exists (select from ${name(table.table)} s where s.org_id = ${table.org} and s.id = ${owner}
          and ${table.seen('s')} offset 0)
      order by x.word, ${owner} offset 0)`;
    stages[0].push(pageOfFound([keyed(0, 'name_key', lead, others), keyed(0, 'given_key', lead, others), worded]));
  }
  if (email !== null) stages[1].push(pageOfFound([keyed(1, 'email_key', email, [])]));
  return stages.map((parts) => parts.map(preparedIfCommon(search)));
}

/**
 * Reads a page. A stage is read only if those before it do not fill the page, each with a statement of its own: planning all of them
 * takes longer than reading the first, which is enough for most searches.
 */
export async function readStages<Row extends FoundRow>(tx: Tx, stages: Stages, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const parts of stages) {
    if (parts.length === 0 || rows.length >= limit) continue;
    const found = await tx.all<Row>(sql`
      select distinct on (key, id) * from (${join(parts, ' union all ')}) part order by key, id limit ${limit}`);
    rows.push(...found.slice(0, limit - rows.length));
  }
  return rows;
}

/** A page of a list by name (`order` is `name`), or of what the search finds in its own order. */
export function readByKey<Row extends FoundRow>(
  tx: Tx,
  table: SearchedTable,
  search: Search | null,
  order: string | undefined,
  { after, read }: { after: readonly string[] | null; read: number },
): Promise<Row[]> {
  if (search === null) return tx.all<Row>(byName(table, after, read));
  if (order === 'name') return searchByName<Row>(tx, table, search, after, read);
  return readStages<Row>(tx, searchParts(table, search, after, read), read);
}
