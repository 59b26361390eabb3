export { type ContactFields, changeContact, requireOwn } from './contacts.ts';
export { type LinkedPerson, linkContacts } from './link.ts';
export {
  emailKey,
  externalKey,
  KEY_LENGTH,
  keysOf,
  normalise,
  type PersonNames,
  phoneKey,
  plainText,
  present,
} from './match.ts';
export { contactOperations } from './operations.ts';
export { aContact, type ContactRow, contactShape } from './queries.ts';
export {
  comesAfter,
  inStage,
  preparedIfCommon,
  readByKey,
  readSearch,
  readStages,
  type Stages,
  searchParts,
  sortKey,
} from './search.ts';
export {
  afterName,
  candidates,
  pageInOrder,
  readByName,
  searchBounds,
  walkByName,
} from './search-orders.ts';
export { begins, type FoundRow, isFound, type Search, type SearchedTable } from './searched.ts';
export { columnsOfTexts } from './text-columns.ts';
export { foldedKey, innerWords, searchWords, wordsIn, wordsOf, writeContactWords } from './words.ts';
