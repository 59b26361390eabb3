import type { Id } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { normalise } from './match.ts';

interface Keys {
  name_key: string;
  given_key: string;
}

/** The characters besides spaces that separate the words of a name. */
const MARKS = `-'.,/()"&+·_:;\`´’‘‛“”„«»‹›‐‑‒–—―@|*`;
const SPACES = ' '.repeat(MARKS.length);
const BETWEEN = new RegExp(`[\\s${MARKS.replace(/[\\\]^-]/g, '\\$&')}]+`, 'u');
/** Longer words are cut and found by their beginning. */
const LONGEST = 200;

/** The words of a name or of a search, each once, without case, accents and punctuation. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    normalise(text)
      .split(BETWEEN)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, LONGEST)),
  ),
];

/** The words of a name with which none of its keys begins. The tables `attendee_words` and `contact_words` hold these. */
export const innerWords = ({ name_key, given_key }: Keys): string[] =>
  wordsOf(given_key).filter((word) => !name_key.startsWith(word) && !given_key.startsWith(word));

/** Whether each of the words begins a word of the key. This is checked on rows that an index has found; it cannot use an index itself. */
export const holdsWords = (key: Sql, words: readonly string[]): Sql[] =>
  words.map((word) => sql`position(${` ${word}`} in ' ' || translate(${key}, ${MARKS}, ${SPACES})) > 0`);

/** Writes the words of a contact whose name has changed. `after` is null if the contact was erased. */
export async function writeContactWords(tx: Tx, org: Id, contact: Id, before: Keys, after: Keys | null): Promise<void> {
  if (before.given_key === after?.given_key && before.name_key === after.name_key) return;
  await tx.run(sql`delete from contact_words where org_id = ${org} and contact_id = ${contact}`);
  if (after !== null) addContactWords(tx, org, [{ id: contact, ...after }]);
}

/** Adds the words of new contacts. Most names have none. */
export function addContactWords(tx: Tx, org: Id, contacts: readonly (Keys & { id: Id })[]): void {
  const words = contacts.flatMap((one) => innerWords(one).map((word) => [word, one.id] as const));
  if (words.length === 0) return;
  tx.send(sql`
    insert into contact_words (org_id, word, contact_id)
    select ${org}, w.* from unnest(${words.map(([word]) => word)}::text[], ${words.map(([, id]) => id)}::uuid[]) w`);
}
