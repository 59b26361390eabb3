import type { Area, Areas } from './areas.ts';
import { Formats } from './formats.ts';
import type { Language } from './languages.ts';
import { type Catalogue, type Message, type Value, type Writer, write } from './message.ts';

/** Writes the texts of one catalogue. A key that does not exist, or a value that is missing, does not compile. */
export type Translate<A extends Area> = Writer<Areas[A]>;

export { chooseLanguage, LANGUAGE_NAMES, LANGUAGES, type Language } from './languages.ts';

type Load = (language: Language, area: Area) => Promise<Catalogue>;
/** One file for each language and area, so that a screen loads only its own. */
const load: Load = async (language, area) =>
  ((await import(`./${language}/${area}.ts`)) as { default: Catalogue }).default;

/**
 * The words of one page: the language, the catalogues that were loaded, and the organization's own nouns. Screens are drawn after
 * their catalogues are there, so writing a text never waits.
 */
export class Words {
  #language: Language = 'en';
  #region: string | undefined;
  #nouns: Readonly<Record<string, string>> = {};
  readonly #catalogues = new Map<string, Catalogue>();
  readonly #areas = new Set<Area>();
  readonly #listeners = new Set<() => void>();
  readonly #load: Load;
  #formats: Formats | null = null;
  #version = 0;

  constructor(loader: Load = load) {
    this.#load = loader;
  }

  get language(): Language {
    return this.#language;
  }
  /** Grows with every change, for whoever draws the page. */
  get version(): number {
    return this.#version;
  }
  /** Dates, numbers and money, as this language writes them. */
  get formats(): Formats {
    this.#formats ??= new Formats(this.#region ?? this.#language);
    return this.#formats;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Loads catalogues in the present language, those that are not there yet. */
  async need(...areas: Area[]): Promise<void> {
    for (const area of areas) this.#areas.add(area);
    await this.#fetch(this.#language, areas);
  }

  /** Changes the language, after every catalogue in use was loaded in it. */
  async speak(language: Language, preferred: readonly string[] = []): Promise<void> {
    await this.#fetch(language, [...this.#areas]);
    this.#language = language;
    // English of Britain or German of Austria write dates their own way.
    this.#region = preferred.find((one) => one.split('-', 1)[0] === language);
    this.#changed();
  }

  /** Takes the organization's words for things; null: ours. Words that equal the English default are ours, in every language. */
  callThings(terminology: Readonly<Record<string, string>> | null, defaults: Readonly<Record<string, string>>): void {
    const own = Object.entries(terminology ?? {}).filter(([noun, word]) => word !== defaults[noun]);
    this.#nouns = Object.fromEntries(own);
    this.#changed();
  }

  in<A extends Area>(area: A): Translate<A> {
    const language = this.#language;
    const noun = (name: string) => this.noun(name);
    const translate = (key: string, values: Readonly<Record<string, Value>> = {}): string => {
      const message = this.#catalogues.get(`${language}/${area}`)?.[key];
      return message === undefined ? key : write(message, values, language, noun);
    };
    return translate as Translate<A>;
  }

  /** The text of a key that only the server knows, such as the code of a refusal; null if the catalogue has none. */
  find(area: Area, key: string, values: Readonly<Record<string, Value>> = {}): string | null {
    const catalogue = this.#catalogues.get(`${this.#language}/${area}`);
    const message: Message | undefined =
      catalogue !== undefined && Object.hasOwn(catalogue, key) ? catalogue[key] : undefined;
    return message === undefined ? null : write(message, values, this.#language, (name) => this.noun(name));
  }

  /** The organization's word for a thing, or ours. */
  noun(name: string): string {
    const ours = this.#catalogues.get(`${this.#language}/nouns`)?.[name];
    return this.#nouns[name] ?? (typeof ours === 'string' ? ours : name);
  }

  async #fetch(language: Language, areas: readonly Area[]): Promise<void> {
    const missing = areas.filter((area) => !this.#catalogues.has(`${language}/${area}`));
    await Promise.all(
      missing.map(async (area) => this.#catalogues.set(`${language}/${area}`, await this.#load(language, area))),
    );
  }

  #changed(): void {
    this.#version += 1;
    this.#formats = null;
    for (const listener of this.#listeners) listener();
  }
}
