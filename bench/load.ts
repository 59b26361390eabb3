import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './support.ts';

/** Closed-loop load: each connection sends its next request when the last one was answered. */
export interface Load {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: unknown;
  connections: number;
  seconds: number;
}

export interface Measured {
  /** How many answers had a status below 400, and how many of them came a second. */
  answers: number;
  perSecond: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
}

/** What wrk's script, or our client, prints as its last line. */
export interface Counted {
  answers: number;
  refused: number;
  broken: number;
  seconds: number;
  p50: number;
  p99: number;
}

export interface Generator<L, R> {
  name: string;
  run(load: L): Promise<R>;
}

/**
 * Runs a load with wrk, where it is or can be installed: written in C, it leaves the two cores to what is measured (autocannon
 * takes most of one). Else with a small client of ours in a process of its own. Both sides of a comparison always get the same.
 * `script` is the load as a script for wrk; `prefix` begins Idempotency-Keys that no other run uses.
 */
export function loadRunner<L extends { url: string; connections: number; seconds: number }>(
  bench: Bench,
  script: (load: L, prefix: string) => string,
): Generator<L, Counted> {
  const wrk = findWrk(bench);
  const folder = bench.folder();
  let runs = 0;
  const once = (load: L): Promise<Counted> => {
    runs += 1;
    const file = join(folder, `load-${runs}`);
    const prefix = `${process.pid}-${runs}-`;
    if (wrk) {
      writeFileSync(file, script(load, prefix));
      const args = ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s', '-s', file, load.url];
      return output(bench, 'wrk', args, load.seconds);
    }
    writeFileSync(file, JSON.stringify({ ...load, prefix }));
    const client = fileURLToPath(new URL('load-client.ts', import.meta.url));
    return output(bench, process.execPath, [client, file], load.seconds);
  };
  return {
    name: wrk ? 'wrk' : 'undici (wrk is not installed)',
    run: async (load) => {
      requireLoopback(load.url);
      let counted = await once(load);
      // Not a single answer, refusal or error: the machine, not the server, stood still. So it is tried once more.
      if (counted.answers + counted.refused + counted.broken === 0) counted = await once(load);
      const { answers, refused, broken } = counted;
      if (refused > 0 || broken > 0 || answers === 0) {
        throw new Error(
          `${load.url}: ${answers} answers, ${refused} refusals, ${broken} connections broken or too slow`,
        );
      }
      return counted;
    },
  };
}

/** A load that sends the same request again and again. */
export function generator(bench: Bench): Generator<Load, Measured> {
  const { name, run } = loadRunner(bench, script);
  return {
    name,
    run: async (load) => {
      const { answers, seconds, p50, p99 } = await run(load);
      return { answers, perSecond: answers / seconds, p50, p99 };
    },
  };
}

/** Whether wrk is there; it is installed where that can be done. */
function findWrk(bench: Bench): boolean {
  if (!hasWrk()) installWrk(bench);
  return hasWrk();
}

const hasWrk = (): boolean => {
  const tried = spawnSync('wrk', ['-v'], { stdio: 'ignore' });
  return tried.error === undefined;
};

function installWrk(bench: Bench): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  bench.say('installing wrk (apt-get) …');
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'wrk'], {
    stdio: 'ignore',
    timeout: 60_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function requireLoopback(url: string): void {
  const { hostname } = new URL(url);
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
    throw new Error(`Load is sent to this machine only, not to ${url}.`);
}

/** JSON writes a string without control characters as Lua does. */
const lua = (text: string): string => JSON.stringify(text);

/** wrk runs this in one thread, so one counter gives every request its own Idempotency-Key. */
const script = ({ method = 'GET', headers = {}, body }: Load, prefix: string): string => `
wrk.method = ${lua(method)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
  .join('\n')}
${body === undefined ? '' : `wrk.headers["Content-Type"] = "application/json"\nwrk.body = ${lua(JSON.stringify(body))}`}
${
  method === 'GET'
    ? ''
    : `
local sent = 0
function request()
  sent = sent + 1
  wrk.headers["Idempotency-Key"] = ${lua(prefix)} .. sent
  return wrk.format()
end`
}
${printCounted('summary.duration / 1e6')}
`;

/** Lua that prints what was counted, as `Counted`; `seconds` is how long the load ran. */
export const printCounted = (seconds: string): string => `
function done(summary, latency)
  local e = summary.errors
  print(string.format('{"answers":%d,"refused":%d,"broken":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f}',
    summary.requests - e.status, e.status, e.connect + e.read + e.write + e.timeout, ${seconds},
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end`;

function output(bench: Bench, command: string, args: string[], seconds: number): Promise<Counted> {
  return new Promise((resolve, reject) => {
    let child: ChildProcess | undefined;
    bench.later(() => child?.kill('SIGKILL'));
    child = spawn(command, args, { stdio: ['ignore', 'pipe', 2], timeout: (seconds + 30) * 1000 });
    const text: Buffer[] = [];
    child.stdout!.on('data', (chunk: Buffer) => text.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const last = Buffer.concat(text).toString().trim().split('\n').at(-1) ?? '';
      if (code === 0 && last.startsWith('{')) resolve(JSON.parse(last));
      else reject(new Error(`${command} ended (${signal ?? code}): ${last}`));
    });
  });
}
