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

const MOST_FAULTS = 20;

/** Every `{{` of the text that is no placeholder, with where it stands; the first ones, where there are many. */
export function faultsIn(text: string, path: string): Fault[] {
  const faults: Fault[] = [];
  const place = placesIn(text);
  const here = new RegExp(PLACEHOLDER, 'y');
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', Math.max(here.lastIndex, at + 2))) {
    here.lastIndex = at;
    const found = here.exec(text);
    if (found !== null && isKnown(found[1]!.trim())) continue;
    if (faults.length === MOST_FAULTS) {
      faults.push({ path, message: 'there are more faults of this kind' });
      break;
    }
    const where = place(at);
    if (found === null) faults.push({ path, message: `the placeholder at ${where} does not end with }}` });
    else {
      faults.push({
        path,
        message: `${found[0].slice(0, 60)} at ${where} is no placeholder; these are: ${PLACEHOLDERS.join(', ')}`,
      });
    }
  }
  return faults;
}

/** Counts lines from where it was asked last, so each is counted once: asked for the whole text each time, 20 KB took seconds. */
function placesIn(text: string): (at: number) => string {
  let line = 1;
  let begins = 0;
  return (at) => {
    for (let end = text.indexOf('\n', begins); end >= 0 && end < at; end = text.indexOf('\n', begins)) {
      line += 1;
      begins = end + 1;
    }
    return `line ${line}, character ${at - begins + 1}`;
  };
}
