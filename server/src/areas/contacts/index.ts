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
export { type ContactEffects, contactOperations } from './operations.ts';
export { aContact, type ContactRow, contactShape } from './queries.ts';
export {
  begins,
  byName,
  candidatesIfFew,
  type Found,
  foundCondition,
  isFound,
  mergeParts,
  readSearch,
  type Search,
  type SearchedTable,
  searchParts,
  sortKey,
} from './search.ts';
export { innerWords, wordsOf, writeContactWords } from './words.ts';
