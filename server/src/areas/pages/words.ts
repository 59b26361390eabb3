import { DEFAULT_TERMINOLOGY } from '@turnout/contract';
import { chooseLanguage, type Language, Words } from '@turnout/words';

/** How many sets of words are kept: one for each language and each organization with words of its own. */
const KEPT = 200;
const kept = new Map<string, Promise<Words>>();

/** The words of the pages in a language, with the organization's own nouns. */
export function wordsFor(language: Language, terminology: Readonly<Record<string, string>>): Promise<Words> {
  const key = `${language} ${JSON.stringify(terminology)}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = load(language, terminology);
  made.catch(() => kept.delete(key));
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
  kept.set(key, made);
  return made;
}

async function load(language: Language, terminology: Readonly<Record<string, string>>): Promise<Words> {
  const words = new Words();
  await words.need('pages', 'my', 'nouns', 'refusals');
  await words.speak(language);
  words.callThings(terminology, DEFAULT_TERMINOLOGY);
  return words;
}

/** The most parts of `Accept-Language` that are read. */
const MOST_WANTED = 20;

/** What the visitor chose, else what the browser asks for, else the language of the event or the organization. */
export function languageFor(chosen: unknown, header: string | undefined, fallback: string): Language {
  const wanted = (header ?? '')
    .split(',', MOST_WANTED)
    .map((part) => {
      const [tag = '', q = ''] = part.split(';', 2);
      return { tag: tag.trim(), weight: q.trim().startsWith('q=') ? Number(q.trim().slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const known = (tag: string) => tag.toLowerCase().startsWith('en') || chooseLanguage([tag]) !== 'en';
  const first = wanted.find(({ tag }) => known(tag))?.tag;
  return chooseLanguage([typeof chosen === 'string' ? chosen : null, first, fallback]);
}
