import pg from 'pg';
import { Hosts, requireWritable } from './hosts.ts';
import { Places } from './places.ts';

// Timestamps stay text with six decimals: a Date would drop the microseconds that order changes.
// PostgreSQL prints '2026-11-15 09:30:00.123456+00'; the API wants ISO 8601 with Z.
const TIMESTAMPTZ = 1184;
const DATE = 1082;
const INT8 = 20;
const UUIDS = 2951;
// PostgreSQL can store years up to 294276, years before 1 and infinity. No client could parse them, so they are read as the nearest
// date with a year of four digits. One such row must not make a whole list fail.
const [FIRST, LAST] = ['0001-01-01', '9999-12-31'];
const isBefore = (text: string): boolean => text.endsWith('BC') || text.startsWith('-');
const inFourDigits = (text: string): boolean => text.charCodeAt(4) === DASH && !text.endsWith('BC');
const DASH = 45;
const isoDate = (text: string): string => (inFourDigits(text) ? text : isBefore(text) ? FIRST : LAST);
export const isoTimestamp = (text: string): string => {
  if (!inFourDigits(text)) return isBefore(text) ? `${FIRST}T00:00:00Z` : `${LAST}T23:59:59.999999Z`;
  const [day, time, fraction] = [text.slice(0, 10), text.slice(11, 19), text.slice(20, -3)];
  // PostgreSQL drops trailing zeros. One instant must have one spelling, the same that `iso` in stamps.ts gives.
  return fraction === '' ? `${day}T${time}Z` : `${day}T${time}.${fraction.padEnd(fraction.length <= 3 ? 3 : 6, '0')}Z`;
};
/** The elements of a uuid[] have no quotes, so the parser of all arrays, which reads letter by letter, is not needed. */
const uuids = (text: string): (string | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((one) => (one === 'NULL' ? null : one));
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === TIMESTAMPTZ) return isoTimestamp;
      if (oid === DATE) return isoDate;
      if (oid === UUIDS) return uuids;
      if (oid === INT8) return Number; // counts and minor units: all below 2^53 by constraint
    }
    return pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/** Connections, and who may use them. */
export type Pool = pg.Pool & {
  places: Places;
  hosts: Hosts;
  /** This process answers no calls itself: whether others do, PostgreSQL knows. */
  asksForCallers: boolean;
};
export type Client = pg.PoolClient;

/** How long a new connection, or one that is in use, is waited for. */
const CONNECT_MS = 5_000;

export interface PoolOptions {
  url: string;
  max?: number;
  /** As PostgreSQL calls its connections. Those of processes that answer calls are called `turnout`. */
  name?: string;
  asksForCallers?: boolean;
  /** For a standby: its connections need not take writes. */
  readOnly?: boolean;
}

/**
 * Connections that pipeline: a statement is sent without waiting for the answer to the one before. This raised the throughput from
 * 4,000 to 6,060 transactions per second (measured; docs/decisions/0029-pipelined-statements.md).
 */
export function openPool({
  url,
  max = 20,
  name = 'turnout',
  asksForCallers = false,
  readOnly = false,
}: PoolOptions): Pool {
  const hosts = new Hosts(url);
  const pool = new pg.Pool({
    Client: hosts.Client as never,
    ...(!readOnly && { onConnect: requireWritable }),
    max,
    types,
    pipeline: true,
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    // A server that vanished without a word is noticed by the kernel, also where nothing is asked for a while.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idleTimeoutMillis: 60_000,
    options: '-c TimeZone=UTC -c DateStyle=ISO -c intervalstyle=iso_8601',
  });
  // The pool drops an idle connection that breaks, for example when the database restarts. Without a listener Node would exit.
  pool.on('error', () => {});
  return Object.assign(pool, { places: new Places(max), hosts, asksForCallers });
}

/** The pool's own words when all its connections are in use: that says nothing about the server. */
const ALL_IN_USE = 'timeout exceeded when trying to connect';

/** A connection of the pool, to a server that takes writes. Every server gets one try. */
export async function connectTo(pool: Pool): Promise<Client> {
  for (let left = pool.hosts.count; ; left -= 1) {
    try {
      return await pool.connect();
    } catch (error) {
      if (left <= 1 || (error as Error).message === ALL_IN_USE) throw error;
    }
  }
}
