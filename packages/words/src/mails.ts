/** The texts of mails. Browsers never load them. */
import type accounts from './en/server/accounts.ts';
import type letters from './en/server/letters.ts';
import type news from './en/server/news.ts';
import type owners from './en/server/owners.ts';
import type team from './en/team.ts';
import { serverTexts, type Writing } from './server-texts.ts';

export type LetterWords = Writing<typeof letters>;

export const [accountTexts, letterTexts, newsTexts, ownerTexts, teamTexts] = await Promise.all([
  serverTexts<typeof accounts>('server/accounts'),
  serverTexts<typeof letters>('server/letters'),
  serverTexts<typeof news>('server/news'),
  serverTexts<typeof owners>('server/owners'),
  serverTexts<typeof team>('team'),
]);
