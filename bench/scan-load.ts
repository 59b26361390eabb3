import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findWrk } from './load.ts';
import type { Bench } from './support.ts';

/** Closed-loop load of scans: each request has a ticket code of its own, a `client_uuid` and an `Idempotency-Key`. */
export interface ScanLoad {
  /** Of the scan or of the batch. */
  url: string;
  key: string;
  /** A file of codes, one a line, taken from the top. The load ends when it is used up. */
  codes: string;
  /** Scans a request; more than one is an upload of a batch. */
  batch: number;
  connections: number;
  seconds: number;
}

export interface Scanned {
  /** Answers below 400; times `batch` are scans. */
  answers: number;
  refused: number;
  broken: number;
  seconds: number;
  p50: number;
  p99: number;
}

export interface ScanGenerator {
  name: string;
  run(load: ScanLoad): Promise<Scanned>;
}

/** wrk, else a client of ours: see load.ts. */
export function scanGenerator(bench: Bench): ScanGenerator {
  const wrk = findWrk(bench);
  const file = join(bench.folder(), 'load');
  return {
    name: wrk ? 'wrk' : 'undici (wrk is not installed)',
    run: async (load) => {
      if (new URL(load.url).hostname !== '127.0.0.1') throw new Error(`load goes to this machine only: ${load.url}`);
      writeFileSync(file, wrk ? script(load) : JSON.stringify(load));
      const args = wrk
        ? ['-t1', `-c${load.connections}`, `-d${load.seconds}s`, '--timeout', '10s', '-s', file, load.url]
        : [fileURLToPath(new URL('scan-client.ts', import.meta.url)), file];
      const once = () => output(bench, wrk ? 'wrk' : process.execPath, args, load.seconds);
      let scanned = await once();
      // A machine that stands still for a second is not a server that does not answer.
      if (scanned.answers + scanned.refused + scanned.broken === 0) scanned = await once();
      const { answers, refused, broken } = scanned;
      if (refused > 0 || broken > 0 || answers === 0) {
        throw new Error(
          `${load.url}: ${answers} answers, ${refused} refusals, ${broken} connections broken or too slow`,
        );
      }
      return scanned;
    },
  };
}

/** `wrk` measures over the whole time it was given, so the end of the codes is timed here. */
const script = (load: ScanLoad): string => `
local ffi = require("ffi")
ffi.cdef[[ typedef struct { long s; long us; } turnout_time; int gettimeofday(turnout_time *t, void *zone); ]]
local function now()
  local t = ffi.new("turnout_time")
  ffi.C.gettimeofday(t, nil)
  return tonumber(t.s) + tonumber(t.us) / 1e6
end
local thread
function setup(t) thread = t end

function init()
  math.randomseed(${randomInt(2 ** 31)})
  codes = io.open(${JSON.stringify(load.codes)})
  began = now()
  ended = 0
end
wrk.method = "POST"
wrk.headers["Authorization"] = "Bearer ${load.key}"
wrk.headers["Content-Type"] = "application/json"

local function uuid()
  local r = math.random
  return string.format("%08x-%04x-4%03x-8%03x-%06x%06x", r(0, 0x7fffffff), r(0, 0xffff), r(0, 0xfff), r(0, 0xfff),
    r(0, 0xffffff), r(0, 0xffffff))
end
local function scan()
  local code = codes:read()
  return code and string.format('{"code":"%s","check_in_point":"gate","client_uuid":"%s"}', code, uuid())
end
${load.batch === 1 ? SINGLE : several(load.batch)}
function request()
  local asked = body()
  if asked == nil then
    if ended == 0 then ended = now() end
    wrk.thread:stop()
    return wrk.format("GET", "/")
  end
  wrk.headers["Idempotency-Key"] = uuid()
  return wrk.format(nil, nil, nil, asked)
end
function done(summary, latency)
  local e = summary.errors
  local ended = thread:get("ended")
  local seconds = ended == 0 and summary.duration / 1e6 or ended - thread:get("began")
  print(string.format('{"answers":%d,"refused":%d,"broken":%d,"seconds":%.3f,"p50":%.3f,"p99":%.3f}',
    summary.requests - e.status, e.status, e.connect + e.read + e.write + e.timeout, seconds,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3))
end
`;

const SINGLE = 'local body = scan';
const several = (count: number): string => `
local function body()
  local scans = {}
  for i = 1, ${count} do
    scans[i] = scan()
    if scans[i] == nil then return nil end
  end
  return '{"scans":[' .. table.concat(scans, ",") .. ']}'
end`;

function output(bench: Bench, command: string, args: string[], seconds: number): Promise<Scanned> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 2], timeout: (seconds + 30) * 1000 });
    bench.later(() => child.kill('SIGKILL'));
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
