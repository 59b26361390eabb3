import type { FaultRule } from '@turnout/contract';
import { isVisible } from '../../common/unicode.ts';

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|[+-](\d\d):(\d\d))$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
// One @, no spaces or control characters, a dot in the domain: what mail servers accept in practice, not all that RFC 5322 allows.
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@([^\s@<>()[\]\\,;:"\p{Cc}.]+\.)+[^\s@<>()[\]\\,;:"\p{Cc}.]+$/u;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const isDate = (text: string): boolean => {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
};

/**
 * Whether a date is in the years that we store. JavaScript reads years below 100 as 19xx, and PostgreSQL has years with more than
 * four digits. Stored dates stay far away from both ends.
 */
export const isKeptDate = (text: string): boolean => isDate(text) && text >= '1900' && text < '2201';

/** Compares in UTC: with its offset, a time at the very end of the year 9999 may be in the year 10000. */
const within = (at: number, first: string, last: string): boolean => at >= Date.parse(first) && at <= Date.parse(last);

export const isTimestamp = (text: string): boolean => {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [, year, month, day, hour, minute, second = '0', , offsetHour = '0', offsetMinute = '0'] = match;
  return (
    isDate(`${year}-${month}-${day}`) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 15 &&
    Number(offsetMinute) < 60 &&
    within(Date.parse(text), '0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z')
  );
};

export const isKeptTimestamp = (text: string): boolean =>
  isTimestamp(text) && within(Date.parse(text), '1900-01-01T00:00:00Z', '2200-12-31T23:59:59.999Z') && !roundsUp(text);

/** PostgreSQL stores six decimals and rounds the seventh, so the last instant of the last year would become the next year. */
const roundsUp = (text: string): boolean =>
  Date.parse(text) === Date.parse('2200-12-31T23:59:59.999Z') && /\.999999[5-9]/.test(text);

/**
 * The zones that were found valid. They are remembered in lower case, because Intl accepts a name in any mixture of cases and
 * each of them would take up memory. Names that are not valid are not remembered.
 */
const zones = new Set<string>();
export const isTimezone = (text: string): boolean => {
  if (text.length > LONGEST_ZONE) return false;
  const name = text.toLowerCase();
  if (zones.has(name)) return true;
  if (/^[+-]/.test(text)) return false; // an offset is not a time zone: it has no daylight saving time
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
  } catch {
    return false;
  }
  zones.add(name);
  return true;
};
const LONGEST_ZONE = 64;

/** Codes of ISO 4217 that Intl does not list, such as units of account and funds. */
const OTHERS = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED', 'XSU', 'XUA'];
const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf('currency'), ...OTHERS]);

/** The formats that schemas use: how each is checked, and what a fault says. */
export const FORMATS: Readonly<Record<string, { is: (text: string) => boolean; message: string; rule?: FaultRule }>> = {
  timestamp: {
    is: isTimestamp,
    message: 'must be an ISO 8601 time with Z or an offset, such as 2026-11-15T09:30:00Z',
    rule: 'not_time',
  },
  'kept-timestamp': {
    is: isKeptTimestamp,
    message: 'must be an ISO 8601 time with Z or an offset, in the years 1900 to 2200, such as 2026-11-15T09:30:00Z',
    rule: 'not_time',
  },
  date: { is: isDate, message: 'must be a date such as 2026-11-15', rule: 'not_date' },
  'kept-date': {
    is: isKeptDate,
    message: 'must be a date in the years 1900 to 2200, such as 2026-11-15',
    rule: 'not_date',
  },
  email: { is: (text) => EMAIL.test(text), message: 'must be an e-mail address', rule: 'not_email' },
  timezone: { is: isTimezone, message: 'must be an IANA time zone such as Europe/Berlin', rule: 'not_timezone' },
  currency: {
    is: (text) => CURRENCIES.has(text),
    message: 'must be an ISO 4217 currency such as EUR',
    rule: 'not_currency',
  },
  name: { is: isVisible, message: 'must have at least one character that can be seen', rule: 'empty' },
  uuid: { is: (text) => UUID.test(text), message: 'must be a UUID' },
};
