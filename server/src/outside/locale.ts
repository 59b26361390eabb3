import { chooseLanguage, type Language } from '@turnout/words/languages';

/** The language of the texts for a tag. Events in other languages get English texts, with dates and amounts in their own. */
export const languageOf = (tag: string): Language => chooseLanguage([tag]);

/** The locale for dates and amounts. An unknown tag gives English, never an exception. */
export function localeOf(tag: string, timezone: string): string {
  // Intl takes "en" alone for American English ("9:00 AM"), which looks odd on a ticket for Berlin or Nairobi.
  if (tag.toLowerCase() === 'en') return /^(America|US|Pacific\/Honolulu)/.test(timezone) ? 'en-US' : 'en-GB';
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)[0] ?? 'en-GB';
  } catch {
    return 'en-GB';
  }
}

// Creating a formatter costs about as much as drawing a ticket, so they are kept. There are few kinds and few locales.
const formatters = new Map<string, Intl.DateTimeFormat>();
function dateFormat(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone.toLowerCase()} ${JSON.stringify(options)}`;
  let format = formatters.get(key);
  if (format === undefined) {
    if (formatters.size > 500) formatters.clear();
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    formatters.set(key, format);
  }
  return format;
}

export interface Moment {
  language: string;
  timezone: string;
}

const DATE = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
const TIME = { timeStyle: 'short' } as const;
const localDay = (at: Date, timezone: string) =>
  dateFormat('en-CA', timezone, { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
const localTime = (at: Date, timezone: string) =>
  dateFormat('en-GB', timezone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);

/** A date at the beginning of a line gets a capital letter, also in languages that write weekdays in lower case. */
export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/**
 * "Fri, 12 June – Sun, 14 June 2026"; an event of one day is shown with its hours. Null if the event has no date. `hours` is what is said
 * of the hours where the beginning and end of the event say nothing of them.
 */
export function formatEventDates(
  event: Moment & { starts_at: string | null; ends_at: string | null },
  hours: string | null = null,
): string | null {
  const first = event.starts_at ?? event.ends_at;
  if (first === null) return null;
  const start = new Date(first);
  const end = event.ends_at === null ? null : lastMoment(new Date(event.ends_at), start, event.timezone);
  const locale = localeOf(event.language, event.timezone);
  const date = dateFormat(locale, event.timezone, { ...DATE, weekday: 'short' });
  const oneDay = end === null || end <= start || localDay(start, event.timezone) === localDay(end, event.timezone);
  const withHours = (dates: string, own: string | null) => (own === null ? dates : `${dates}, ${own}`);
  if (!oneDay) return withHours(date.formatRange(start, end), hours);
  const day = dateFormat(locale, event.timezone, { ...DATE, weekday: 'long' }).format(start);
  return withHours(day, formatHours(event.starts_at, event.ends_at, event) ?? hours);
}

/** An event that ends at midnight ends on the day before. */
const lastMoment = (end: Date, start: Date, timezone: string): Date =>
  end > start && localTime(end, timezone) === '00:00' ? new Date(end.getTime() - 1) : end;

/** A calendar day: "Fri, 12 June 2026". */
export function formatDate(date: string, at: Moment): string {
  return dateFormat(localeOf(at.language, at.timezone), 'UTC', DATE).format(new Date(`${date}T00:00:00Z`));
}

/** "09:00 – 18:00". Null if there are no hours, or if they run from local midnight to local midnight. */
export function formatHours(opens: string | null, closes: string | null, at: Moment): string | null {
  const clock = dateFormat(localeOf(at.language, at.timezone), at.timezone, TIME);
  const open = opens === null ? null : new Date(opens);
  const close = closes === null ? null : new Date(closes);
  const midnight = (moment: Date | null) => moment === null || localTime(moment, at.timezone) === '00:00';
  if (midnight(open) && midnight(close)) return null;
  if (open === null || close === null || close <= open) return clock.format(open ?? close ?? new Date(0));
  return `${clock.format(open)} – ${clock.format(close)}`;
}

/** A point in time with its timezone: "Friday, 12 June 2026, 09:00 (CEST)". */
export function formatInstant(at: string, where: Moment): string {
  const moment = new Date(at);
  const locale = localeOf(where.language, where.timezone);
  const date = dateFormat(locale, where.timezone, { ...DATE, weekday: 'long' }).format(moment);
  const time = dateFormat(locale, where.timezone, TIME).format(moment);
  const zone = dateFormat(locale, where.timezone, { timeZoneName: 'short' })
    .formatToParts(moment)
    .find((part) => part.type === 'timeZoneName')?.value;
  return `${date}, ${time}${zone === undefined ? '' : ` (${zone})`}`;
}
