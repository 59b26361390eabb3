import { ACCOUNT_LANGUAGES as LANGUAGES, type AccountLanguage as Language } from '@turnout/contract/languages';

export { LANGUAGES, type Language };
/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

/** The first of the wanted languages that there is, such as those of the browser; English if none is. */
export function chooseLanguage(wanted: readonly (string | null | undefined)[]): Language {
  for (const one of wanted) {
    const short = one?.toLowerCase().split('-', 1)[0];
    const found = LANGUAGES.find((language) => language === short);
    if (found !== undefined) return found;
  }
  return 'en';
}
