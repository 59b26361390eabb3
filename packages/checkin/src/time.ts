/** Instants and local dates. Nothing here asks what time it is. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Calendar, weekdays and the rules of clocks repeat after 400 years. */
const CYCLE = 146_097 * DAY;
const YEAR_400 = Date.UTC(400, 0);
const YEAR_9600 = Date.UTC(9600, 0);
/** What a `Date` holds on either side of 1970, and the local date of it, too. */
const LIMIT = (100_000_000 - 2) * DAY;

/**
 * How many cycles an instant lies outside the years 400 to 9599. Inside them a date has four digits, and so have those beside
 * it; outside a clock writes them with fewer or more, and counts backwards before the year 1.
 */
function cyclesOutside(at: number): number {
  if (at < YEAR_400) return Math.floor((at - YEAR_400) / CYCLE);
  return at < YEAR_9600 ? 0 : Math.floor((at - YEAR_9600) / CYCLE) + 1;
}
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Milliseconds since 1970 of an ISO 8601 text with its offset; NaN for anything else. */
export function instant(text: string): number {
  const match = INSTANT.exec(text);
  return match !== null && isDate(match[1]!) ? Date.parse(text) : Number.NaN;
}

/** `Date.parse` rolls February 30th over to March; a calendar doesn't. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && dateOf(at) === text;
}

// Making a formatter costs about fifty times a format call, and a server holds many worlds of few zones.
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The date that a clock in `timezone` shows at `at`, whatever the year: beyond four digits as ISO 8601 writes it, with a sign and
 * six. The locale is fixed, so the host's never matters.
 */
export function localDate(timezone: string, at: number): string {
  if (cyclesOutside(at) !== 0) {
    const held = Math.min(Math.max(at, -LIMIT), LIMIT);
    const shift = cyclesOutside(held) * CYCLE;
    return dateOf(Date.parse(localDate(timezone, held - shift)) + shift);
  }
  const zone = timezone.toLowerCase(); // Intl takes any spelling, and each would be kept
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(zone, format);
  }
  const shown = format.format(at); // 06/12/2027
  return `${shown.slice(6).padStart(4, '0')}-${shown.slice(0, 2)}-${shown.slice(3, 5)}`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What a clock in `timezone` shows at `at`, in hours and minutes: `09:12`. */
export function localTime(timezone: string, at: number): string {
  const held = Math.min(Math.max(at, -LIMIT), LIMIT);
  const zone = timezone.toLowerCase();
  let clock = clocks.get(zone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      numberingSystem: 'latn',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(zone, clock);
  }
  return clock.format(held - cyclesOutside(held) * CYCLE);
}

export function isTimezone(timezone: string): boolean {
  try {
    localDate(timezone, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * The first instant of a local date. Searched rather than computed from an offset: where a clock is put forward at
 * midnight (Cairo, Beirut) there is no 00:00, and the date begins at 01:00. Offsets lie between -12 and +14 hours
 * and change on whole minutes.
 */
export function startOfDate(timezone: string, date: string): number {
  const utc = Date.parse(date);
  const shift = cyclesOutside(utc) * CYCLE;
  if (shift !== 0) return startOfDate(timezone, dateOf(utc - shift)) + shift; // dates of four digits compare as texts
  let before = (utc - 16 * HOUR) / MINUTE;
  let from = (utc + 16 * HOUR) / MINUTE;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (localDate(timezone, middle * MINUTE) < date) before = middle;
    else from = middle;
  }
  return from * MINUTE;
}

export function nextDate(date: string): string {
  return dateOf(Date.parse(date) + DAY);
}

function dateOf(at: number): string {
  return new Date(at).toISOString().split('T')[0]!;
}
