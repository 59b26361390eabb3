export type { Area, Areas } from './areas.ts';
export { Formats, lastOf, type Moment } from './formats.ts';
export type { Catalogue, Message, Plural, Translated, Value } from './message.ts';
export { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, type Language, type Translate, Words } from './words.ts';
