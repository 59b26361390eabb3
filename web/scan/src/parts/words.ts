import { signal } from '@preact/signals';
import {
  type Catalogue,
  chooseLanguage,
  Formats,
  LANGUAGES,
  type Language,
  loadScanner,
  type ScannerWriter,
  write,
} from '@turnout/words/scanner';
import { readChoice, storeChoice } from './stored-choices.ts';

/** The same key as in the organizer's app: whoever chose a language there has chosen it here. */
const KEY = 'turnout.language';

interface Speech {
  readonly language: Language;
  readonly texts: Catalogue;
  readonly formats: Formats;
}
const loaded = new Map<Language, Catalogue>();
const speech = signal<Speech>({ language: 'en', texts: {}, formats: new Formats('en') });

const noNoun = (noun: string): string => noun;
type Values = Parameters<typeof write>[1];
const writeIn = (language: Language, texts: Catalogue, key: string, values: Values): string | null => {
  const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
  return text === undefined ? null : write(text, values, language, noNoun);
};

/** Writes a text in the language of the device. A component that calls it is drawn again when the language changes. */
export const t = ((key: string, values: Values = {}): string =>
  writeIn(speech.value.language, speech.value.texts, key, values) ?? key) as ScannerWriter;

/** The text of a key that only the server knows, such as a result; null if there is none. */
export const find = (key: string, values: Values = {}): string | null =>
  writeIn(speech.value.language, speech.value.texts, key, values);

/** The same text in another language; `readAll` must have been called. Unknown keys are null. */
export const findIn = (language: Language, key: string, values: Values = {}): string | null =>
  writeIn(language, loaded.get(language) ?? {}, key, values);

export const formats = (): Formats => speech.value.formats;
export const languageNow = (): Language => speech.value.language;

export async function speak(language: Language): Promise<void> {
  const texts = await readCatalogue(language);
  const region = navigator.languages.find((one) => one.split('-', 1)[0] === language);
  speech.value = { language, texts, formats: new Formats(region ?? language) };
  document.documentElement.lang = language;
}

export async function chooseSpeech(language: Language): Promise<void> {
  storeChoice(KEY, language);
  await speak(language);
}

/** All four, for a kiosk that says everything in each of them. */
export async function readAll(): Promise<void> {
  await Promise.all(LANGUAGES.map(readCatalogue));
}

async function readCatalogue(language: Language): Promise<Catalogue> {
  const texts = loaded.get(language) ?? (await loadScanner(language));
  loaded.set(language, texts);
  return texts;
}

/** Speaks the language that was chosen, else that of the browser, and follows a choice in another tab. */
export async function beginSpeaking(): Promise<void> {
  addEventListener('storage', ({ key, newValue }) => {
    const language = LANGUAGES.find((one) => one === newValue);
    if (key === KEY && language !== undefined) void speak(language);
  });
  await speak(chooseLanguage([readChoice(KEY), ...navigator.languages]));
}
