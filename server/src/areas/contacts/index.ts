export { type LinkedPerson, linkContacts } from './link.ts';
export { emailKey, keysOf, type MatchKeys, normalise, phoneKey } from './match.ts';
