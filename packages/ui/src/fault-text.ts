import type { Detail } from '@turnout/client';
import type { Words } from '@turnout/words';

/** What is wrong with a field: by its rule in the catalogue of refusals, else as the server put it, in English. */
export function faultText(words: Words, { message, rule, limit }: Detail): string {
  const values = limit === undefined ? {} : { count: limit };
  const known = rule === undefined ? null : words.find('refusals', `fault.${rule}`, values);
  return known ?? message.slice(0, 1).toUpperCase() + message.slice(1);
}
