import { chooseLanguage, LANGUAGES, type Language } from './languages.ts';
import { type Catalogue, type Noun, type Value, type Writer, writePlain } from './message.ts';

/** Who writes texts in one language. */
export interface Writing<C> {
  language: Language;
  t: Writer<C>;
}
/** Chooses the language by any tag, as those of events; English if there are no texts in it. */
type Texts<C> = (tag: string, noun?: Noun) => Writing<C>;

const ours: Noun = (noun) => noun;

/**
 * Texts that the server alone writes: mails and tickets. They are read in every language when the program starts, because whoever writes a
 * mail in the middle of a transaction does not wait for a file. `path` leads to the catalogue in the folder of a language.
 */
export async function serverTexts<C extends Catalogue>(path: string): Promise<Texts<C>> {
  const catalogues = new Map<Language, Catalogue>();
  await Promise.all(
    LANGUAGES.map(async (language) => {
      const file = new URL(`./${language}/${path}.ts`, import.meta.url);
      catalogues.set(language, ((await import(file.href)) as { default: Catalogue }).default);
    }),
  );
  return (tag, noun = ours) => {
    const language = chooseLanguage([tag]);
    const catalogue = catalogues.get(language)!;
    const t = (key: string, values: Readonly<Record<string, Value>> = {}): string =>
      writePlain(catalogue[key]!, values, language, noun);
    return { language, t: t as Writer<C> };
  };
}
