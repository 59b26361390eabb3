import { sql } from '../../store/sql.ts';
import type { Check } from './check.ts';
import { count, failed, ok, warning } from './verdict.ts';

const OLDEST_NODE = [22, 18] as const;

const node: Check = {
  name: 'node',
  group: 'machine',
  limitMs: 1_000,
  run: async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
    if (isOld)
      return failed(`This is Node ${process.versions.node}.`, `Turnout needs Node ${OLDEST_NODE.join('.')} or newer.`);
    return ok(`Node ${process.versions.node}.`);
  },
};

const LANGUAGES: readonly [string, string][] = [
  ['en', 'March'],
  ['de', 'März'],
  ['fr', 'mars'],
  ['es', 'marzo'],
];

const icu: Check = {
  name: 'languages',
  group: 'machine',
  limitMs: 1_000,
  run: async () => {
    const march = new Date('2026-03-15T12:00:00Z');
    const wrong = LANGUAGES.filter(
      ([language, name]) =>
        new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(march) !== name,
    );
    if (wrong.length > 0)
      return failed(
        `This Node cannot write dates in: ${wrong.map(([language]) => language).join(', ')}.`,
        'Use a Node with full ICU, as npm installs it and nodejs.org offers it.',
      );
    return ok(`ICU ${process.versions.icu} knows every language of Turnout.`);
  },
};

/** Zones that are compared although nobody uses them yet. */
const USUAL = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
const MAX_ZONES = 200;

/** Node and PostgreSQL each have time zone data of their own. Days and hours of events are computed by both. */
const timeZones: Check = {
  name: 'time zones',
  group: 'machine',
  limitMs: 12_000,
  run: async ({ database, clock }) => {
    const { read } = await database();
    const moments = [0, 3, 6, 9, 12].map((months) => {
      const at = clock.now();
      at.setUTCMonth(at.getUTCMonth() + months, 1);
      return at;
    });
    const rows = await read(async (tx) => {
      const used = await tx.all<{ name: string }>(sql`
        select timezone as name from organizations union select timezone from events limit ${MAX_ZONES}`);
      const names = [...new Set([...USUAL, ...used.map(({ name }) => name)])];
      const all = await tx.all<{ name: string; at: string; seconds: number }>(sql`
        select z.name, m.at, extract(epoch from (m.at at time zone z.name) - (m.at at time zone 'UTC'))::int as seconds
        from unnest(${names}::text[]) z(name) join pg_timezone_names n on n.name = z.name, unnest(${moments}::timestamptz[]) m(at)`);
      return { names, all };
    });
    const differing = [
      ...new Set(
        rows.all.filter(({ name, at, seconds }) => offsetOf(name, new Date(at)) !== seconds).map(({ name }) => name),
      ),
    ];
    const unknown = rows.names.filter((name) => !rows.all.some((row) => row.name === name));
    const wrong = [...unknown, ...differing];
    if (wrong.length === 0)
      return ok(
        `Node (${process.versions.tz}) and PostgreSQL agree on ${count(rows.names.length, 'zone')} for the coming year.`,
      );
    return warning(
      `Node (${process.versions.tz}) and PostgreSQL disagree on ${wrong.slice(0, 5).join(', ')}${wrong.length > 5 ? ` and ${wrong.length - 5} more` : ''}.`,
      'Update whichever is older: PostgreSQL or the tzdata of its system, or Node.',
    );
  },
};

/** By how many seconds a zone is ahead of UTC. Null if Node does not know it. */
function offsetOf(timeZone: string, at: Date): number | null {
  try {
    const options = { timeZone, timeZoneName: 'longOffset' } as const;
    const text = new Intl.DateTimeFormat('en', options)
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')!.value;
    const [, sign, hours, minutes, seconds] = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
    const all = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
    return sign === '-' ? -all : all;
  } catch {
    return null;
  }
}

export const machineChecks: readonly Check[] = [node, icu, timeZones];
