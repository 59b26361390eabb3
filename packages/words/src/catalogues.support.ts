import { readdirSync } from 'node:fs';
import { DEFAULT_TERMINOLOGY } from '@turnout/contract';
import type { Catalogue, Message } from './message.ts';

/** The catalogues of a folder of texts, without their ending: `home`, `server/letters`. */
export const cataloguesIn = (folder: URL): string[] =>
  readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort();

export const readCatalogue = async (folder: URL, name: string): Promise<Catalogue> =>
  ((await import(new URL(`${name}.ts`, folder).href)) as { default: Catalogue }).default;

/**
 * What a folder of texts lacks, and what is wrong with it, in one sentence for each fault. `english` is the folder that it is compared with;
 * compared with itself, its own texts are looked at.
 */
export async function faultsOf(language: string, folder: URL, english: URL): Promise<string[]> {
  const [own, others] = [cataloguesIn(folder), cataloguesIn(english)];
  const faults = [
    ...others.filter((name) => !own.includes(name)).map((name) => `${name}.ts is missing.`),
    ...own.filter((name) => !others.includes(name)).map((name) => `${name}.ts: there is no such file in English.`),
  ];
  for (const name of own.filter((one) => others.includes(one))) {
    const [texts, original] = [await readCatalogue(folder, name), await readCatalogue(english, name)];
    // The server's texts of other languages name things themselves (server/src/outside/terms.ts).
    const nouns = name.startsWith('server/') && folder.href !== english.href ? [] : Object.keys(DEFAULT_TERMINOLOGY);
    const said = [
      ...Object.keys(original)
        .filter((key) => !Object.hasOwn(texts, key))
        .map((key) => `${key} is missing.`),
      ...Object.keys(texts)
        .filter((key) => !Object.hasOwn(original, key))
        .map((key) => `${key} is not in English.`),
      ...Object.entries(texts).flatMap(([key, text]) => [
        ...(Object.hasOwn(original, key) ? faultsOfGaps(text, original[key]!) : []).map((fault) => `${key} ${fault}`),
        ...faultsOfText(text, language, nouns).map((fault) => `${key} ${fault}`),
      ]),
    ];
    faults.push(...said.map((fault) => `${name}.ts: ${fault}`));
  }
  return faults;
}

function faultsOfGaps(text: Message, original: Message): string[] {
  const [gaps, others] = [placeholdersOf(text), placeholdersOf(original)];
  return [
    ...others.filter((gap) => !gaps.includes(gap)).map((gap) => `lacks {${gap}}.`),
    ...gaps.filter((gap) => !others.includes(gap)).map((gap) => `has {${gap}}, which English has not.`),
  ];
}

function faultsOfText(text: Message, language: string, nouns: readonly string[]): string[] {
  const forms = typeof text === 'string' ? { other: text } : text;
  const nounsIn = Object.values(forms).flatMap((form) => [...form.matchAll(/\{@(\w+)\}/g)].map((match) => match[1]!));
  return [
    ...(typeof text === 'string' ? [] : formsOf(language).filter((form) => !(form in forms))).map(
      (form) => `lacks the form “${form}”.`,
    ),
    ...(Object.values(forms).includes('') ? ['is empty.'] : []),
    ...(Object.values(forms).some((form) => form.trim() !== form) ? ['begins or ends with a space.'] : []),
    ...nounsIn
      .filter((noun) => !nouns.includes(noun[0]!.toLowerCase() + noun.slice(1)))
      .map((noun) => `has {@${noun}}, which is no noun here.`),
  ];
}

/** The forms that the numbers up to 200 take. French and Spanish have one more, for millions. */
function formsOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return [...new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))];
}

/** What stands in braces, in the order of the alphabet. A form for one may leave the number out. */
function placeholdersOf(message: Message): string[] {
  const text = typeof message === 'string' ? message : message.other;
  return [
    ...new Set([...text.matchAll(/\{([^}]*)\}/g)].map((match) => match[1]!).filter((name) => !name.startsWith('@'))),
  ].sort();
}
