import type { Problem } from '@turnout/client';
import { faultText } from '@turnout/ui';
import type { Words } from '@turnout/words';

/** What is wrong with a picture, in words of the person's language. Null: it is not the picture that is at fault. */
export function faultOfPicture(words: Words, problem: Problem): string | null {
  const [detail] = problem.details.filter(({ path }) => path === 'file');
  return detail === undefined ? null : faultText(words, detail);
}
