import { readFileSync } from 'node:fs';
import { Client } from 'undici';
import type { Counted, Load } from './load.ts';

/** Stands in for wrk where it cannot be had: one undici client a connection, no pipelining. */
const load = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Load & { prefix: string };
const { origin, pathname, search } = new URL(load.url);
const method = load.method ?? 'GET';
const body = load.body === undefined ? null : JSON.stringify(load.body);
const headers = { ...load.headers, ...(body !== null && { 'content-type': 'application/json' }) };
const counted: Counted = { answers: 0, refused: 0, broken: 0, seconds: 0, p50: 0, p99: 0 };
const times: number[] = [];
let sent = 0;
const started = performance.now();
const until = started + load.seconds * 1000;

async function ask(client: Client): Promise<void> {
  while (performance.now() < until) {
    const at = performance.now();
    sent += 1;
    try {
      const own = method === 'GET' ? headers : { ...headers, 'idempotency-key': `${load.prefix}${sent}` };
      const answer = await client.request({ path: pathname + search, method, headers: own, body });
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
