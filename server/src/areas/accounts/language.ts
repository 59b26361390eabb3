import { ACCOUNT_LANGUAGES, type AccountLanguage } from '@turnout/contract';

/** The first of our languages that the header `Accept-Language` names. Browsers list the most wanted one first. */
export function preferredLanguage(header: string | undefined): AccountLanguage {
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const language = part.trim().slice(0, 2).toLowerCase();
    const known = ACCOUNT_LANGUAGES.find((one) => one === language);
    if (known !== undefined) return known;
  }
  return 'en';
}
