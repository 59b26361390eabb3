export type Moment = string | number | Date;

/** A date-only value is the same day for everybody, so it is read and written in UTC. */
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const STYLES = {
  date: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  dateTime: { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' },
  time: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
/** One of ours, or any other. */
type Style = keyof typeof STYLES | Intl.DateTimeFormatOptions;

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** The last instant of what is over at `end`, but never before it begins. */
export const lastOf = (from: Moment, end: Moment): number =>
  Math.max(new Date(from).getTime(), new Date(end).getTime() - 1);

/** Dates, numbers and money as one language writes them. Making a formatter of Intl is slow, so each is made once. */
export class Formats {
  readonly locale: string;
  readonly #made = new Map<string, unknown>();

  constructor(locale: string) {
    this.locale = locale;
  }

  #once<T>(key: string, make: () => T): T {
    const known = this.#made.get(key);
    if (known !== undefined) return known as T;
    const made = make();
    this.#made.set(key, made);
    return made;
  }

  /** `Mon, 16 Nov 2026` */
  date(value: Moment, timeZone?: string): string {
    return this.#when(value, 'date', timeZone);
  }
  /** `16 Nov 2026, 14:30` */
  dateTime(value: Moment, timeZone?: string): string {
    return this.#when(value, 'dateTime', timeZone);
  }
  /** `14:30` */
  time(value: Moment, timeZone?: string): string {
    return this.#when(value, 'time', timeZone);
  }
  /** Any other way to write a date; `style` is an argument of Intl. */
  when(value: Moment, style: Intl.DateTimeFormatOptions, timeZone?: string): string {
    return this.#when(value, style, timeZone);
  }
  /** From one date to another, without saying twice what both have: `16–18 Nov 2026`. */
  range(from: Moment, to: Moment, timeZone?: string): string {
    return this.#dates('day', timeZone).formatRange(new Date(from), new Date(to));
  }
  /** The same for what is over at `end`: an event that ends at midnight ends with the day before. */
  span(from: Moment, end: Moment, timeZone?: string): string {
    return this.range(from, lastOf(from, end), timeZone);
  }

  #when(value: Moment, style: Style, timeZone?: string): string {
    const zone = typeof value === 'string' && DAY.test(value) ? 'UTC' : timeZone;
    return this.#dates(style, zone).format(new Date(value));
  }
  #dates(style: Style, timeZone?: string): Intl.DateTimeFormat {
    const name = typeof style === 'string' ? style : JSON.stringify(style);
    return this.#once(`date ${name} ${timeZone ?? ''}`, () => {
      const options = typeof style === 'string' ? STYLES[style] : style;
      return new Intl.DateTimeFormat(this.locale, { ...options, ...(timeZone !== undefined && { timeZone }) });
    });
  }

  /** `3 minutes ago`, `in 2 days`, `now`. */
  relative(value: Moment, now: Moment = Date.now()): string {
    const format = this.#once('relative', () => new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto' }));
    const seconds = (new Date(value).getTime() - new Date(now).getTime()) / 1000;
    for (const [unit, length] of UNITS) {
      if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
    }
    return format.format(0, 'second');
  }

  number(value: number, style: Intl.NumberFormatOptions = {}): string {
    return this.#once(`number ${JSON.stringify(style)}`, () => new Intl.NumberFormat(this.locale, style)).format(value);
  }
  percent(share: number): string {
    return this.number(share, { style: 'percent', maximumFractionDigits: 0 });
  }
  /** An amount in the currency's minor unit: 2500 of EUR is 25.00 €. */
  money(minor: number, currency: string): string {
    const style = { style: 'currency', currency } as const;
    const format = this.#once(`money ${currency}`, () => new Intl.NumberFormat(this.locale, style));
    return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  }
  /** `one, two and three` */
  list(items: readonly string[], type: Intl.ListFormatType = 'conjunction'): string {
    return this.#once(`list ${type}`, () => new Intl.ListFormat(this.locale, { type })).format(items);
  }
  /** The name of a country, language or currency: `de` → `German`. */
  nameOf(type: Intl.DisplayNamesType, code: string): string {
    return this.#once(`names ${type}`, () => new Intl.DisplayNames(this.locale, { type })).of(code) ?? code;
  }
}
