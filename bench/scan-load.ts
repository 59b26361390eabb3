import { randomInt } from 'node:crypto';
import { type Counted, type Generator, loadRunner, printCounted } from './load.ts';
import type { Bench } from './support.ts';

/** Closed-loop load of scans: each request has a ticket code of its own, a `client_uuid` and an `Idempotency-Key`. */
export interface ScanLoad {
  /** Of the operation that scans one ticket, or a batch. */
  url: string;
  key: string;
  /** A file with one code a line. Each is used once, from the top; the load ends when they are used up. */
  codes: string;
  /** How many scans a request has; with more than one it is a batch. */
  batch: number;
  connections: number;
  seconds: number;
}

/** Each answer that is counted answers `batch` scans. */
export type ScanGenerator = Generator<ScanLoad, Counted>;

export const scanGenerator = (bench: Bench): ScanGenerator => loadRunner(bench, script);

/** wrk divides by the whole time it was given; where the codes are used up earlier, the script measures how long it took. */
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
local function seconds(summary)
  local ended = thread:get("ended")
  return ended == 0 and summary.duration / 1e6 or ended - thread:get("began")
end
${printCounted('seconds(summary)')}
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
