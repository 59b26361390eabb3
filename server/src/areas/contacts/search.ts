import type { Id } from '../../store/ids.ts';
import { every, join, name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { normalise } from './match.ts';
import { holdsWords, wordsOf } from './words.ts';

/**
 * Searching people. Every word of the search begins a word of the name, in any order; or all of it is the beginning of the e-mail
 * address. One of the words leads: whoever has it is read in order from an index, and the others are asked of those. `like`,
 * trigrams and `tsquery` would be kept off their indexes by row-level security; ranges of normalised keys are not.
 *
 * A person stands at one place of the list: the first of the keys that the leading word is found by, then the id. So a cursor is
 * good for as long as the names stay, and nobody is met twice.
 */
export interface SearchedTable {
  org: Id;
  table: 'attendees' | 'contacts';
  words: 'attendee_words' | 'contact_words';
  /** The column of `words` that says whose. */
  owner: 'attendee_id' | 'contact_id';
  /** Where a row of either table lies: organization and event. */
  within: (alias: string) => Sql;
  /** Whether the caller sees the person, and asks for them, as far as the indexes of names say (0026). */
  seen: (alias: string) => Sql;
  /** The rest of what is asked, of the rows that are left, as `a`. They stand at (k.key, k.id). */
  chosen: Sql;
  /** What is read of them, beside key and id. */
  columns: Sql;
}

export interface Search {
  /** The word that leads, and those that are asked of the people it leads to. */
  lead: string | null;
  others: readonly string[];
  /** What an e-mail address begins with. */
  email: string | null;
}

export interface Found {
  key: string;
  id: Id;
}

/** Words that are tried as the leading one, and up to how many people are counted for each. */
const TRIED = 4;
const COUNTED = 900;

const rangeEnd = (text: string): string => `${text}\u{10ffff}`;
export const begins = (column: Sql, text: string): Sql => sql`${column} >= ${text} and ${column} < ${rangeEnd(text)}`;
const on = (alias: string, column: string): Sql => name(`${alias}.${column}`);

/** Null: there is nothing to search for. */
export async function readSearch(tx: Tx, people: SearchedTable, text: string): Promise<Search | null> {
  const whole = normalise(text);
  if (whole === '') return null;
  const email = whole.includes(' ') ? null : whole;
  const words = whole.includes('@') ? [] : wordsOf(whole);
  if (words.length === 0) return { lead: null, others: [], email };
  const lead = words.length === 1 ? words[0]! : await rarestWord(tx, people, words);
  return { lead, others: words.filter((word) => word !== lead), email };
}

/** Of "anna zyrianov" the second leads, whoever is asked first: the one that fewer people have. */
async function rarestWord(tx: Tx, people: SearchedTable, words: readonly string[]): Promise<string> {
  const tried = words.toSorted((a, b) => b.length - a.length).slice(0, TRIED);
  const counts = tried.map((word) => sql`(${countUpTo(people, word, COUNTED)})`);
  const { found } = await tx.one<{ found: number[] }>(unprepared(sql`select array[${join(counts, ', ')}] as found`));
  return tried[found.indexOf(Math.min(...found))]!;
}

/** How many people a word leads to; no further than this. */
const countUpTo = (people: SearchedTable, word: string, most: number): Sql => sql`
  select count(*)::int from (select from (${join(
    [
      ...['name_key', 'given_key'].map(
        (
          key,
        ) => sql`(select x.id from ${name(people.table)} x where ${people.within('x')} and ${begins(on('x', key), word)}
          limit ${most})`,
      ),
      sql`(select from ${name(people.words)} x where ${people.within('x')} and ${begins(sql`x.word`, word)} limit ${most})`,
    ].map((part) => sql`(select 1 from ${part} c)`),
    ' union all ',
  )}) found limit ${most}) few`;

/** Where a person stands; null: nowhere. */
export function sortKey(people: SearchedTable, { lead, others, email }: Search, alias: string): Sql {
  const places: Sql[] = [];
  if (lead !== null) {
    const keys = ['name_key', 'given_key'].map(
      (key) => sql`case when ${begins(on(alias, key), lead)} then ${on(alias, key)} end`,
    );
    places.push(sql`case when ${every(holdsWords(on(alias, 'given_key'), others))} then least(${join(keys, ', ')}, (
      select min(w.word) from ${name(people.words)} w where w.org_id = ${people.org}
        and ${on('w', people.owner)} = ${on(alias, 'id')} and ${begins(sql`w.word`, lead)})) end`);
  }
  if (email !== null) {
    places.push(sql`case when ${begins(on(alias, 'email_key'), email)} then ${on(alias, 'email_key')} end`);
  }
  return sql`least(${join(places, ', ')})`;
}

/** Whether a person is found at all: for lists in another order. */
export function isFound({ lead, others, email }: Search, alias: string): Sql {
  const ways: Sql[] = [];
  if (lead !== null) ways.push(every(holdsWords(on(alias, 'given_key'), [lead, ...others])));
  if (email !== null) ways.push(sql`coalesce(${begins(on(alias, 'email_key'), email)}, false)`);
  return sql`(${join(
    ways.map((way) => sql`(${way})`),
    ' or ',
  )})`;
}

/** Everybody whom the search leads to, one select a way. Others of its words are asked by `isFound`. */
function candidateSelects(people: SearchedTable, { lead, email }: Search): Sql[] {
  const keyed = (key: string, text: string) =>
    sql`select x.id from ${name(people.table)} x where ${people.within('x')} and ${begins(on('x', key), text)}`;
  const ways: Sql[] = [];
  if (lead !== null) {
    ways.push(keyed('name_key', lead), keyed('given_key', lead));
    ways.push(sql`select ${on('x', people.owner)} from ${name(people.words)} x
      where ${people.within('x')} and ${begins(sql`x.word`, lead)}`);
  }
  if (email !== null) ways.push(keyed('email_key', email));
  return ways;
}

/** So many are looked up and sorted; where there are more, one of them is met soon in whatever order people are read. */
const FEW = 5000;

/** A select of everybody whom the search leads to; null: they are many. */
export async function candidatesIfFew(tx: Tx, people: SearchedTable, search: Search): Promise<Sql | null> {
  const ways = candidateSelects(people, search);
  const some = ways.map((way) => sql`select * from (${way} limit ${FEW + 1}) led`);
  const { found } = await tx.one<{ found: number }>(
    unprepared(sql`select count(*)::int as found from (${join(some, ' union all ')} limit ${FEW + 1}) few`),
  );
  return found > FEW ? null : join(ways, ' union ');
}

/** The same people, as a condition for a list in another order. */
export async function foundCondition(tx: Tx, people: SearchedTable, search: Search, alias: string): Promise<Sql> {
  const few = await candidatesIfFew(tx, people, search);
  const asked = isFound(search, alias);
  return unprepared(few === null ? asked : sql`${on(alias, 'id')} = any(array(${few})) and ${asked}`);
}

/** Who stands after the cursor, as parts of one list: each is in order and has at most so many. */
export function searchParts(
  people: SearchedTable,
  search: Search,
  after: readonly string[] | null,
  limit: number,
): Sql[] {
  const { lead, others, email } = search;
  const kept = sql`
    cross join lateral (select ${people.columns} from ${name(people.table)} a
      where a.org_id = ${people.org} and a.id = k.id and ${people.chosen} and k.key = ${sortKey(people, search, 'a')} offset 0) kept
    order by k.key, k.id limit ${limit}`;
  const later = (key: Sql, id: Sql) =>
    after === null ? sql`true` : sql`(${key}, ${id}) > (${after[0]}, ${after[1]}::uuid)`;
  // `offset 0`: the index is read in order and those it rules out are never looked up.
  const keyed = (key: string, text: string, asked: readonly string[]) => {
    const column = on('x', key);
    return sql`(select k.key, k.id, kept.* from (
      select x.id, ${column} as key from ${name(people.table)} x
      where ${people.within('x')} and ${begins(column, text)} and ${people.seen('x')}
        and ${every([...holdsWords(column, asked), later(column, sql`x.id`)])}
      order by ${column}, x.id offset 0) k ${kept})`;
  };
  const found: Sql[] = [];
  if (lead !== null) {
    found.push(keyed('name_key', lead, others), keyed('given_key', lead, others));
    const owner = on('x', people.owner);
    found.push(sql`(select k.key, k.id, kept.* from (
      select ${owner} as id, x.word as key from ${name(people.words)} x
      where ${people.within('x')} and ${begins(sql`x.word`, lead)} and ${later(sql`x.word`, owner)}
      order by x.word, ${owner} offset 0) k ${
        // What the index of names says of the others, the row says of these.
        sql`cross join lateral (select from ${name(people.table)} s where s.org_id = ${people.org} and s.id = k.id
          and ${people.seen('s')} offset 0) their ${kept}`
      })`);
  }
  if (email !== null) found.push(keyed('email_key', email, []));
  // Each number of words is another text.
  return others.length === 0 ? found : found.map(unprepared);
}

/** The page of them all. */
export const mergeParts = (found: readonly Sql[], limit: number): Sql => sql`
  select distinct on (key, id) * from (${join(found, ' union all ')}) found order by key, id limit ${limit}`;

/** By name, without a search. */
export const byName = (people: SearchedTable, after: readonly string[] | null, limit: number): Sql => sql`
  select k.key, k.id, kept.* from (
    select x.id, x.name_key as key from ${name(people.table)} x
    where ${people.within('x')} and ${people.seen('x')}
      and ${after === null ? sql`true` : sql`(x.name_key, x.id) > (${after[0]}, ${after[1]}::uuid)`}
    order by x.name_key, x.id offset 0) k
  cross join lateral (select ${people.columns} from ${name(people.table)} a
    where a.org_id = ${people.org} and a.id = k.id and ${people.chosen} offset 0) kept
  order by k.key, k.id limit ${limit}`;
