// Bench: scans and registrations of one event at the same time, in one process and in two, beside each of them alone and pgbench
import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { NODE_FLAGS } from '../scripts/node-flags.mjs';
import { toUuid } from '../server/src/common/ids.ts';
import { type Counted, loadRunner, printCounted } from './load.ts';
import { findPgbench, pgbenchPeer } from './peers/rush-pgbench.ts';
import { scanPeer } from './peers/scan-pgbench.ts';
import { checkAdmissions, countRows } from './scan-check.ts';
import { arrival, ticketCode, writeCodes } from './scan-fill.ts';
import { type Gate, open, openGate } from './scan-hall.ts';
import { scanGenerator } from './scan-load.ts';
import { type Bench, benchmark, busy, machine, median, ms, roundsOf, table, whole } from './support.ts';
import { call, POOL_SIZE } from './turnout.ts';

/** Calls of both kinds together, divided by those of the slower kind alone: at least. */
const LIMIT = 0.7;
const TICKETS = 200_000;
/** No process answers more scans in a second. */
const MAX_SCANS_PER_SECOND = 5_000;
const PEER_CLIENTS = 16;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    /** Of all processes together. */
    connections: { type: 'string', default: '64' },
  },
});
const rounds = roundsOf(options.rounds);
const seconds = Number(options.seconds);
const connections = Number(options.connections);

const KINDS = ['scans', 'registrations', 'mixed'] as const;
type Kind = (typeof KINDS)[number];

interface Load {
  url: string;
  key: string;
  kind: Kind;
  codes: string;
  connections: number;
  seconds: number;
}

/** Of mixed calls every second one registers somebody. */
const script = ({ key, kind, codes }: Load, prefix: string): string => `
wrk.headers["Authorization"] = "Bearer ${key}"
wrk.headers["Content-Type"] = "application/json"
local sent = 0
local codes = io.open(${JSON.stringify(codes)})
local function scan()
  return '{"code":"' .. codes:read() .. '","check_in_point":"gate","client_uuid":"' ..
    string.format("%08x-0000-4000-8000-%012x", ${Number.parseInt(randomBytes(4).toString('hex'), 16)}, sent) .. '"}'
end
local function register()
  return '{"attendees":[{"attendee_type":"adult","first_name":"Ada","last_name":"Walker ' .. sent .. '"}]}'
end
function request()
  sent = sent + 1
  wrk.headers["Idempotency-Key"] = "${prefix}" .. sent
  local registers = ${kind === 'mixed' ? 'sent % 2 == 0' : kind === 'registrations'}
  if registers then return wrk.format("POST", "/v1/events/hall/registrations", nil, register()) end
  return wrk.format("POST", "/v1/events/hall/scan", nil, scan())
end
${printCounted('summary.duration / 1e6')}
`;

type Speed = Pick<Counted, 'p50' | 'p99'> & { perSecond: number };

/** The same load at every process, with its part of the connections. */
async function run(
  gate: Gate,
  urls: readonly string[],
  kind: Kind,
  load: (one: Load) => Promise<Counted>,
): Promise<Speed> {
  const answered = await Promise.all(
    urls.map((url, i) => {
      const codes = `${gate.codes}-${i}`;
      const many = seconds * MAX_SCANS_PER_SECOND;
      writeCodes(codes, gate.tickets, gate.come + i * many, gate.come + (i + 1) * many);
      return load({ url, key: gate.key, kind, codes, seconds, connections: connections / urls.length });
    }),
  );
  gate.come += urls.length * seconds * MAX_SCANS_PER_SECOND;
  const perSecond = answered.reduce((sum, one) => sum + one.answers / one.seconds, 0);
  return {
    perSecond,
    p50: Math.max(...answered.map((one) => one.p50)),
    p99: Math.max(...answered.map((one) => one.p99)),
  };
}

/** What pgbench does of each kind with statements that have no HTTP and no rules. */
async function peers(
  bench: Bench,
  gate: Gate,
  startWorker: () => Promise<unknown>,
): Promise<[name: string, perSecond: number][]> {
  const program = findPgbench(bench);
  if (program === null) return [];
  const { turnout, hall, key } = gate;
  await open(gate, TICKETS);
  const body = { code: ticketCode(arrival(0, TICKETS)), check_in_point: 'gate', client_uuid: randomUUID() };
  const ada = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Visitor 1', email: 'visitor1@example.org' };
  const made = await call<{ id: string }>(turnout.url, key, 'POST', '/v1/events/hall/registrations', {
    attendees: [ada],
  });
  const where = { url: turnout.adminUrl, org: hall.org, event: hall.event, registration: toUuid(made.id) };
  // The peers copy what Turnout writes: of a registration an occurrence that waits for the relay, of a scan one that it has taken.
  const registrations = await pgbenchPeer(bench, program, where, made.id);
  await startWorker();
  await call(turnout.url, key, 'POST', '/v1/events/hall/scan', body);
  await countRows(turnout, hall);
  const scans = await scanPeer(bench, program, hall, TICKETS);
  bench.say(`pgbench, ${PEER_CLIENTS} clients …`);
  return [
    ['pgbench, one statement a scan', (await scans.run('bare', PEER_CLIENTS, seconds, 1)).perSecond],
    ['pgbench, one transaction a registration', await registrations.run(PEER_CLIENTS, 'plain', seconds)],
  ];
}

await benchmark(async (bench) => {
  const warning = busy();
  const env = { SECRET_KEY: randomBytes(32).toString('base64'), ROLES: 'api', FILES_URL: bench.folder() };
  const gate = await openGate(bench, scanGenerator(bench), { webhooks: 'paused', embedded: false, env });
  const again = { ...env, DATABASE_URL: gate.turnout.databaseUrl, PORT: '0', DATA_DIR: bench.folder() };
  const settings = { LOG_LEVEL: 'warn', SANDBOX: 'off', DATABASE_POOL: String(POOL_SIZE) };
  const startAnother = (roles: string) =>
    bench.child<{ url: string }>('server.ts', { ...again, ...settings, ROLES: roles }, [...NODE_FLAGS]);
  const second = await startAnother('api');
  const load = loadRunner(bench, script);
  console.log(
    `\n${machine()}; ${connections} connections, ${seconds} s, median of ${rounds} rounds; ${load.name}${warning === null ? '' : `\nNote: ${warning}`}\n`,
  );
  const ran = new Map<string, Speed[]>();
  const hosts = [[gate.turnout.url], [gate.turnout.url, second.url]];
  for (let round = 1; round <= rounds; round += 1) {
    for (const urls of hosts) {
      for (const kind of KINDS) {
        bench.say(`round ${round} of ${rounds}: ${kind}, ${urls.length} processes …`);
        await open(gate, TICKETS);
        const name = `${urls.length} ${kind}`;
        ran.set(name, [...(ran.get(name) ?? []), await run(gate, urls, kind, load.run)]);
        bench.say(await checkAdmissions(gate.turnout, gate.hall));
      }
    }
  }
  const of = (name: string, pick: (one: Speed) => number) => median(ran.get(name)!.map(pick));
  const speed = (name: string) => of(name, (one) => one.perSecond);
  const rows = hosts.flatMap(({ length }) =>
    KINDS.map((kind) => {
      const name = `${length} ${kind}`;
      const slower = Math.min(speed(`${length} scans`), speed(`${length} registrations`));
      const ratio = speed(name) / slower;
      const verdict =
        kind === 'mixed' ? [ratio.toFixed(2), `at least ${LIMIT}`, ratio >= LIMIT ? 'met' : 'MISSED'] : ['', '', ''];
      return [
        `${kind}, ${length === 1 ? 'one process' : 'two processes'}`,
        whole(speed(name)),
        ms(of(name, (one) => one.p50)),
        ms(of(name, (one) => one.p99)),
        ...verdict,
      ];
    }),
  );
  console.log(table(['', 'calls/s', 'p50', 'p99', 'to the slower', 'limit', ''], rows));
  const bare = await peers(bench, gate, () => startAnother('api,worker'));
  console.log(
    table(
      ['beside it', 'calls/s'],
      bare.map(([name, perSecond]) => [name, whole(perSecond)]),
    ),
  );
});
