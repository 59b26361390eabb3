/** Instants and local dates. Nothing here asks what time it is now. */

export const DAY = 86_400_000;
/** The calendar, the weekdays and the rules for changing clocks repeat after 400 years. */
export const CYCLE = 146_097 * DAY;
export const YEAR_400 = Date.UTC(400, 0);
export const YEAR_9600 = Date.UTC(9600, 0);
/** The farthest from 1970 that both an instant and its local date fit into a `Date`. */
const LIMIT = (100_000_000 - 2) * DAY;

/**
 * By how many cycles an instant lies outside the years 400 to 9599. Inside them a year and its neighbours have at most four
 * digits. Outside, `Intl` writes years with fewer or more digits and counts backwards before the year 1.
 */
function cyclesOutside(at: number): number {
  if (at < YEAR_400) return Math.floor((at - YEAR_400) / CYCLE);
  return at < YEAR_9600 ? 0 : Math.floor((at - YEAR_9600) / CYCLE) + 1;
}
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Milliseconds since 1970, from an ISO 8601 text with an offset; NaN for any other text. */
export function instant(text: string): number {
  const match = INSTANT.exec(text);
  return match !== null && isDate(match[1]!) ? Date.parse(text) : Number.NaN;
}

/** `Date.parse` turns February 30th into a day of March; here it is not a date. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && dateOf(at) === text;
}

/**
 * Formatters of one kind, one per time zone. Making a formatter costs about fifty times as much as using it, and a server holds
 * many worlds in few zones. `Intl` accepts a zone in any spelling, so they are kept by its lower case.
 */
export function formatterByZone(
  locale: string,
  options: Intl.DateTimeFormatOptions,
): (timezone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (timezone) => {
    const zone = timezone.toLowerCase();
    let format = formats.get(zone);
    if (format === undefined) {
      format = new Intl.DateTimeFormat(locale, { ...options, timeZone: timezone });
      formats.set(zone, format);
    }
    return format;
  };
}

const dateFormat = formatterByZone('en-US', {
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/**
 * The date that a clock in `timezone` shows at `at`, in any year. A year with more than four digits is written as ISO 8601 does
 * it, with a sign and six digits. The locale is fixed, so the host's locale does not matter.
 */
export function localDate(timezone: string, at: number): string {
  if (cyclesOutside(at) !== 0) {
    const held = Math.min(Math.max(at, -LIMIT), LIMIT);
    const shift = cyclesOutside(held) * CYCLE;
    return dateOf(Date.parse(localDate(timezone, held - shift)) + shift);
  }
  const shown = dateFormat(timezone).format(at); // 06/12/2027
  return `${shown.slice(6).padStart(4, '0')}-${shown.slice(0, 2)}-${shown.slice(3, 5)}`;
}

const timeFormat = formatterByZone('en-GB', {
  numberingSystem: 'latn',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The hours and minutes that a clock in `timezone` shows at `at`, such as `09:12`. */
export function localTime(timezone: string, at: number): string {
  const held = Math.min(Math.max(at, -LIMIT), LIMIT);
  return timeFormat(timezone).format(held - cyclesOutside(held) * CYCLE);
}

export function isTimezone(timezone: string): boolean {
  try {
    localDate(timezone, 0);
    return true;
  } catch {
    return false;
  }
}

export function nextDate(date: string): string {
  return dateOf(Date.parse(date) + DAY);
}

function dateOf(at: number): string {
  return new Date(at).toISOString().split('T')[0]!;
}
