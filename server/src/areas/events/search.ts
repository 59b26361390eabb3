import { every, type Sql, sql } from '../../store/sql.ts';
import { foldedKey, KEY_LENGTH, searchWords } from '../contacts/index.ts';

/** A text without case and accents, and no longer than its key, as `normalise` makes it for people. */
const keyOf = (text: Sql): Sql =>
  sql`left(replace(regexp_replace(normalize(lower(${text}), NFKD), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss'), ${KEY_LENGTH})`;
/** An organization has few events, so no key is stored. */
const KEY = sql`${keyOf(sql`e.name`)} || ' ' || ${keyOf(sql`e.code`)}`;

/** Whether each word of the search begins a word of the event's name or code. `offset 0`: the key is made once, not for each word. */
export const isFoundBy = (search: string): Sql => {
  const words = searchWords(search);
  if (words.length === 0) return sql`false`;
  const begins = words.map((word) => sql`strpos(named.key, ${` ${word}`}) > 0`);
  return sql`exists (select from (select ' ' || ${foldedKey(KEY)} as key offset 0) named where ${every(begins)})`;
};
