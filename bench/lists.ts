// Bench: lists and search in one event with 1,000,000 attendees: the last page beside the first, searches beside 20 ms
import { parseArgs } from 'node:util';
import { Client } from 'undici';
import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { type Id, toUuid } from '../server/src/store/ids.ts';
import { name, sql } from '../server/src/store/sql.ts';
import { COMMON, fill, RARE } from './lists-fill.ts';
import { type Bench, benchmark, machine, median, ms, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** The last page costs at most so many times the first. */
const PAGE_LIMIT = 1.5;
const SEARCH_LIMIT_MS = 20;

const { values: options } = parseArgs({
  options: {
    attendees: { type: 'string', default: '1000000' },
    /** Of each kind. */
    calls: { type: 'string', default: '200' },
    /** At most so many seconds of walking from the first page on, 0 for none. */
    walk: { type: 'string', default: '60' },
  },
});
const attendees = Number(options.attendees);
const calls = Number(options.calls);
const EVENT = '/v1/events/big';

type Page = { data: { id: string }[]; page: { next_cursor: string | null; has_more: boolean } };

interface Api {
  get(path: string): Promise<Page>;
}

interface Case {
  name: string;
  /** Of the n-th call. */
  path: (n: number) => string;
  /** How many rows a page of it has, where that is known. */
  rows?: number;
}

interface Measured {
  p50: number;
  p99: number;
}

/** In turns, so that whatever else the machine does falls on all of them. */
async function measure(api: Api, cases: readonly Case[], times = calls): Promise<Map<string, Measured>> {
  const taken = new Map<string, number[]>(cases.map((one) => [one.name, []]));
  const warm = Math.ceil(times / 10);
  for (let n = 0; n < times + warm; n += 1) {
    for (const one of n % 2 === 0 ? cases : cases.toReversed()) {
      const path = one.path(n);
      const at = performance.now();
      const page = await api.get(path);
      if (n >= warm) taken.get(one.name)!.push(performance.now() - at);
      if (one.rows !== undefined && page.data.length !== one.rows)
        throw new Error(`${path}: ${page.data.length} rows, not ${one.rows}`);
    }
  }
  const sorted = (values: number[]) => values.sort((a, b) => a - b);
  return new Map(
    [...taken].map(([of, values]) => [
      of,
      { p50: median(values), p99: sorted(values)[Math.floor(values.length * 0.99)]! },
    ]),
  );
}

/** A cursor is opaque to callers; we know that it holds its place in the list, and put another place into it. */
function moved(cursor: string, updated_at: string, id: Id): string {
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
  return Buffer.from(JSON.stringify([mark, updated_at, id])).toString('base64url');
}

/** First, middle and last page of a list, by real cursors of it. */
async function pagesOf(
  turnout: BenchTurnout,
  api: Api,
  list: { path: string; table: string; event: Id | null; org: Id },
  limit: number,
): Promise<[Case, Case, Case]> {
  const first = `${list.path}?limit=${limit}`;
  const { next_cursor } = (await api.get(first)).page;
  const mine = sql`org_id = ${list.org} and ${list.event === null ? sql`true` : sql`event_id = ${list.event}`}`;
  const places = await turnout.system(async (tx) => {
    const { count } = await tx.one<{ count: number }>(sql`select count(*) from ${name(list.table)} where ${mine}`);
    const at = (skipped: number) =>
      tx.one<{ updated_at: string; id: Id }>(sql`
        select updated_at, id from ${name(list.table)} where ${mine} order by updated_at desc, id desc offset ${skipped} limit 1`);
    return [await at(Math.floor(count / 2)), await at(limit)] as const;
  });
  const [middle, last] = places.map((at) => `${first}&cursor=${moved(next_cursor!, at.updated_at, at.id)}`) as [
    string,
    string,
  ];
  if ((await api.get(last)).page.has_more) throw new Error(`${last} is not the last page`);
  const page = (which: string, path: string): Case => ({ name: `${which} ${first}`, path: () => path, rows: limit });
  return [page('first', first), page('middle', middle), page('last', last)];
}

/** Every page one after the other: each attendee once, and what a page costs at each tenth of the way. */
async function walk(api: Api, limit: number, upTo: number): Promise<string> {
  const seen = new Set<string>();
  const costs: number[] = [];
  const until = performance.now() + upTo * 1000;
  let cursor: string | null = '';
  let met = 0;
  while (cursor !== null && performance.now() < until) {
    const at = performance.now();
    const { data, page }: Page = await api.get(
      `${EVENT}/attendees?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    costs.push(performance.now() - at);
    for (const { id } of data) seen.add(id);
    met += data.length;
    cursor = page.next_cursor;
  }
  if (met !== seen.size) throw new Error(`the walk met ${met} attendees, ${seen.size} different ones`);
  if (cursor === null && met !== attendees) throw new Error(`the walk met ${met} of ${attendees} attendees`);
  const tenth = Math.ceil(costs.length / 10);
  const parts = Array.from({ length: 10 }, (_, i) => median(costs.slice(i * tenth, (i + 1) * tenth)).toFixed(1));
  const far = cursor === null ? 'all of them' : `stopped after ${upTo} s`;
  return `walk by ${limit}: ${whole(costs.length)} pages, ${whole(met)} attendees, each once (${far}); median of each tenth: ${parts.join(' ')} ms`;
}

interface Sample {
  first_name: string;
  last_name: string;
  email: string;
  registration: string;
  ticket: string;
}

const sampled = (turnout: BenchTurnout, org: Id): Promise<Sample[]> =>
  turnout.system((tx) =>
    tx.all<Sample>(sql`
      select a.first_name, a.last_name, a.email, r.code as registration, t.code as ticket
      from attendees a tablesample system_rows_not_available`),
  ) && sampleOf(turnout, org);

async function sampleOf(turnout: BenchTurnout, org: Id): Promise<Sample[]> {
  return turnout.system((tx) =>
    tx.all<Sample>(sql`
      select a.first_name, a.last_name, a.email, r.code as registration, t.code as ticket
      from (select * from attendees where org_id = ${org} and status = 'confirmed' and random() < ${2000 / attendees} limit 500) a
      join registrations r on r.org_id = a.org_id and r.id = a.registration_id
      join ticket_people p on p.org_id = a.org_id and p.attendee_id = a.id
      join tickets t on t.org_id = p.org_id and t.id = p.ticket_id`),
  );
}
