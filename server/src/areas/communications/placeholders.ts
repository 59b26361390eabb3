import { PLACEHOLDERS, type Placeholder } from '@turnout/contract';
import type { Fault } from '../../road/refusal.ts';

/** What each placeholder stands for, for one person; '' where there is nothing to say. */
export type Values = Readonly<Record<Placeholder, string>>;

/** `{{first_name}}`, or `{{first_name|what stands there for who has none}}`. */
export const PLACEHOLDER = /\{\{([^{}|\n]*)(?:\|([^{}\n]*))?\}\}/;

const isKnown = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name);

export const said = (values: Values, name: string, fallback = ''): string =>
  values[name.trim() as Placeholder] || fallback.trim();

export const fill = (text: string, values: Values, write: (value: string) => string = (value) => value): string =>
  text.replaceAll(new RegExp(PLACEHOLDER, 'g'), (_all, name: string, fallback?: string) =>
    write(said(values, name, fallback)),
  );

/** Every `{{` of the text that is no placeholder, with where it stands. */
export function faultsIn(text: string, path: string): Fault[] {
  const faults: Fault[] = [];
  const here = new RegExp(PLACEHOLDER, 'y');
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', Math.max(here.lastIndex, at + 2))) {
    here.lastIndex = at;
    const found = here.exec(text);
    const before = text.slice(0, at).split('\n');
    const where = `line ${before.length}, character ${before.at(-1)!.length + 1}`;
    if (found === null) faults.push({ path, message: `the placeholder at ${where} does not end with }}` });
    else if (!isKnown(found[1]!.trim())) {
      faults.push({
        path,
        message: `${found[0].slice(0, 60)} at ${where} is no placeholder; these are: ${PLACEHOLDERS.join(', ')}`,
      });
    }
  }
  return faults;
}
