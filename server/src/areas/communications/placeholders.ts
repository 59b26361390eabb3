import { PLACEHOLDERS, type Placeholder } from '@turnout/contract';
import type { Fault } from '../../common/refusal.ts';

/** The values of all placeholders for one recipient; '' where there is none. */
export type Values = Readonly<Record<Placeholder, string>>;

/** `{{first_name}}`, or with a fallback for recipients without a value: `{{first_name|guest}}`. */
export const PLACEHOLDER = /\{\{([^{}|\n]*)(?:\|([^{}\n]*))?\}\}/;

const isKnown = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name);

export const valueFor = (values: Values, name: string, fallback = ''): string =>
  values[name.trim() as Placeholder] || fallback.trim();

export const fill = (text: string, values: Values, write: (value: string) => string = (value) => value): string =>
  text.replaceAll(new RegExp(PLACEHOLDER, 'g'), (_all, name: string, fallback?: string) =>
    write(valueFor(values, name, fallback)),
  );

const MAX_FAULTS = 20;

/** Reports every `{{` that does not begin a known placeholder, with its line and character; at most the first 20. */
export function faultsIn(text: string, path: string): Fault[] {
  const faults: Fault[] = [];
  const positionOf = positionsIn(text);
  const here = new RegExp(PLACEHOLDER, 'y');
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', Math.max(here.lastIndex, at + 2))) {
    here.lastIndex = at;
    const found = here.exec(text);
    if (found !== null && isKnown(found[1]!.trim())) continue;
    if (faults.length === MAX_FAULTS) {
      faults.push({ path, message: 'has more wrong placeholders than these' });
      break;
    }
    const where = positionOf(at);
    if (found === null) faults.push({ path, message: `has a placeholder at ${where} that does not end with }}` });
    else {
      faults.push({
        path,
        message: `${found[0].slice(0, 60)} at ${where} is not a placeholder; these are: ${PLACEHOLDERS.join(', ')}`,
      });
    }
  }
  return faults;
}

/**
 * Counts lines from where it stopped at the last call, so calls must go forward. Counting from the start of the text each time
 * took seconds for 20 KB.
 */
function positionsIn(text: string): (at: number) => string {
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
