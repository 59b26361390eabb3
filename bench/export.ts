// Bench: export of 1,000,000 people as CSV and Excel: memory (limit 200 MB), speed beside PostgreSQL's COPY, the files read back
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { acrossOrganizationsFind, setPlan } from '../server/src/areas/access/index.ts';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { cpuOf } from './cpu.ts';
import { compareFiles, megabytes, openWithLibreOffice, residentOf, sizeOf } from './export-files.ts';
import { fill } from './lists-fill.ts';
import { copyPeople } from './peers/export-copy.ts';
import { type Bench, benchmark, busy, machine, table, whole } from './support.ts';
import { type BenchTurnout, call, startBenchTurnout } from './turnout.ts';

/** In bytes: how much more memory than at rest the server may use. */
const MEMORY_LIMIT = 200e6;
const TIMEZONE = 'Europe/Berlin';
/** How many people are in the workbook that LibreOffice opens. */
const SMALL = 20_000;

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
  },
});
const people = Number(options.people);

type Format = 'csv' | 'xlsx';
interface Job {
  id: string;
  status: string;
  progress: { done: number; total: number | null };
  result_url: string | null;
  error: string | null;
}
interface Place {
  code: string;
  key: string;
  event: Id;
}

/** Makes an organization with one event full of people; the cells of some of them are hard to write (quotes, formulas, line breaks). */
async function crowd(bench: Bench, turnout: BenchTurnout, code: string, attendees: number): Promise<Place> {
  const { id: org, key } = await turnout.org(code);
  await turnout.system(async (tx) => {
    await setPlan(tx, await acrossOrganizationsFind(tx, code), undefined, [['attendees_per_event', '2000000']]);
  });
  const make = async (path: string, body: object) =>
    toUuid((await call<{ id: string }>(turnout.url, key, 'POST', path, body)).id);
  const event = await make('/v1/events', { code: 'fair', name: 'Fair', timezone: TIMEZONE });
  const days = [
    await make('/v1/events/fair/days', { code: 'd1', date: '2027-05-01' }),
    await make('/v1/events/fair/days', { code: 'd2', date: '2027-05-02' }),
  ];
  const types = [
    await make('/v1/events/fair/attendee-types', { code: 'adult', name: 'Adult' }),
    await make('/v1/events/fair/attendee-types', { code: 'child', name: 'Child' }),
  ];
  await make('/v1/events/fair/questions', { code: 'diet', label: 'What do you eat?', kind: 'text' });
  await fill({ url: turnout.adminUrl, org, event, days, types, attendees });
  await turnout.system((tx) =>
    tx.run(sql`
      update attendees set last_name = e'=1+1 "quoted", <b>&\r\nsecond line \u0001_x0041_', phone = '+49 30 901820',
        date_of_birth = '1890-02-28', answers = '{"diet": "-1; rice", "a column of an import": true}'
      where org_id = ${org} and email_key like '%77@example.org'`),
  );
  bench.say(`${whole(attendees)} people in ${code}`);
  return { code, key, event };
}

interface Exported {
  /** From the request to the end of its job. */
  ms: number;
  cpu: number | null;
  path: string;
  peak: number;
  /** How many different values of `progress.done` were seen meanwhile. */
  progressSeen: number;
}

async function exportPeople(
  turnout: BenchTurnout,
  { code, key }: Place,
  format: Format,
  folder: string,
): Promise<Exported> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentOf(turnout.pid));
  }, 25);
  const cpu = cpuOf(turnout.pid);
  const at = performance.now();
  const body = { what: 'people', format, event: 'fair' };
  let job = await call<Job>(turnout.url, key, 'POST', '/v1/exports', body);
  const seen = new Set<number>();
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(100);
    job = await call<Job>(turnout.url, key, 'GET', `/v1/jobs/${job.id}`);
    seen.add(job.progress.done);
  }
  const ms = performance.now() - at;
  const used = cpuOf(turnout.pid);
  clearInterval(watch);
  if (job.result_url === null) throw new Error(`The export has status ${job.status}: ${job.error}`);
  const path = join(folder, `${code}.${format}`);
  const file = await fetch(turnout.url + new URL(job.result_url).pathname);
  await pipeline(Readable.fromWeb(file.body! as never), createWriteStream(path));
  return { ms, cpu: cpu === null || used === null ? null : used - cpu, path, peak, progressSeen: seen.size };
}

await benchmark(async (bench) => {
  const others = busy();
  const folder = bench.folder();
  const turnout = await startBenchTurnout(bench, {
    embedded: true,
    env: { ROLES: 'api,worker' },
  });
  const small = await crowd(bench, turnout, 'small', SMALL);
  const rest = residentOf(turnout.pid);
  // The first exports load and compile code; they are not measured.
  const warm = {
    csv: await exportPeople(turnout, small, 'csv', folder),
    xlsx: await exportPeople(turnout, small, 'xlsx', folder),
  };
  const big = await crowd(bench, turnout, 'big', people);
  console.log(
    `\n${machine()}; ${whole(people)} people, all columns of an ordinary export, server and database on one machine${others === null ? '' : `\n${others}`}\n`,
  );

  const rows: string[][] = [];
  const files = {} as Record<Format, string>;
  const copies: number[] = [];
  for (const format of ['csv', 'xlsx'] as const) {
    bench.say(`${format} …`);
    const one = await exportPeople(turnout, big, format, folder);
    // COPY runs next to each export, so that other work on the machine affects both.
    const copy = await copyPeople(turnout.adminUrl, big.event, TIMEZONE, join(folder, 'copy.csv'));
    copies.push(copy.ms);
    files[format] = one.path;
    rows.push([
      `POST /v1/exports ${format}`,
      `${(one.ms / 1000).toFixed(1)} s`,
      whole((people / one.ms) * 1000),
      (one.ms / copy.ms).toFixed(2),
      one.cpu === null ? '' : `${(one.cpu / 1000).toFixed(1)} s`,
      `+${megabytes(one.peak - rest)}`,
      `at most +${megabytes(MEMORY_LIMIT)}`,
      megabytes(sizeOf(one.path)),
      whole(one.progressSeen),
    ]);
  }
  for (const [i, ms] of copies.entries()) {
    rows.push([
      `COPY … TO STDOUT csv (${i + 1})`,
      `${(ms / 1000).toFixed(1)} s`,
      whole((people / ms) * 1000),
      '1.00',
      '',
      '',
      '',
      megabytes(sizeOf(join(folder, 'copy.csv'))),
      '',
    ]);
  }
  console.log(
    table(['', 'time', 'rows/s', 'against COPY', 'CPU of Node', 'memory', 'limit', 'file', 'progress seen'], rows),
  );

  bench.say('reading the Excel file back …');
  console.log(`\n${whole(people)} rows as Excel: ${await compareFiles(files.csv, files.xlsx)}`);
  console.log(`${whole(SMALL)} rows as Excel: ${await compareFiles(warm.csv.path, warm.xlsx.path)}`);
  console.log(`${whole(SMALL)} rows as Excel: ${await openWithLibreOffice(warm.xlsx.path, SMALL)}`);
});
