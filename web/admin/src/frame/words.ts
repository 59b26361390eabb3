import { readChoice, storeChoice } from '@turnout/ui';
import { type Area, chooseLanguage, LANGUAGES, type Language, Words } from '@turnout/words';

const KEY = 'turnout.language';

/** The words of this page. */
export const words = new Words();

/**
 * Before anything is drawn: the language chosen here last, else the browser's. An account's language comes later, by `speak`.
 * `areas` are needed besides those that every screen has.
 */
export async function prepareWords(...areas: Area[]): Promise<void> {
  const language = chooseLanguage([readChoice(KEY), ...navigator.languages]);
  await words.speak(language, navigator.languages);
  document.documentElement.lang = language;
  await words.need('common', 'nouns', ...areas);
  followOtherTabs();
}

/** Changes the language of the page and remembers it for the next visit. */
export async function speak(language: Language): Promise<void> {
  if (words.language !== language) await words.speak(language, navigator.languages);
  document.documentElement.lang = language;
  storeChoice(KEY, language);
}

/** Takes over the language of the account. The sandbox's account belongs to everybody, so there each browser has its own. */
export async function speakAs(account: { language: Language; sandbox: boolean }): Promise<void> {
  if (!account.sandbox) await speak(account.language);
}

/** A language that was chosen in another tab is spoken here too. Nothing is lost by it: only the words are drawn anew. */
function followOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    const language = LANGUAGES.find((one) => one === newValue);
    if (key === KEY && language !== undefined) void speak(language);
  });
}

/**
 * Our own nouns in English. The server fills up an organization's terminology with them, so a word that equals one of these was not
 * chosen by the organization, and other languages have their own.
 */
export { default as DEFAULT_NOUNS } from '@turnout/words/nouns';
