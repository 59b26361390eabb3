import type { DateOrder } from '@turnout/contract';

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const YEAR_FIRST = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;

/** A date as YYYY-MM-DD, or null. A year has four digits: whoever was born in "12" may be a hundred years older. */
export function readDate(text: string, order: DateOrder): string | null {
  const first = ISO.exec(text) ?? YEAR_FIRST.exec(text);
  if (first !== null) return dateOf(first[1]!, first[2]!, first[3]!);
  const last = YEAR_LAST.exec(text);
  if (last === null || order === 'ymd') return null;
  return order === 'mdy' ? dateOf(last[3]!, last[1]!, last[2]!) : dateOf(last[3]!, last[2]!, last[1]!);
}

function dateOf(year: string, month: string, day: string): string | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // A month or day that does not exist moves the others; years below 100 are taken for 19xx.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCFullYear() !== Number(year)) return null;
  return date.toISOString().slice(0, 10);
}
