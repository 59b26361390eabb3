import { every, type Sql, sql } from '../../store/sql.ts';
import { holdsWords, wordsOf } from '../contacts/index.ts';

/** Name and code without case and accents, as `normalise` does it for people. An organization has few events, so no key is stored. */
const KEY = sql`replace(regexp_replace(normalize(lower(e.name || ' ' || e.code), NFKD), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss')`;

/** Whether each word of the search begins a word of the event's name or code. */
export const isFoundBy = (search: string): Sql => {
  const words = wordsOf(search);
  return words.length === 0 ? sql`false` : every(holdsWords(KEY, words));
};
