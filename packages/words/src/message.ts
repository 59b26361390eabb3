/** A text of a catalogue. With forms for numbers, the value `count` chooses among them, by the rules of the language. */
export type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string };
export type Message = string | Plural;
export type Catalogue = Readonly<Record<string, Message>>;

/** What stands in braces in a text: `{name}`. Nouns (`{@attendees}`) are not given by whoever uses the text. */
type Placeholders<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `@${string}` ? never : Name) | Placeholders<Rest>
  : never;
type TextOf<M> = M extends string ? M : M extends Plural ? Extract<M[keyof M], string> : never;
type CountOf<M> = M extends string ? never : 'count';
type Names<M> = Placeholders<TextOf<M>> | CountOf<M>;

export type Value = string | number;
/** The values that a text needs: none, or an object with one for each placeholder. */
export type Values<M> = [Names<M>] extends [never]
  ? []
  : [values: { readonly [Name in Names<M>]: Name extends 'count' ? number : Value }];

/** Writes texts of a catalogue by their keys. */
export type Writer<C> = <Key extends keyof C>(key: Key, ...values: Values<C[Key]>) => string;

/** The same keys in another language. */
export type Translated<C extends Catalogue> = { readonly [Key in keyof C]: Message };

/** The organization's word for a noun, or ours in this language. */
export type Noun = (noun: string) => string;

type Given = Readonly<Record<string, Value>>;

/** Writes a text for a screen. `{count}` is written as a number of the language. */
export const write = (message: Message, values: Given, language: string, noun: Noun): string =>
  fill(typeset(textOf(message, values, language)), values, language, noun);

/** Writes a text for a mail or a ticket, with the same spaces as in the catalogue. */
export const writePlain = (message: Message, values: Given, language: string, noun: Noun): string =>
  fill(textOf(message, values, language), values, language, noun);

const textOf = (message: Message, values: Given, language: string): string =>
  typeof message === 'string' ? message : formOf(message, Number(values.count), language);

function fill(text: string, values: Given, language: string, noun: Noun): string {
  if (!text.includes('{')) return text;
  return text.replaceAll(/\{(@?)([\w]+)\}/g, (whole, at: string, name: string) => {
    if (at !== '') return wordOf(name, noun);
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'number' ? rulesOf(language).number.format(value) : value;
  });
}

/** French sets `:` and `?` apart by a space, as others do with `%`; no line may begin with what stands behind it. */
function typeset(text: string): string {
  const known = typesetTexts.get(text);
  if (known !== undefined) return known;
  const made = text.replaceAll(/ (?=[:;?!»%])|(?<=«) /g, '\u00a0');
  typesetTexts.set(text, made);
  return made;
}
/** By the text in the catalogue: a table writes the same one for each of its rows. */
const typesetTexts = new Map<string, string>();

const formOf = (message: Plural, count: number, language: string): string =>
  message[rulesOf(language).plural.select(count)] ?? message.other;

interface Rules {
  number: Intl.NumberFormat;
  plural: Intl.PluralRules;
}
const rules = new Map<string, Rules>();

/** Making a formatter of Intl takes longer than the rest of the text, so each language has its own once. */
function rulesOf(language: string): Rules {
  const known = rules.get(language);
  if (known !== undefined) return known;
  const made = { number: new Intl.NumberFormat(language), plural: new Intl.PluralRules(language) };
  rules.set(language, made);
  return made;
}

/** `{@Attendees}` begins with a capital letter, `{@attendees}` is the word as it is. */
function wordOf(name: string, noun: Noun): string {
  const small = name[0]!.toLowerCase() + name.slice(1);
  const word = noun(small);
  return small === name ? word : word[0]!.toLocaleUpperCase() + word.slice(1);
}
