import { every, type Sql, sql } from '../../store/sql.ts';
import { foldedKey, wordsOf } from '../contacts/index.ts';

/** Name and code without case and accents, as `normalise` does it for people. An organization has few events, so no key is stored. */
const KEY = sql`replace(regexp_replace(normalize(lower(e.name || ' ' || e.code), NFKD), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss')`;

/** Whether each word of the search begins a word of the event's name or code. `offset 0`: the key is made once, not for each word. */
export const isFoundBy = (search: string): Sql => {
  const words = wordsOf(search);
  if (words.length === 0) return sql`false`;
  const begins = words.map((word) => sql`strpos(named.key, ${` ${word}`}) > 0`);
  return sql`exists (select from (select ' ' || ${foldedKey(KEY)} as key offset 0) named where ${every(begins)})`;
};
