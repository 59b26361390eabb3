import { addDays } from './calendar-days.ts';

/**
 * Dates and times as people type them in their language. `2027-09-18` is always understood; so are `18.9.27`, `18 Sept` and *today*, with
 * day and month in the order of the reader's language. Whatever the fields write (`Formats`) can be read here.
 */

/** Without accents and dots, in lower case. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .toLowerCase();

/** Words that may stand in a date without meaning anything: *18 de septiembre*, *the 18th of September*. */
const FILLERS = new Set([
  'de',
  'del',
  'el',
  'le',
  'the',
  'of',
  'st',
  'nd',
  'rd',
  'th',
  'er',
  'den',
  'am',
  'um',
  'at',
  'a',
]);
const MIN_LETTERS = 3;
/** The longest text that is looked at; no date is longer. */
const MAX_LENGTH = 60;

interface Language {
  /** How each month may be written. */
  months: readonly (readonly string[])[];
  /** The order of day, month and year in numbers. */
  order: readonly string[];
  /** *yesterday*, *today*, *tomorrow* */
  near: readonly (readonly [word: string, days: number])[];
}
const made = new Map<string, Language>();

function languageOf(locale: string): Language {
  const known = made.get(locale);
  if (known !== undefined) return known;
  // Beside a day, some languages write a month otherwise than by itself.
  const styles: Intl.DateTimeFormatOptions[] = [
    { month: 'long', day: 'numeric' },
    { month: 'short', day: 'numeric', year: 'numeric' },
    { month: 'short' },
  ];
  const formats = styles.map((style) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...style }));
  const nameOf = (format: Intl.DateTimeFormat, month: number): string =>
    plain(format.formatToParts(Date.UTC(2024, month, 1)).find(({ type }) => type === 'month')?.value ?? '');
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const language: Language = {
    months: Array.from({ length: 12 }, (_, month) => formats.map((format) => nameOf(format, month))),
    order: new Intl.DateTimeFormat(locale)
      .formatToParts(0)
      .map(({ type }) => type)
      .filter((type) => type !== 'literal'),
    near: [-1, 0, 1].map((days) => [plain(relative.format(days, 'day')), days] as const),
  };
  made.set(locale, language);
  return language;
}

/** A date that there is, as `2027-09-18`; else null. Two digits are a year of this century. */
function dayOf(year: number, month: number, day: number): string | null {
  const full = year < 100 ? year + 2000 : year;
  const date = new Date(Date.UTC(full, month - 1, day));
  const isReal = date.getUTCFullYear() === full && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal && full >= 1000 && full <= 9999 ? date.toISOString().slice(0, 10) : null;
}

const monthNamed = (word: string, { months }: Language): number =>
  word.length < MIN_LETTERS ? 0 : months.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;

/** The date that somebody has typed; null if it is none. `today`: the day from which a year that was left out is taken. */
export function readDate(text: string, locale: string, today: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const typed = plain(text.trim().replace(/\./g, ' '));
  const language = languageOf(locale);
  const near = language.near.find(([word]) => word === typed);
  if (near !== undefined) return addDays(today, near[1]);
  const tokens = typed.match(/\d+|\p{L}+/gu) ?? [];
  const numbers = tokens.filter((token) => /\d/.test(token)).map(Number);
  const words = tokens.filter((token) => !/\d/.test(token) && !FILLERS.has(token));
  const thisYear = Number(today.slice(0, 4));
  if (words.length > 1) return null;
  if (words.length === 1) {
    const month = monthNamed(words[0]!, language);
    const [first, second = thisYear] = numbers;
    if (month === 0 || first === undefined || numbers.length > 2) return null;
    return first > 31 ? dayOf(first, month, second) : dayOf(second, month, first);
  }
  if (/^\d{4}\D/.test(typed) && numbers.length === 3) return dayOf(numbers[0]!, numbers[1]!, numbers[2]!);
  if (numbers.length !== 2 && numbers.length !== 3) return null;
  const order = numbers.length === 3 ? language.order : language.order.filter((type) => type !== 'year');
  const given = (type: string) => numbers[order.indexOf(type)];
  return dayOf(given('year') ?? thisYear, given('month') ?? 0, given('day') ?? 0);
}

const TIME =
  /(?:^|[\s,T])(\d{1,2})(?:\s?[:h]\s?(\d{2})(?::\d{2}(?:\.\d+)?)?|\s?h)?\s*(?:([ap])\.?\s?m\.?)?(?:\s*uhr)?$/i;

/** The time at the end of a text, as `14:30`, and what is before it. Without a time, the text is the date alone. */
export function splitTime(text: string): { date: string; time: string | null } {
  const trimmed = text.slice(0, MAX_LENGTH).trim();
  const match = TIME.exec(trimmed);
  // A number alone is the year or the day of the date.
  if (match === null || !/[:h]|[ap]\.?\s?m|uhr/i.test(match[0])) return { date: trimmed, time: null };
  const half = match[3]?.toLowerCase();
  const hour = (Number(match[1]) % (half === undefined ? 100 : 12)) + (half === 'p' ? 12 : 0);
  const minute = Number(match[2] ?? 0);
  if (hour > 23 || minute > 59 || (half !== undefined && Number(match[1]) > 12)) return { date: trimmed, time: null };
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return { date: trimmed.slice(0, match.index).replace(/[\s,]+$/, ''), time };
}

/** The date and time that somebody has typed, as `2027-09-18T14:30`; without a time, the beginning of the day. */
export function readDateTime(text: string, locale: string, today: string): string | null {
  const { date, time } = splitTime(text);
  const day = readDate(date, locale, today);
  return day === null ? null : `${day}T${time ?? '00:00'}`;
}
