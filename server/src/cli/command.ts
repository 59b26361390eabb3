import type { Config } from '../config.ts';

/** The options of a command line: a value, several values, `true` for a flag, or undefined if it was not given. */
export type OptionValues = Record<string, string | string[] | boolean | undefined>;

export interface Command {
  words: string;
  options: Record<string, { required?: boolean; many?: boolean; flag?: boolean; says: string }>;
  argument?: string;
  summary: string;
  run: (config: Config, given: OptionValues, argument: string | undefined) => Promise<unknown>;
  /** The answer as a text for people. Without it, or where it is null, the answer is JSON. */
  text?: (answer: never, given: OptionValues) => string | null;
}

export const all = (value: OptionValues[string]): string[] => (typeof value === 'boolean' ? [] : [value ?? []].flat());
export const text = (value: OptionValues[string]): string | undefined => all(value).at(-1);
/** The values of an option that may be given several times or as a list with commas. */
export const many = (value: OptionValues[string]): string[] =>
  all(value)
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter(Boolean);
