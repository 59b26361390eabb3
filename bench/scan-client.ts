import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'undici';
import type { ScanLoad, Scanned } from './scan-load.ts';

/** Stands in for wrk where it cannot be had: one undici client a connection, no pipelining. */
const load = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ScanLoad;
const { origin, pathname } = new URL(load.url);
const codes = readFileSync(load.codes, 'utf8').trimEnd().split('\n');
const counted: Scanned = { answers: 0, refused: 0, broken: 0, seconds: 0, p50: 0, p99: 0 };
const times: number[] = [];
let next = 0;
const started = performance.now();
const until = started + load.seconds * 1000;

const scan = () => ({ code: codes[next++], check_in_point: 'gate', client_uuid: randomUUID() });

async function ask(client: Client): Promise<void> {
  while (performance.now() < until && next + load.batch <= codes.length) {
    const body = JSON.stringify(load.batch === 1 ? scan() : { scans: Array.from({ length: load.batch }, scan) });
    const headers = {
      authorization: `Bearer ${load.key}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const at = performance.now();
    try {
      const answer = await client.request({ path: pathname, method: 'POST', headers, body });
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
