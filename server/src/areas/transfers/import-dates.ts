import type { DateOrder } from '@turnout/contract';

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const YEAR_FIRST = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;

/** A date as YYYY-MM-DD, or null. Years must have four digits: "12" could mean 1912 as well as 2012. */
export function readDate(text: string, order: DateOrder): string | null {
  const first = ISO.exec(text) ?? YEAR_FIRST.exec(text);
  if (first !== null) return dateOf(first[1]!, first[2]!, first[3]!);
  const last = YEAR_LAST.exec(text);
  if (last === null || order === 'ymd') return null;
  return order === 'mdy' ? dateOf(last[3]!, last[1]!, last[2]!) : dateOf(last[3]!, last[2]!, last[1]!);
}

function dateOf(year: string, month: string, day: string): string | null {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Date.UTC turns 31 April into 1 May, and takes a year below 100 for 19xx. Both show in the fields it gives back.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCFullYear() !== Number(year)) return null;
  return date.toISOString().slice(0, 10);
}
