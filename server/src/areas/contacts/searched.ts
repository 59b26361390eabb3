import type { Id } from '../../common/ids.ts';
import { every, join, name, type Sql, sql } from '../../store/sql.ts';
import { holdsWords } from './words.ts';

/** What all searches of people have in common. How they work is in search.ts. */

/** The table that is searched. */
export interface SearchedTable {
  org: Id;
  table: 'attendees' | 'contacts';
  words: 'attendee_words' | 'contact_words';
  /** The column of `words` that names the row to which a word belongs. */
  owner: 'attendee_id' | 'contact_id';
  /** The condition on organization and event, for a row of either table. */
  within: (alias: string) => Sql;
  /** Whether the caller sees a row and asks for it, as far as the columns in the indexes of names can tell (migrations 0026, 0030). */
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

export interface FoundRow {
  key: string;
  id: Id;
}

/** The last character there is: greater than any that a name has. */
export const LAST = '\u{10ffff}';
/** The end of the range of texts that begin with this text. */
const rangeEnd = (text: string): string => `${text}${LAST}`;
export const begins = (column: Sql, text: string): Sql => sql`${column} >= ${text} and ${column} < ${rangeEnd(text)}`;
export const on = (alias: string, column: string): Sql => name(`${alias}.${column}`);

/** Whether the search finds a row at all: for lists in another order. `key`: the key of the name to check. */
export function isFound({ lead, others, email }: Search, alias: string, key = 'given_key'): Sql {
  const ways: Sql[] = [];
  if (lead !== null) ways.push(every(holdsWords(on(alias, key), [lead, ...others])));
  if (email !== null) ways.push(sql`coalesce(${begins(on(alias, 'email_key'), email)}, false)`);
  return sql`(${join(
    ways.map((way) => sql`(${way})`),
    ' or ',
  )})`;
}
