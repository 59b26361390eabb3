// Bench: import of 100,000 rows into an event of 200,000 people beside an SQL script; memory; scans of the event meanwhile
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, openAsBlob, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { toUuid } from '../server/src/common/ids.ts';
import { name, sql } from '../server/src/store/sql.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { type Filled, fillPeople, writeFiles } from './import-fill.ts';
import type { Doors } from './import-scans.ts';
import { bareCopy, runScript } from './peers/import-sql.ts';
import { type Bench, benchmark, busy, machine, median, ms, roundsOf, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** Rows a second, divided by those of the SQL script: at least. */
const LIMIT = 0.5;
/** The p99 of scans while an import runs, divided by their p99 without it: at most. */
const SCANS_LIMIT = 2;

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    /** Scans a second at the event. */
    scans: { type: 'string', default: '50' },
    /** Seconds of scans without an import, once before it and once after it. */
    alone: { type: 'string', default: '15' },
    /** How many rows are imported while people are scanned. */
    beside: { type: 'string', default: '10000' },
    only: { type: 'string', default: 'speed,memory,scans' },
    /** A folder for a CPU profile of our server. */
    profile: { type: 'string' },
  },
});
const people = Number(options.people);
const rows = Number(options.rows);
const rounds = roundsOf(options.rounds);
const only = options.only.split(',');

interface Box {
  bench: Bench;
  turnout: BenchTurnout;
  /** The file of `rows` rows, and the peer's with their keys. */
  file: string;
  keyed: string;
  serial: number;
}

interface Target extends Filled {
  key: string;
  code: string;
}

/** Makes an organization with one event that has this many people and a gate that is open now. */
async function newTarget(box: Box, count: number): Promise<Target> {
  const { turnout } = box;
  box.serial += 1;
  const code = `import-${box.serial}`;
  const { id: org, key } = await turnout.org(code);
  await turnout.system(async (tx) =>
    setPlan(tx, await acrossOrganizationsFind(tx, code), undefined, [['attendees_per_event', '999999999']]),
  );
  const make = <T>(path: string, body?: unknown) => call<T>(turnout.url, key, 'POST', path, body);
  const { id: event } = await make<{ id: string }>('/v1/events', { code, name: code });
  const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
  const today = hours(0).slice(0, 10);
  const times = { opens_at: hours(-24), closes_at: hours(48) };
  const { id: day } = await make<{ id: string }>(`/v1/events/${code}/days`, { code: 'd1', date: today, ...times });
  const { id: type } = await make<{ id: string }>(`/v1/events/${code}/attendee-types`, {
    code: 'adult',
    name: 'Adult',
  });
  await make(`/v1/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await make(`/v1/events/${code}/publish`);
  const target = { url: turnout.adminUrl, org, event: toUuid(event), day: toUuid(day), type: toUuid(type), key, code };
  await fillPeople(target, count);
  return target;
}

interface JobShape {
  id: string;
  status: string;
  error: string | null;
  counts: Record<string, number>;
}

interface Ran {
  seconds: number;
  /** The highest resident memory of our process, in megabytes. */
  memory: number;
  /** CPU time a row in microseconds, of the Node process and of PostgreSQL. */
  node: number;
  database: number;
}

/** Sends the file over HTTP and waits until its job has ended. */
async function runImport({ turnout }: Box, { code, key }: Target, file: string, count: number): Promise<Ran> {
  const cpu = () => [cpuOf(turnout.pid) ?? 0, cpuOfFamily(turnout.databasePid ?? 0) ?? 0] as const;
  const [node, database] = cpu();
  const began = performance.now();
  const answer = await fetch(`${turnout.url}/v1/events/${code}/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'idempotency-key': randomUUID() },
    body: await openAsBlob(file),
  });
  if (!answer.ok) throw new Error(await answer.text());
  let job = (await answer.json()) as JobShape;
  let memory = 0;
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(100);
    memory = Math.max(memory, residentOf(turnout.pid));
    job = await call<JobShape>(turnout.url, key, 'GET', `/v1/jobs/${job.id}`);
  }
  const seconds = (performance.now() - began) / 1000;
  if (job.status !== 'succeeded') throw new Error(`The import has status ${job.status}: ${job.error}`);
  const { created, updated, unchanged, rejected } = job.counts;
  if (created! + updated! + unchanged! !== count || rejected !== 0) throw new Error(JSON.stringify(job.counts));
  const [nodeAfter, databaseAfter] = cpu();
  const each = (spent: number) => (spent * 1000) / count;
  return { seconds, memory, node: each(nodeAfter - node), database: each(databaseAfter - database) };
}

const residentOf = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
};

const TABLES = ['contacts', 'registrations', 'attendees', 'tickets', 'ticket_people'];

/** How many rows an organization has. The script must write the rows that the import writes, otherwise they cannot be compared. */
const rowsOf = ({ turnout }: Box, { org }: Filled): Promise<string> =>
  turnout.system(async (tx) => {
    const audited = await tx.one<{ n: number }>(sql`
      select count(*)::int as n from audit_log where org_id = ${org} and action = 'people.imported' and object_kind <> 'job'`);
    const counts = [`audit_log ${whole(audited.n)}`];
    for (const one of TABLES) {
      const { n } = await tx.one<{ n: number }>(sql`select count(*)::int as n from ${name(one)} where org_id = ${org}`);
      counts.push(`${one} ${whole(n)}`);
    }
    return counts.join(', ');
  });

/** Removes the occurrences that the script wrote: nobody should send them. */
const forget = ({ turnout }: Box, { org }: Filled): Promise<number> =>
  turnout.system((tx) => tx.run(sql`delete from outbox where org_id = ${org}`));

async function speed(box: Box): Promise<void> {
  const { bench, turnout, file, keyed } = box;
  const ours: Ran[] = [];
  const theirs: number[] = [];
  const bare: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    bench.say(`${whole(rows)} rows into ${whole(people)} people, round ${round} of ${rounds} …`);
    const script = await newTarget(box, people);
    theirs.push((await runScript(script, keyed)) / 1000);
    await forget(box, script);
    bare.push((await bareCopy(turnout.adminUrl, file)) / 1000);
    const target = await newTarget(box, people);
    ours.push(await runImport(box, target, file, rows));
    const [written, expected] = [await rowsOf(box, target), await rowsOf(box, script)];
    if (written !== expected)
      throw new Error(`The import and the script wrote different rows:\n  import: ${written}\n  script: ${expected}`);
  }
  const mine = median(ours.map((one) => one.seconds));
  const line = (name: string, seconds: number, limit: string) => [
    name,
    whole(rows / seconds),
    `${seconds.toFixed(1)} s`,
    (seconds / mine).toFixed(2),
    limit,
  ];
  console.log(
    `\n${table(
      ['', 'rows/s', 'time', 'ours to it', 'limit'],
      [
        line('import', mine, ''),
        line('SQL script', median(theirs), `at least ${LIMIT}`),
        line('bare COPY', median(bare), ''),
      ],
    )}\n`,
  );
  const of = (pick: (one: Ran) => number) => whole(median(ours.map(pick)));
  console.log(
    `CPU time a row: ${of((one) => one.node)} + ${of((one) => one.database)} µs (Node + PostgreSQL, including the relay)`,
  );
}

/** The first import is not counted: a process that has done nothing yet uses less memory than it ever will again. */
async function memory(box: Box): Promise<void> {
  const { bench } = box;
  const peaks: { count: number; peak: number }[] = [];
  for (const count of [10_000, 10_000, 100_000]) {
    bench.say(`memory: ${whole(count)} rows …`);
    const file = join(bench.folder(), 'people.csv');
    await writeFiles(file, `${file}.keyed`, count);
    const target = await newTarget(box, count);
    peaks.push({ count, peak: (await runImport(box, target, file, count)).memory });
  }
  const [, small, large] = peaks as [unknown, (typeof peaks)[number], (typeof peaks)[number]];
  const peakOf = ({ count, peak }: (typeof peaks)[number]) => `${whole(count)} rows ${whole(peak)} MB`;
  console.log(
    `resident memory at most: ${peakOf(small)}, ${peakOf(large)} (${(large.peak / small.peak).toFixed(2)} times)`,
  );
}

/** The median of all rounds counts, so that a moment of other work on the machine is not attributed to the import. */
async function scans(box: Box): Promise<void> {
  const runs: Besides[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    box.bench.say(
      `${options.scans} scans a second: alone, during an import, alone again; round ${round} of ${rounds} …`,
    );
    runs.push(await beside(box));
  }
  const line = (name: string, of: (run: Besides) => Passed, ratio: string, limit: string) => {
    const middle = (pick: (one: Passed) => number) => median(runs.map((run) => pick(of(run))));
    const waits = [middle((one) => one.p50), middle((one) => one.p99), middle((one) => one.longest)].map(ms);
    return [name, whole(middle((one) => one.scans)), ...waits, ratio, limit];
  };
  const ratios = runs.map(({ alone, meanwhile }) => meanwhile.p99 / alone.p99);
  console.log(
    `\n${table(
      ['', 'scans', 'p50', 'p99', 'longest', 'p99 to alone', 'limit'],
      [
        line('alone', (run) => run.alone, '', ''),
        line('during the import', (run) => run.meanwhile, median(ratios).toFixed(2), `at most ${SCANS_LIMIT}`),
      ],
    )}\n`,
  );
  console.log(`each round: ${ratios.map((one) => one.toFixed(2)).join(', ')}`);
  console.log(`the import meanwhile: ${whole(median(runs.map((run) => run.rows)))} rows/s`);
}

interface Passed {
  scans: number;
  p50: number;
  p99: number;
  longest: number;
}
interface Besides {
  alone: Passed;
  meanwhile: Passed;
  /** Rows imported a second. */
  rows: number;
}

async function beside(box: Box): Promise<Besides> {
  const { bench, turnout } = box;
  const perSecond = Number(options.scans);
  const count = Number(options.beside);
  const seconds = Number(options.alone);
  const target = await newTarget(box, people);
  const file = join(bench.folder(), 'people.csv');
  await writeFiles(file, `${file}.keyed`, count);
  const found = await turnout.system((tx) =>
    tx.all<{ code: string }>(sql`select code from tickets where org_id = ${target.org} order by md5(code) limit 40000`),
  );
  const codes = found.map((one) => one.code);
  const doors = { url: turnout.url, key: target.key, path: `/v1/events/${target.code}/scan`, perSecond };
  const some = (time: number): Doors => ({ ...doors, codes: codes.splice(0, time * perSecond) });
  await pass(bench, some(5)).done; // to warm up
  const quiet = await pass(bench, some(seconds)).done;
  const after = some(seconds);
  const gate = pass(bench, { ...doors, codes });
  const ran = await runImport(box, target, file, count);
  gate.close();
  const meanwhile = await gate.done;
  // The machine may be faster or slower afterwards, so the quiet scans from before and after count together.
  quiet.push(...(await pass(bench, after).done));
  return { alone: passed(quiet), meanwhile: passed(meanwhile), rows: count / ran.seconds };
}

function passed(times: number[]): Passed {
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!;
  return { scans: times.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** Scans in a process of its own (import-scans.ts). */
function pass(bench: Bench, doors: Doors): { done: Promise<number[]>; close: () => void } {
  const job = join(bench.folder(), 'doors.json');
  writeFileSync(job, JSON.stringify(doors));
  const client = fileURLToPath(new URL('import-scans.ts', import.meta.url));
  const child = spawn(process.execPath, [client, job], { stdio: ['ignore', 'pipe', 2] });
  bench.later(() => child.kill('SIGKILL'));
  const done = new Promise<number[]>((resolve, reject) => {
    const text: Buffer[] = [];
    child.stdout!.on('data', (chunk: Buffer) => text.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(text).toString()));
      else reject(new Error(`The process that scans ended (${signal ?? code}).`));
    });
  });
  return { done, close: () => child.kill('SIGTERM') };
}

await benchmark(async (bench) => {
  const started = performance.now();
  const others = busy();
  const nodeOptions = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const turnout = await startBenchTurnout(bench, { env: { ROLES: 'api,worker' }, nodeOptions });
  const folder = bench.folder();
  chmodSync(folder, 0o755); // PostgreSQL reads the peer's file itself
  const box: Box = { bench, turnout, file: join(folder, 'people.csv'), keyed: join(folder, 'keyed.csv'), serial: 0 };
  await writeFiles(box.file, box.keyed, rows);
  console.log(`\n${machine()}; PostgreSQL durable, on a socket; API and worker in one process`);
  if (only.includes('memory')) await memory(box);
  if (only.includes('speed')) await speed(box);
  if (only.includes('scans')) await scans(box);
  if (others !== null) console.log(others);
  console.log(`\n${Math.round((performance.now() - started) / 1000)} s`);
});
