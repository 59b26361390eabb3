import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import type { Fault } from './refusal.ts';

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:Z|[+-](\d\d):(\d\d))$/;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
// One @, no spaces or control characters, a dot in the domain: what a mail server would take, not what RFC 5322 allows.
const EMAIL = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@([^\s@<>()[\]\\,;:"\p{Cc}.]+\.)+[^\s@<>()[\]\\,;:"\p{Cc}.]+$/u;

const isDate = (text: string): boolean => {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (year < 1 || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
};

/** The year in UTC: an offset may lead out of those that are written with four digits and stored. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const inFourDigits = (at: number): boolean => at >= FIRST && at <= LAST;

const isTimestamp = (text: string): boolean => {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [, year, month, day, hour, minute, second = '0', offsetHour = '0', offsetMinute = '0'] = match;
  return (
    isDate(`${year}-${month}-${day}`) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) < 60 &&
    Number(offsetHour) < 15 &&
    Number(offsetMinute) < 60 &&
    inFourDigits(Date.parse(text))
  );
};

const zones = new Map<string, boolean>();
export const isTimezone = (text: string): boolean => {
  let known = zones.get(text);
  if (known === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: text });
      known = !/^[+-]/.test(text); // an offset is not a zone: it has no daylight saving
    } catch {
      known = false;
    }
    if (zones.size < 2000) zones.set(text, known);
  }
  return known;
};

const make = (coerce: boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    allErrors: true, // every fault at once
    coerceTypes: coerce, // only query strings, which have no other types
    useDefaults: false,
    removeAdditional: false,
    strict: false,
    verbose: true, // the messages look at the schema
  });
  ajv.addFormat('timestamp', isTimestamp);
  ajv.addFormat('date', isDate);
  ajv.addFormat('email', (text: string) => EMAIL.test(text));
  ajv.addFormat('timezone', isTimezone);
  ajv.addFormat('uuid', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  return ajv;
};
const bodies = make(false);
const queries = make(true);

export type Check = (value: unknown) => Fault[];

const checker =
  (validate: ValidateFunction): Check =>
  (value) =>
    validate(value) ? [] : faults(validate.errors ?? []);

export const bodyCheck = (schema: TSchema): Check => checker(bodies.compile(schema));
export const queryCheck = (schema: TSchema): Check => checker(queries.compile(schema));

const FORMATS: Record<string, string> = {
  timestamp: 'must be an ISO 8601 time with Z or an offset, such as 2026-11-15T09:30:00Z',
  date: 'must be a date such as 2026-11-15',
  email: 'must be an e-mail address',
  timezone: 'must be an IANA time zone such as Europe/Berlin',
  uuid: 'must be a UUID',
};

/** ajv speaks of schemas; a caller wants to know which field and what would be right. */
function faults(errors: readonly ErrorObject[]): Fault[] {
  const found = new Map<string, Fault>();
  // "null or …" fails twice; what counts is how it missed the other branch.
  const branches = errors.filter((error) => error.keyword === 'anyOf').map((error) => error.schemaPath);
  const specific = (error: ErrorObject) =>
    error.keyword !== 'anyOf' && !(error.keyword === 'type' && error.schema === 'null');
  for (const error of errors) {
    const inBranch = branches.some((path) => error.schemaPath.startsWith(`${path}/`) || error.schemaPath === path);
    if (inBranch && !specific(error)) {
      const better = errors.some((other) => specific(other) && other.instancePath.startsWith(error.instancePath));
      if (better) continue;
    }
    const fault = translate(error);
    const key = `${fault.path} ${fault.message}`;
    if (!found.has(key) && found.size < 100) found.set(key, fault);
  }
  return [...found.values()];
}

function translate(error: ErrorObject): Fault {
  const path = error.instancePath.slice(1);
  const below = (name: string) => (path === '' ? name : `${path}/${name}`);
  const { params } = error as { params: Record<string, unknown> };
  switch (error.keyword) {
    case 'required':
      return { path: below(String(params.missingProperty)), message: 'is required' };
    case 'additionalProperties':
      return { path: below(String(params.additionalProperty)), message: 'is not a field of this operation' };
    case 'enum':
      return { path, message: `must be one of: ${(params.allowedValues as string[]).join(', ')}` };
    case 'format':
      return { path, message: FORMATS[String(params.format)] ?? `must be a ${params.format}` };
    case 'pattern':
      return { path, message: patternMessage(String(params.pattern)) };
    case 'minLength':
      return {
        path,
        message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
      };
    case 'maxLength':
      return { path, message: `must have at most ${params.limit} characters` };
    case 'minProperties':
      return { path, message: 'names nothing to change' };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}

const patternMessage = (pattern: string): string => {
  if (pattern.includes('_-]{0,62}')) {
    return 'must be 1 to 63 letters, digits, hyphens or underscores, start with a letter or digit, and not look like an id';
  }
  if (pattern === '^[A-Z]{3}$') return 'must be an ISO 4217 currency such as EUR';
  return `must match ${pattern}`;
};

/**
 * PostgreSQL stores no U+0000 and a lone surrogate would be replaced silently: both are refused, wherever they stand.
 * The text is looked at first, so a body without either pays one search.
 */
export function badText(raw: string, value: unknown): Fault[] {
  if (!/\\u0000|\\u[dD][89a-fA-F]/.test(raw)) return [];
  const found: Fault[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node === 'string') {
      if (node.includes('\u0000')) found.push({ path, message: 'must not contain U+0000' });
      else if (!node.isWellFormed()) found.push({ path, message: 'must not contain half a surrogate pair' });
    } else if (typeof node === 'object' && node !== null) {
      for (const [name, child] of Object.entries(node)) {
        if (name.includes('\u0000') || !name.isWellFormed())
          found.push({ path, message: 'has a field name that is not valid text' });
        walk(child, path === '' ? name : `${path}/${name}`);
      }
    }
  };
  walk(value, '');
  return found;
}
