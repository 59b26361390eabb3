import type { Formats, Translate } from '@turnout/words';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An answer in words; nothing if there is none. */
export function answerText(answer: unknown, { t, formats }: { t: Translate<'parts'>; formats: Formats }): string {
  if (answer === null || answer === undefined) return '';
  if (typeof answer === 'boolean') return t(answer ? 'yes' : 'no');
  if (typeof answer === 'number') return formats.number(answer);
  if (Array.isArray(answer)) return answer.map(String).join(', ');
  if (typeof answer === 'string') return DAY.test(answer) ? formats.date(answer) : answer;
  return JSON.stringify(answer);
}
