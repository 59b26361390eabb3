import { DEFAULT_TERMINOLOGY } from '@turnout/contract';
import { chooseLanguage, type Language, Words } from '@turnout/words';

/** How many sets of words are kept: one for each language and each organization with words of its own. */
const KEPT = 200;
const wordsByLanguage = new Map<string, Promise<Words>>();

/** The words of the pages in a language, with the organization's own nouns. */
export function wordsFor(language: Language, terminology: Readonly<Record<string, string>>): Promise<Words> {
  const key = `${language} ${JSON.stringify(terminology)}`;
  const known = wordsByLanguage.get(key);
  if (known !== undefined) return known;
  const made = load(language, terminology);
  made.catch(() => wordsByLanguage.delete(key));
  if (wordsByLanguage.size >= KEPT) wordsByLanguage.delete(wordsByLanguage.keys().next().value!);
  wordsByLanguage.set(key, made);
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
const MAX_LANGUAGES = 20;

/** The language that the visitor chose, else the first that the browser asks for and that there is, else null. */
export function wantedLanguage(chosen: unknown, header: string | undefined): Language | null {
  const known = (tag: string): Language | null => {
    const found = chooseLanguage([tag]);
    return found !== 'en' || /^en\b/i.test(tag) ? found : null;
  };
  const picked = typeof chosen === 'string' ? known(chosen) : null;
  if (picked !== null || header === undefined) return picked;
  const wanted = header
    .split(',', MAX_LANGUAGES)
    .map((part) => {
      const [tag = '', q = ''] = part.split(';', 2);
      return { tag: tag.trim(), weight: q.trim().startsWith('q=') ? Number(q.trim().slice(2)) : 1 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    const found = known(tag);
    if (found !== null) return found;
  }
  return null;
}
