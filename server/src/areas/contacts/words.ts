import type { Id } from '../../common/ids.ts';
import { cutText } from '../../common/unicode.ts';
import { every, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { NAME_KEY_LENGTH, normalise } from './match.ts';

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

/*
 * Letters that are no letter with an accent, so that `normalise` leaves them alone. A search takes them for the letters that people
 * type instead. The keys keep them: contacts are recognized by their keys, and "Bjørn" and "Bjorn" may be two people. The folded
 * words are stored beside the keys, as inner words are. Migration 0030 has the same letters.
 */
const LETTERS = 'øłđðħŧŋıəɓɗƙ';
const FOLDED = 'olddhtniebdk';
const PAIRS = [
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
] as const;
const FOLDS = new Map<string, string>([...[...LETTERS].map((letter, i) => [letter, FOLDED[i]!] as const), ...PAIRS]);
const TO_FOLD = new RegExp(`[${[...FOLDS.keys()].join('')}]`, 'gu');
const fold = (normalised: string): string => normalised.replaceAll(TO_FOLD, (letter) => FOLDS.get(letter)!);
/** The same in SQL, with spaces between the words. */
export const foldedKey = (key: Sql): Sql =>
  PAIRS.reduce(
    (folded, [letter, by]) => sql`replace(${folded}, ${letter}, ${by})`,
    sql`translate(${key}, ${MARKS + LETTERS}, ${SPACES + FOLDED})`,
  );

/** The words of a text, each once, without case, accents and punctuation. */
export const wordsOf = (text: string): string[] => wordsIn(normalise(text));

/** The words of a key, which has no case and no accents. */
export const wordsIn = (key: string): string[] => [
  ...new Set(
    fold(key)
      .split(BETWEEN)
      .filter((word) => word !== '')
      .map((word) => cutText(word, LONGEST)),
  ),
];

/**
 * The words of a search. Each costs a comparison with every name on the way, so only the first ones count. Names have fewer.
 */
export const searchWords = (text: string): string[] => wordsOf(text).slice(0, MAX_SEARCH_WORDS);
const MAX_SEARCH_WORDS = 20;

/** The words of a name with which none of its keys begins. The tables `attendee_words` and `contact_words` hold these. */
export const innerWords = ({ name_key, given_key }: Keys): string[] =>
  wordsIn(given_key).filter((word) => !name_key.startsWith(word) && !given_key.startsWith(word));

/** Letters that fold to no other and are no fold of another: a key has them wherever its folded words have them. */
const UNFOLDED = new RegExp(`[^${FOLDED}${PAIRS.map(([, by]) => by).join('')}]+`, 'gu');
const contains = (key: Sql, text: string): Sql => sql`${key} like ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`;

/**
 * Whether the key may hold the words, as far as can be told without folding it: it contains the letters of each word that are never
 * folded, and it contains the whole word, or else letters that may be folded. It rules out most rows that an index has found and that
 * do not hold the words. Folding the key instead took 86 ms for 26,000 names, this takes 1 ms (measured).
 */
export const mayHoldWords = (key: Sql, words: readonly string[]): Sql[] =>
  words.flatMap((word) => {
    const [certain = ''] = (word.match(UNFOLDED) ?? []).toSorted((a, b) => b.length - a.length);
    return [contains(key, certain), sql`(${contains(key, word)} or octet_length(${key}) <> length(${key}))`];
  });

/**
 * Whether each of the words begins a word of the key. This is checked on rows that an index has found; it cannot use an index itself. The
 * key is folded once for all words, and no further than a key can be long: an earlier build stored longer ones.
 */
export const holdsWords = (key: Sql, words: readonly string[]): Sql[] => {
  if (words.length === 0) return [];
  const likely = mayHoldWords(key, words);
  const folded = sql`' ' || ${foldedKey(sql`left(${key}, ${NAME_KEY_LENGTH})`)}`;
  if (words.length === 1) return [...likely, sql`strpos(${folded}, ${` ${words[0]}`}) > 0`];
  const held = words.map((word) => sql`strpos(f.folded, ${` ${word}`}) > 0`);
  return [...likely, sql`exists (select from (select ${folded} as folded offset 0) f where ${every(held)})`];
};

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
