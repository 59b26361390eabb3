import type account from './en/account.ts';
import type audit from './en/audit.ts';
import type common from './en/common.ts';
import type developers from './en/developers.ts';
import type groups from './en/groups.ts';
import type home from './en/home.ts';
import type link from './en/link.ts';
import type nouns from './en/nouns.ts';
import type organization from './en/organization.ts';
import type palette from './en/palette.ts';
import type password from './en/password.ts';
import type refusals from './en/refusals.ts';
import type signIn from './en/sign-in.ts';
import type signInSteps from './en/sign-in-steps.ts';
import type start from './en/start.ts';
import type team from './en/team.ts';
import type webhooks from './en/webhooks.ts';

/** Every catalogue, by the name of its file. A screen names those it needs, and they are loaded with it. */
export interface Areas {
  account: typeof account;
  audit: typeof audit;
  common: typeof common;
  developers: typeof developers;
  groups: typeof groups;
  home: typeof home;
  link: typeof link;
  nouns: typeof nouns;
  organization: typeof organization;
  palette: typeof palette;
  password: typeof password;
  refusals: typeof refusals;
  'sign-in': typeof signIn;
  'sign-in-steps': typeof signInSteps;
  start: typeof start;
  team: typeof team;
  webhooks: typeof webhooks;
}
export type Area = keyof Areas;
