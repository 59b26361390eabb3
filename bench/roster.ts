// Bench: what a scanner downloads at an event of 200,000 people: the whole roster, its changes, the manifest; the server's memory
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { Client } from 'undici';
import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { toUuid } from '../server/src/common/ids.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { fill } from './lists-fill.ts';
import { type Bench, benchmark, busy, machine, median, ms, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    /** The size of a small event, which shows what does not depend on the size. */
    few: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '100' },
    downloads: { type: 'string', default: '3' },
  },
});
const [people, few, calls, downloads] = [options.people, options.few, options.calls, options.downloads].map(Number) as [
  number,
  number,
  number,
  number,
];
const CHANGES = 10;
const HOUR = 3_600_000;

/** Makes an organization with one event that has this many people and a gate that is open now. */
interface Full {
  code: string;
  people: number;
  key: string;
  client: Client;
}
interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  took: number;
}

async function fullEvent(bench: Bench, turnout: BenchTurnout, code: string, size: number): Promise<Full> {
  const { id: org, key } = await turnout.org(code);
  await turnout.system(async (tx) => {
    await setPlan(tx, await acrossOrganizationsFind(tx, code), undefined, [['attendees_per_event', '2000000']]);
  });
  const make = async (path: string, body: object) =>
    toUuid((await call<{ id: string }>(turnout.url, key, 'POST', `/v1/events${path}`, body)).id);
  const event = await make('', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  const now = Date.now();
  const open = {
    date: new Date(now).toISOString().slice(0, 10),
    opens_at: new Date(now - 12 * HOUR).toISOString(),
    closes_at: new Date(now + 12 * HOUR).toISOString(),
  };
  const days = [await make('/fair/days', { code: 'd1', ...open }), await make('/fair/days', { code: 'd2', ...open })];
  const types = [await make('/fair/attendee-types', { code: 'adult', name: 'Adult' })];
  await make('/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await call(turnout.url, key, 'POST', '/v1/events/fair/publish');
  const at = performance.now();
  await fill({ url: turnout.adminUrl, org, event, days, types, attendees: size });
  bench.say(`${whole(size)} people after ${Math.round((performance.now() - at) / 1000)} s`);
  const client = new Client(turnout.url, { bodyTimeout: 300_000, headersTimeout: 300_000 });
  bench.later(() => client.destroy());
  return { code, people: size, key, client };
}

async function get(from: Full, path: string, headers: Record<string, string> = {}): Promise<Answered> {
  const at = performance.now();
  const answer = await from.client.request({
    path,
    method: 'GET',
    headers: { authorization: `Bearer ${from.key}`, ...headers },
  });
  const body = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode >= 400) throw new Error(`${path}: ${answer.statusCode} ${body.toString()}`);
  return { status: answer.statusCode, headers: answer.headers, body, took: performance.now() - at };
}

const MANIFEST = '/api/v1/events/fair/scan/manifest';
interface Manifest {
  roster: { url: string; as_of: string; count: number };
}
const manifestOf = async (of: Full): Promise<Manifest> => JSON.parse((await get(of, MANIFEST)).body.toString());

/** Resident memory of the server, from /proc. */
function rssOf(pid: number): number | null {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
  } catch {
    return null;
  }
}
const seconds = (from: number | null | undefined, to: number | null | undefined): string =>
  from == null || to == null ? '–' : `${((to - from) / 1000).toFixed(1)} s`;
const MB = (bytes: number | null): string => (bytes === null ? '–' : `${(bytes / 1_000_000).toFixed(1)} MB`);

/** Downloads the whole roster by its link; measures the server's memory before and at its highest, and how long another scanner waits. */
async function download(turnout: BenchTurnout, of: Full, other: Full, encoding: string): Promise<string[]> {
  const { roster } = await manifestOf(of);
  const etag = String((await get(other, MANIFEST)).headers.etag);
  const before = rssOf(turnout.pid);
  let highest = before;
  const sampling = setInterval(() => {
    const now = rssOf(turnout.pid);
    if (now !== null && now > highest!) highest = now;
  }, 10);
  let going = true;
  const waits: number[] = [];
  const meanwhile = (async () => {
    while (going) {
      waits.push((await get(other, MANIFEST, { 'if-none-match': etag })).took);
      await pause(20);
    }
  })();
  const cpu = () => [cpuOf(turnout.pid), turnout.databasePid === null ? null : cpuOfFamily(turnout.databasePid)];
  const [server, database] = cpu();
  const answer = await get(of, new URL(roster.url).pathname, { 'accept-encoding': encoding });
  const [serverAfter, databaseAfter] = cpu();
  going = false;
  clearInterval(sampling);
  await meanwhile;
  const text = encoding === 'gzip' ? gunzipSync(answer.body) : answer.body;
  const { data } = JSON.parse(text.toString()) as { data: { code_sha256: string }[] };
  const different = new Set(data.map((entry) => entry.code_sha256)).size;
  if (data.length !== roster.count || different !== roster.count)
    throw new Error(`The roster has ${data.length} entries, ${different} different ones, for ${roster.count} tickets.`);
  waits.sort((a, b) => a - b);
  return [
    `${whole(of.people)} people, ${encoding === 'gzip' ? 'gzip' : 'plain'}`,
    seconds(0, answer.took),
    seconds(server, serverAfter),
    seconds(database, databaseAfter),
    MB(answer.body.length),
    MB(before),
    MB(highest),
    ms(median(waits)),
    ms(waits[Math.floor(waits.length * 0.99)]!),
  ];
}

/** Admits ten people, then asks again and again for what changed since the first of them. */
async function since(turnout: BenchTurnout, of: Full): Promise<number> {
  const { rows } = await onDatabase(turnout, (client) =>
    client.query<{ code: string }>(
      `select t.code from tickets t join organizations o on o.id = t.org_id
       where o.code = $1 and t.status = 'valid' order by t.id limit $2`,
      [of.code, CHANGES],
    ),
  );
  let as_of = '';
  for (const [i, { code }] of rows.entries()) {
    const scan = { code, check_in_point: 'gate', client_uuid: randomUUID() };
    const { result } = await call<{ result: string }>(turnout.url, of.key, 'POST', '/v1/events/fair/scan', scan);
    if (result !== 'accepted') throw new Error(`A scan was ${result} instead of accepted.`);
    if (i === 0) as_of = (await manifestOf(of)).roster.as_of;
  }
  const path = `/api/v1/events/fair/scan/roster?since=${encodeURIComponent(as_of)}`;
  const times: number[] = [];
  for (let n = 0; n < calls; n += 1) {
    const answer = await get(of, path);
    times.push(answer.took);
    const { data } = JSON.parse(answer.body.toString()) as { data: unknown[] };
    if (data.length !== CHANGES) throw new Error(`${data.length} entries changed instead of ${CHANGES}.`);
  }
  return median(times);
}

async function onDatabase<T>(turnout: BenchTurnout, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: turnout.adminUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** How many statements a call needs, without those that find and count the API key and those that begin and end the transaction. */
function queriesOf(turnout: BenchTurnout, work: () => Promise<unknown>): Promise<number> {
  return onDatabase(turnout, async (client) => {
    await client.query('select pg_stat_statements_reset()');
    for (let n = 0; n < calls; n += 1) await work();
    const { rows } = await client.query<{ n: string }>(
      `select coalesce(sum(calls), 0) as n from pg_stat_statements
       where toplevel and query !~* '^(begin|commit|set|select pg_stat|select pg_catalog)' and query !~ 'directory[.]'`,
    );
    return Number(rows[0]!.n) / calls;
  });
}

async function manifests(turnout: BenchTurnout, of: Full): Promise<string[][]> {
  const { etag } = (await get(of, MANIFEST)).headers;
  const rows: string[][] = [];
  for (const [name, status, headers] of [
    ['200', 200, {}],
    ['304', 304, { 'if-none-match': String(etag) }],
  ] as const) {
    const times: number[] = [];
    for (let n = 0; n < calls; n += 1) {
      const answer = await get(of, MANIFEST, headers);
      if (answer.status !== status)
        throw new Error(`The manifest was answered with ${answer.status} instead of ${status}.`);
      times.push(answer.took);
    }
    const queries = await queriesOf(turnout, () => get(of, MANIFEST, headers));
    rows.push([`manifest ${name}, ${whole(of.people)} people`, ms(median(times)), queries.toFixed(1)]);
  }
  return rows;
}

await benchmark(async (bench) => {
  const started = performance.now();
  const noise = busy();
  const turnout = await startBenchTurnout(bench, { settings: { shared_preload_libraries: 'pg_stat_statements' } });
  await onDatabase(turnout, (client) => client.query('create extension pg_stat_statements'));
  const small = await fullEvent(bench, turnout, 'few', few);
  const big = await fullEvent(bench, turnout, 'many', people);
  console.log(`\n${machine()}${noise === null ? '' : `\n${noise}`}\n`);

  bench.say('the whole roster …');
  await download(turnout, small, big, 'identity');
  const loads: string[][] = [];
  for (const encoding of ['identity', 'gzip']) {
    for (let n = 0; n < downloads; n += 1) loads.push(await download(turnout, big, small, encoding));
  }
  console.log(
    table(
      [
        'the whole roster',
        'time',
        'CPU server',
        'CPU database',
        'size',
        'RSS before',
        'RSS highest',
        'others wait',
        'p99',
      ],
      loads,
    ),
    '\nothers: how long another scanner waits that asks for its manifest every 20 ms meanwhile (answered 304)\n',
  );

  bench.say('changes of the roster …');
  const [ofFew, ofMany] = [await since(turnout, small), await since(turnout, big)];
  console.log(
    table(
      [`roster?since, ${CHANGES} changes`, `median of ${calls}`],
      [
        [`${whole(few)} people`, ms(ofFew)],
        [`${whole(people)} people`, ms(ofMany)],
        ['times as much', (ofMany / ofFew).toFixed(2)],
      ],
    ),
    '\n',
  );

  bench.say('manifests …');
  const rows = [...(await manifests(turnout, small)), ...(await manifests(turnout, big))];
  console.log(table(['', `median of ${calls}`, 'queries'], rows));
  console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
});
