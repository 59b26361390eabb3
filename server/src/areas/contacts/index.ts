export { type ContactFields, changeContact, listContacts, requireOwn } from './contacts.ts';
export { type LinkedPerson, linkContacts } from './link.ts';
export {
  emailKey,
  externalKey,
  keysOf,
  type MatchKeys,
  normalise,
  type PersonNames,
  phoneKey,
  present,
} from './match.ts';
export { aContact, type ContactRow, contactShape } from './queries.ts';
