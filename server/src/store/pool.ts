import pg from 'pg';
import { Places } from './places.ts';

// Timestamps stay text with six decimals: a Date would drop the microseconds that order changes.
// PostgreSQL prints '2026-11-15 09:30:00.123456+00'; the API wants ISO 8601 with Z.
const TIMESTAMPTZ = 1184;
const DATE = 1082;
const INT8 = 20;
// PostgreSQL can store years up to 294276, years before 1 and infinity. No client could parse them, so they are read as the nearest
// date with a year of four digits. One such row must not make a whole list fail.
const [FIRST, LAST] = ['0001-01-01', '9999-12-31'];
const isBefore = (text: string): boolean => text.endsWith('BC') || text.startsWith('-');
const inFourDigits = (text: string): boolean => text.charCodeAt(4) === DASH && !text.endsWith('BC');
const DASH = 45;
const isoDate = (text: string): string => (inFourDigits(text) ? text : isBefore(text) ? FIRST : LAST);
export const isoTimestamp = (text: string): string => {
  if (!inFourDigits(text)) return isBefore(text) ? `${FIRST}T00:00:00Z` : `${LAST}T23:59:59.999999Z`;
  const [day, rest] = text.split(' ') as [string, string];
  const [time, fraction] = rest.slice(0, -3).split('.') as [string, string?];
  // PostgreSQL drops trailing zeros. One instant must have one spelling, the same that `iso` in stamps.ts gives.
  return fraction === undefined
    ? `${day}T${time}Z`
    : `${day}T${time}.${fraction.padEnd(fraction.length <= 3 ? 3 : 6, '0')}Z`;
};
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === TIMESTAMPTZ) return isoTimestamp;
      if (oid === DATE) return isoDate;
      if (oid === INT8) return Number; // counts and minor units: all below 2^53 by constraint
    }
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/** Connections, and who may use them. */
export type Pool = pg.Pool & { places: Places };
export type Client = pg.PoolClient;

export interface PoolOptions {
  url: string;
  max?: number;
  name?: string;
}

/**
 * Connections that pipeline: a statement is sent without waiting for the answer to the one before. This raised the throughput from
 * 4,000 to 6,060 transactions per second (measured; docs/decisions/0029-pipelined-statements.md).
 */
export function openPool({ url, max = 20, name = 'turnout' }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    pipeline: true,
    application_name: name,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: '-c TimeZone=UTC -c DateStyle=ISO -c intervalstyle=iso_8601',
  });
  // The pool drops an idle connection that breaks, for example when the database restarts. Without a listener Node would exit.
  pool.on('error', () => {});
  return Object.assign(pool, { places: new Places(max) });
}
