import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counted, type Load, loadRunner, printCounted } from './load.ts';
import type { BareAnswer } from './peers/pages-bare.ts';
import { type Bench, median, ms, table, whole } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

/** Our answers a second, divided by the bare route's: at least. */
const LIMIT = 0.5;

/** Each request comes from another address, as a proxy in front would say it. */
const fromEverywhere = ({ headers = {} }: Load): string => `
wrk.method = "GET"
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join('\n')}
local sent = 0
function request()
  sent = sent + 1
  wrk.headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", math.floor(sent / 65025) % 255, math.floor(sent / 255) % 255, sent % 255 + 1)
  return wrk.format()
end
${printCounted('summary.duration / 1e6')}
`;

interface Case {
  name: string;
  path: string;
  headers: Record<string, string>;
}

/** The event page and the JSON under load, beside a bare Fastify route that returns the same bytes. */
export async function pagesUnderLoad(
  bench: Bench,
  turnout: BenchTurnout,
  event: string,
  { rounds, seconds, connections }: { rounds: number; seconds: number; connections: number },
): Promise<void> {
  const page = `/o/pages/${event}`;
  const json = `/o/pages/${event}.json`;
  const answers = await Promise.all([page, json].map((path) => answerOf(turnout.url, path)));
  const file = join(bench.folder(), 'answers.json');
  writeFileSync(file, JSON.stringify(answers));
  const bare = await bench.child<{ url: string }>('peers/pages-bare.ts', { ANSWERS: file });
  const tagOf = (path: string) => answers.find((one) => one.path === path)!.headers.etag!;
  const compressed = { 'Accept-Encoding': 'gzip', 'Accept-Language': 'en' };
  const cases: Case[] = [
    { name: 'event page', path: page, headers: compressed },
    { name: 'event JSON', path: json, headers: compressed },
    { name: 'event page, 304', path: page, headers: { ...compressed, 'If-None-Match': tagOf(page) } },
    { name: 'event JSON, 304', path: json, headers: { ...compressed, 'If-None-Match': tagOf(json) } },
  ];
  const { name, run } = loadRunner<Load>(bench, fromEverywhere);
  const rows: string[][] = [];
  for (const one of cases) {
    const speeds: [ours: number, theirs: number][] = [];
    const slowest: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const load = { headers: one.headers, connections, seconds };
      const ours = await run({ ...load, url: turnout.url + one.path });
      const theirs = await run({ ...load, url: bare.url + one.path });
      const speed = ({ answers: count, seconds: took }: Counted) => count / took;
      speeds.push([speed(ours), speed(theirs)]);
      slowest.push(ours.p99);
    }
    const [ours, theirs] = [median(speeds.map((pair) => pair[0])), median(speeds.map((pair) => pair[1]))];
    const ratio = ours / theirs;
    rows.push([
      one.name,
      whole(ours),
      whole(theirs),
      ms(median(slowest)),
      ratio.toFixed(2),
      String(LIMIT),
      ratio >= LIMIT ? 'met' : 'MISSED',
    ]);
  }
  console.log(
    `\nPages under load: ${connections} connections, ${seconds} s a run, median of ${rounds}, by ${name}, each request from another address`,
  );
  console.log(table(['', 'ours/s', 'bare Fastify/s', 'our p99', 'ratio', 'at least', ''], rows));
}

/** What we answer, for the peer to answer the same. */
async function answerOf(url: string, path: string): Promise<BareAnswer> {
  const response = await fetch(url + path, { headers: { 'accept-encoding': 'identity', 'accept-language': 'en' } });
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`);
  const { gzipSync } = await import('node:zlib');
  const kept = [...response.headers].filter(
    ([name]) => !/^(date|connection|keep-alive|content-length|transfer-encoding|x-request-id)$/.test(name),
  );
  const body = gzipSync(Buffer.from(await response.arrayBuffer()));
  return { path, body: body.toString('base64'), headers: { ...Object.fromEntries(kept), 'content-encoding': 'gzip' } };
}
