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
export {
  begins,
  byName,
  type Found,
  fewLed,
  inAnotherOrder,
  isFound,
  merged,
  type People,
  parts,
  placeOf,
  readSearch,
  type Search,
} from './search.ts';
export { innerWords, wordsOf, writeContactWords } from './words.ts';
