import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'undici';
import type { Counted, Load } from './load.ts';
import type { ScanLoad } from './scan-load.ts';

/**
 * Makes the load of load.ts and scan-load.ts where wrk cannot be had: one undici client a connection, without pipelining. The
 * load is the JSON file that is named on the command line; the last line of the output is what was counted.
 */
interface Request {
  headers: Record<string, string>;
  body: string | null;
}
const load = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as (Load & { prefix: string }) | ScanLoad;
const { origin, pathname, search } = new URL(load.url);

/** The same request each time; a POST has an Idempotency-Key of its own. */
function sameRequest({ method = 'GET', headers, body, prefix }: Load & { prefix: string }) {
  const text = body === undefined ? null : JSON.stringify(body);
  const always = { ...headers, ...(text !== null && { 'content-type': 'application/json' }) };
  let sent = 0;
  return (): Request => {
    sent += 1;
    return { headers: method === 'GET' ? always : { ...always, 'idempotency-key': `${prefix}${sent}` }, body: text };
  };
}

/** A scan, or a batch of them, of the next codes; null when they are used up. */
function nextScan({ codes: file, key, batch }: ScanLoad) {
  const codes = readFileSync(file, 'utf8').trimEnd().split('\n');
  let next = 0;
  const scan = () => ({ code: codes[next++], check_in_point: 'gate', client_uuid: randomUUID() });
  return (): Request | null => {
    if (next + batch > codes.length) return null;
    const body = JSON.stringify(batch === 1 ? scan() : { scans: Array.from({ length: batch }, scan) });
    const authorization = `Bearer ${key}`;
    return {
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body,
    };
  };
}

const nextRequest: () => Request | null = 'codes' in load ? nextScan(load) : sameRequest(load);
const method = 'codes' in load ? 'POST' : (load.method ?? 'GET');
const counted: Counted = { answers: 0, refused: 0, broken: 0, seconds: 0, p50: 0, p99: 0 };
const times: number[] = [];
const started = performance.now();
const until = started + load.seconds * 1000;

async function ask(client: Client): Promise<void> {
  while (performance.now() < until) {
    const request = nextRequest();
    if (request === null) break;
    const at = performance.now();
    try {
      const answer = await client.request({ path: pathname + search, method, ...request });
      await answer.body.dump();
      if (answer.statusCode >= 400) counted.refused += 1;
      else counted.answers += 1;
      times.push(performance.now() - at);
    } catch {
      counted.broken += 1;
    }
  }
  await client.close();
}

await Promise.all(Array.from({ length: load.connections }, () => ask(new Client(origin, { bodyTimeout: 10_000 }))));
times.sort((a, b) => a - b);
counted.seconds = (performance.now() - started) / 1000;
counted.p50 = times[Math.floor(times.length * 0.5)] ?? 0;
counted.p99 = times[Math.floor(times.length * 0.99)] ?? 0;
console.log(JSON.stringify(counted));
