/** The languages that people can choose: those of the apps, the pages, the mails and the tickets. Their texts are in packages/words. */
export const ACCOUNT_LANGUAGES = ['en', 'de', 'fr', 'es'] as const;
export type AccountLanguage = (typeof ACCOUNT_LANGUAGES)[number];
