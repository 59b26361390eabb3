import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { Authority } from '../test/support/receivers.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { type Asked, checkRows, countRows } from './scan-check.ts';
import { type Hall, refill, writeCodes } from './scan-fill.ts';
import type { ScanGenerator } from './scan-load.ts';
import type { Bench } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** What happens with occurrences: they are sent to a receiver on loopback, or kept for an endpoint that is paused. */
export type Webhooks = 'sent' | 'paused';

/** A Turnout as `npm start` runs it, with an event that takes place now and one check-in point. */
export interface Gate {
  turnout: BenchTurnout;
  hall: Hall;
  key: string;
  tickets: number;
  /** How many people have arrived. */
  come: number;
  load: ScanGenerator;
  codes: string;
}

export interface GateOptions {
  webhooks: Webhooks;
  profile?: string | undefined;
  /** Further settings of the server. */
  env?: Record<string, string>;
  /** Whether the server owns its database, as `npm start` runs it; else others can serve beside it. */
  embedded?: boolean;
}

export async function openGate(bench: Bench, load: ScanGenerator, options: GateOptions): Promise<Gate> {
  const folder = bench.folder();
  const receiver = options.webhooks === 'sent' ? await listen(bench, folder) : null;
  const turnout = await startBenchTurnout(bench, {
    embedded: options.embedded ?? true,
    env: {
      ROLES: 'api,worker',
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      ...(receiver && { WEBHOOK_CA_FILE: receiver.ca }),
      ...options.env,
    },
    ...(options.profile !== undefined && { nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] }),
  });
  const { id: org, key } = await turnout.org('ours');
  const make = async (path: string, body?: object) =>
    (await call<{ id: string }>(turnout.url, key, 'POST', `/v1${path}`, body)).id;
  const now = Date.now();
  const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();
  const event = await make('/events', { code: 'hall', name: 'Hall', timezone: 'UTC' });
  const day = await make('/events/hall/days', {
    code: 'd1',
    date: hours(0).slice(0, 10),
    opens_at: hours(-12),
    closes_at: hours(12),
  });
  const type = await make('/events/hall/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/hall/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/hall/publish');
  const endpoint = await make('/webhooks', { url: `https://127.0.0.1:${receiver?.port ?? 9}/hook`, events: ['*'] });
  if (receiver === null) await make(`/webhooks/${endpoint}/pause`);
  const hall = { url: turnout.adminUrl, org, event: toUuid(event), day: toUuid(day), type: toUuid(type) };
  return { turnout, hall, key, tickets: 0, come: 0, load, codes: join(folder, 'codes') };
}

async function listen(bench: Bench, folder: string): Promise<{ ca: string; port: number }> {
  const authority = await Authority.make();
  const { key, cert } = await authority.issue(['127.0.0.1']);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.pem);
  const env = { KEY: key, CERT: cert, RECEIVERS: '1' };
  const { ports } = await bench.child<{ ports: number[] }>('webhooks-receiver.ts', env);
  return { ca, port: ports[0]! };
}

/** Fills the event anew: no ticket has been scanned. */
export async function open(gate: Gate, tickets: number): Promise<void> {
  await refill(gate.hall, tickets);
  gate.tickets = tickets;
  gate.come = 0;
}

/** `node` and `database`: CPU time a scan in microseconds, of the Node process and of PostgreSQL. */
export interface Ran {
  perSecond: number;
  p50: number;
  p99: number;
  node: number;
  database: number;
}

export interface Crowd {
  connections: number;
  seconds: number;
  /** How many scans a request has. */
  batch?: number;
  /** The codes that are scanned; by default, tickets that were not scanned before. */
  codes?: readonly string[];
  known?: boolean;
}

const MAX_SCANS_PER_SECOND = 20_000;

/** Runs a load of scans and checks the rows in the database afterwards. */
export async function run(gate: Gate, crowd: Crowd): Promise<Ran> {
  const { turnout, hall, key, load, codes } = gate;
  const { connections, seconds, batch = 1, known = true } = crowd;
  const at = gate.come;
  if (crowd.codes === undefined) {
    writeCodes(codes, gate.tickets, at, Math.min(gate.tickets, at + seconds * MAX_SCANS_PER_SECOND));
  } else writeFileSync(codes, `${crowd.codes.join('\n')}\n`);
  const before = await countRows(turnout, hall);
  const cpu = () => [cpuOf(turnout.pid) ?? 0, cpuOfFamily(turnout.databasePid ?? 0) ?? 0] as const;
  const path = batch === 1 ? '/v1/events/hall/scan' : '/api/v1/events/hall/scan/batch';
  const [node, database] = cpu();
  const scanned = await load.run({ url: turnout.url + path, key, codes, batch, connections, seconds });
  const [nodeAfter, databaseAfter] = cpu();
  const after = await countRows(turnout, hall);
  const asked: Asked = { answers: scanned.answers, connections, batch, known };
  checkRows(before, after, asked);
  if (crowd.codes === undefined) gate.come = at + after.scans - before.scans + connections * batch;
  await idle(turnout);
  const scans = scanned.answers * batch;
  const each = (spent: number) => (spent * 1000) / scans;
  return {
    perSecond: scans / scanned.seconds,
    p50: scanned.p50,
    p99: scanned.p99,
    node: each(nodeAfter - node),
    database: each(databaseAfter - database),
  };
}

/** Waits until all webhooks were sent, so that they do not disturb the next measurement. */
async function idle(turnout: BenchTurnout): Promise<void> {
  for (;;) {
    const { due } = await turnout.system((tx) =>
      tx.one<{ due: number }>(sql`
        select count(*) as due from webhook_queue q join webhook_endpoints e on e.org_id = q.org_id and e.id = q.endpoint_id
        where e.status not like ${'paused%'}`),
    );
    if (due === 0) return;
    await sleep(100);
  }
}
