import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

/** A text in quotes, as addresses had it that were made before texts such as `false` were written as they are. */
function quoted(text: string): unknown {
  if (!text.startsWith('"')) throw new SyntaxError('It is not in quotes.');
  return JSON.parse(text);
}

/**
 * Filters are texts, so the address has them as they are: `admitted=false`. Only a text that itself begins with a quote is put into
 * quotes, because it would be taken for one of an older address.
 */
export const parseSearch = parseSearchWith(quoted);
export const stringifySearch = stringifySearchWith(JSON.stringify, quoted);
