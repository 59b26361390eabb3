// Bench: lists and search in an event of 1,000,000 attendees: the last page compared with the first, searches (limit 20 ms)
import { parseArgs } from 'node:util';
import { Client } from 'undici';
import { createKey } from '../server/src/areas/access/index.ts';
import { keepFilters } from '../server/src/areas/events/index.ts';
import { systemClock } from '../server/src/clock.ts';
import type { Id } from '../server/src/common/ids.ts';
import { name, sql } from '../server/src/store/sql.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { answered, type Case, EVENT, filtered, sample, searches } from './lists-cases.ts';
import { bigEvent } from './lists-event.ts';
import { type Bench, benchmark, machine, median, ms, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** The time of the last page, divided by that of the first: at most. */
const PAGE_LIMIT = 1.5;
const SEARCH_LIMIT_MS = 20;

const { values: options } = parseArgs({
  options: {
    attendees: { type: 'string', default: '1000000' },
    /** How often each request is sent. */
    calls: { type: 'string', default: '200' },
    /** For how many seconds at most all pages are read one after the other; 0 leaves that out. */
    walk: { type: 'string', default: '60' },
    /** Measures only these, separated by commas: cost, pages, searches, limited, filters, answers, walk. */
    only: { type: 'string', default: 'cost,pages,searches,limited,filters,answers,walk' },
    /** A folder for a CPU profile of our server. */
    profile: { type: 'string' },
    /** Only the searches and filters whose name contains this text. */
    named: { type: 'string', default: '' },
  },
});
const attendees = Number(options.attendees);
const calls = Number(options.calls);
const only = new Set(options.only.split(','));
const named = (cases: readonly Case[]): Case[] => cases.filter((one) => one.name.includes(options.named));
/** A case that takes longer than this in all is not called any more: one that is far too slow must not keep the others waiting. */
const LONGEST_MS = 20_000;

type Page = { data: { id: string }[]; page: { next_cursor: string | null; has_more: boolean } };

interface Api {
  get(path: string): Promise<Page>;
}

interface Measured {
  p50: number;
  p99: number;
}

/** The cases take turns, so that other work on the machine affects all of them. */
async function measure(api: Api, cases: readonly Case[], times = calls): Promise<Map<string, Measured>> {
  const taken = new Map<string, number[]>(cases.map((one) => [one.name, []]));
  const warm = Math.ceil(times / 10);
  const spent = new Map<string, number>();
  for (let n = 0; n < times + warm; n += 1) {
    for (const one of n % 2 === 0 ? cases : cases.toReversed()) {
      const used = spent.get(one.name) ?? 0;
      if (used > LONGEST_MS && n > warm) continue;
      const path = one.path(n);
      const at = performance.now();
      const page = await api.get(path);
      const took = performance.now() - at;
      spent.set(one.name, used + took);
      if (n >= warm) taken.get(one.name)!.push(took);
      if (one.rows !== undefined && page.data?.length !== one.rows)
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

/** How much processor time a page takes, in Node and in PostgreSQL: on a machine that others use as well it is steadier than speed. */
async function cost(bench: Bench, turnout: BenchTurnout, api: Api, lists: readonly { path: string }[]): Promise<void> {
  const cpu = () => [cpuOf(turnout.pid) ?? 0, cpuOfFamily(turnout.databasePid ?? 0) ?? 0] as const;
  const rows: string[][] = [];
  for (const { path } of lists) {
    bench.say(`the cost of ${path} …`);
    const page = async (times: number) => {
      for (let n = 0; n < times; n += 1) await api.get(`${path}?limit=50`);
    };
    await page(calls);
    const rounds: { node: number; database: number }[] = [];
    for (let round = 0; round < 3; round += 1) {
      const [node, database] = cpu();
      await page(calls);
      const [nodeAfter, databaseAfter] = cpu();
      rounds.push({ node: (nodeAfter - node) / calls, database: (databaseAfter - database) / calls });
    }
    const of = (pick: (round: { node: number; database: number }) => number) =>
      `${median(rounds.map(pick)).toFixed(2)} ms`;
    rows.push([`GET ${path}?limit=50`, of(({ node }) => node), of(({ database }) => database)]);
  }
  console.log(`\n${table(['processor time of a page', 'Node', 'PostgreSQL'], rows)}`);
}

/** A cursor is opaque to callers. The bench knows that it contains a place in the list, and replaces that place. */
function moved(cursor: string, updated_at: string, id: Id): string {
  const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as string[];
  return Buffer.from(JSON.stringify([mark, updated_at, id])).toString('base64url');
}

/** The first, a middle and the last page of a list, with cursors that the server accepts. */
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

/** Reads all pages one after the other: every attendee must come once. Reports what a page costs in each tenth of the list. */
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
  if (met !== seen.size) throw new Error(`The pages had ${met} attendees, but only ${seen.size} different ones.`);
  if (cursor === null && met !== attendees) throw new Error(`The pages had ${met} of ${attendees} attendees.`);
  const tenth = Math.ceil(costs.length / 10);
  const parts = Array.from({ length: 10 }, (_, i) => median(costs.slice(i * tenth, (i + 1) * tenth)).toFixed(1));
  const far = cursor === null ? 'the whole list' : `stopped after ${upTo} s`;
  return `all pages, ${limit} a page: ${whole(costs.length)} pages, ${whole(met)} attendees, each once (${far}); median of each tenth: ${parts.join(' ')} ms`;
}

/** Makes the questions filterable when everybody has answered them, as an organizer might. */
async function makeFilterable(bench: Bench, turnout: BenchTurnout, key: string): Promise<void> {
  const at = performance.now();
  for (const question of ['diet', 'photo'])
    await call(turnout.url, key, 'PATCH', `${EVENT}/questions/${question}`, { filterable: true });
  const took = performance.now() - at;
  const pieces = await keepFilters(turnout.pool, systemClock, 3_600_000);
  const all = Math.round((performance.now() - at) / 1000);
  await turnout.pool.query('analyze attendee_answers').catch(() => {});
  bench.say(`two questions became filterable in ${ms(took)}; ${pieces} pieces, everything after ${all} s`);
}

await benchmark(async (bench) => {
  const started = performance.now();
  const turnout = await startBenchTurnout(bench, {
    embedded: true,
    ...(options.profile !== undefined && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] }),
  });
  const { org, key, event } = await bigEvent(bench, turnout, attendees);
  const client = new Client(turnout.url);
  bench.later(() => client.destroy());
  const apiOf = (key: string): Api => ({
    get: async (path) => {
      const answer = await client.request({ path, method: 'GET', headers: { authorization: `Bearer ${key}` } });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${text}`);
      return JSON.parse(text) as Page;
    },
  });
  const api = apiOf(key);
  const head = `${machine()}; ${whole(attendees)} attendees in one event; median of ${calls} calls, one at a time, over HTTP`;
  console.log(`
${head}
`);

  const lists = [
    { path: `${EVENT}/attendees`, table: 'attendees', event, org },
    { path: `${EVENT}/registrations`, table: 'registrations', event, org },
    { path: `${EVENT}/tickets`, table: 'tickets', event, org },
    { path: '/v1/contacts', table: 'contacts', event: null, org },
  ];
  if (only.has('cost')) await cost(bench, turnout, api, lists);
  const rows: string[][] = [];
  for (const list of only.has('pages') ? lists : []) {
    for (const limit of [50, 200]) {
      bench.say(`${list.path}, ${limit} a page …`);
      const pages = await pagesOf(turnout, api, list, limit);
      const measured = await measure(api, pages);
      const [first, middle, last] = pages.map((page) => measured.get(page.name)!) as [Measured, Measured, Measured];
      rows.push([
        `GET ${list.path}?limit=${limit}`,
        ...[first, middle, last].map(({ p50 }) => ms(p50)),
        (last.p50 / first.p50).toFixed(2),
        `at most ${PAGE_LIMIT}`,
        ms(last.p99),
      ]);
    }
  }
  if (rows.length > 0) console.log(table(['', 'first', 'middle', 'last', 'last/first', 'limit', 'last p99'], rows));

  const people = await sample(turnout, org);
  const limit = `under ${SEARCH_LIMIT_MS} ms`;
  const search = async (title: string, by: Api, cases: readonly Case[]) => {
    bench.say(`${title} …`);
    const found = await measure(by, named(cases));
    console.log(`
${table(
  [title, 'median', 'p99', 'limit'],
  [...found].map(([of, { p50, p99 }]) => [of, ms(p50), ms(p99), limit]),
)}`);
  };
  if (only.has('searches')) await search('search', api, searches(people));
  if (only.has('limited')) {
    const { secret } = await turnout.system((tx) =>
      createKey(tx, org, { name: 'limited', mode: 'live', scopes: ['read'], rpm: 999_999_999, group: 'third' }),
    );
    await search('search, limited to a group', apiOf(secret), searches(people, true));
  }
  if (only.has('answers')) {
    await makeFilterable(bench, turnout, key);
    await search('answers', api, answered);
  }
  if (only.has('filters')) {
    bench.say('filters …');
    const kept = await measure(api, named(filtered), 10);
    console.log(`
${table(
  ['filter (10 calls)', 'median'],
  [...kept].map(([of, { p50 }]) => [of, ms(p50)]),
)}`);
  }

  const upTo = Number(options.walk);
  if (upTo > 0 && only.has('walk')) {
    bench.say('all pages …');
    console.log(`
${await walk(api, 200, upTo)}`);
  }
  const one = { attendee_type: 'adult', days: ['d1'], first_name: 'One', last_name: 'More', email: 'one@example.org' };
  const at = performance.now();
  await call(turnout.url, key, 'POST', `${EVENT}/registrations`, { attendees: [one] });
  console.log(`one more registration takes ${ms(performance.now() - at)}`);
  console.log(`
${Math.round((performance.now() - started) / 1000)} s`);
});
