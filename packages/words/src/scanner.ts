/**
 * The words of the scanner, without those of the organizer's app: whatever is built into the scanner is kept on the phone, so that it
 * opens without a network.
 */
import type { Areas } from './areas.ts';
import type { Language } from './languages.ts';
import { type Catalogue, type Writer, write } from './message.ts';

export { Formats } from './formats.ts';
export { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from './languages.ts';
export { type Catalogue, write } from './message.ts';
/** Writes what the scanner says: its own texts, the results of the door, and what check-in points do. */
export type ScannerWriter = Writer<Areas['scanner'] & Areas['results'] & Areas['policy']>;

/** A phone at the door does not know how an organization names its things, so our own nouns stand in what is said of a scan. */
export async function loadScanner(language: Language): Promise<Catalogue> {
  // Each path names its catalogue, because the build takes in every file that a path could mean.
  const modules: { default: Catalogue }[] = await Promise.all([
    import(`./${language}/scanner.ts`),
    import(`./${language}/results.ts`),
    import(`./${language}/policy.ts`),
    import(`./${language}/nouns.ts`),
  ]);
  const [own, results, policy, nouns] = modules.map((module) => module.default) as [
    Catalogue,
    Catalogue,
    Catalogue,
    Catalogue,
  ];
  const noun = (name: string) => String(nouns[name] ?? name);
  const said = Object.entries(results).map(([key, text]) => [key, write(text, {}, language, noun)]);
  return { ...Object.fromEntries(said), ...policy, ...own };
}
