import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readXlsx } from '../../../../test/support/read-xlsx.ts';
import { MINUTE } from '../../clock.ts';
import type { Files } from '../../outside/files.ts';
import { folderFiles } from '../../outside/folder-files.ts';
import { sql } from '../../store/sql.ts';
import { crowd, crowdIn, type Exporting, openExporting } from './export.support.ts';

const PEOPLE = 12_000;
const folder = mkdtempSync(join(tmpdir(), 'turnout-exports-'));
let x: Exporting;
/** What to do once this many chunks of a file are written. */
let midway: { at: number; does: () => Promise<unknown> } | null = null;

const stored = folderFiles(folder);
/** The mark of the store is no file of anybody. */
const isMark = (name: string): boolean => name.startsWith('.');
const files: Files = {
  ...stored,
  write: (key, chunks) =>
    stored.write(
      key,
      (async function* () {
        let written = 0;
        for await (const chunk of chunks) {
          if (written === midway?.at) await midway.does();
          yield chunk;
          written += 1;
        }
      })(),
    ),
};

beforeAll(async () => {
  x = await openExporting({ files });
  await crowd(x, 'throng', PEOPLE);
});
afterAll(async () => {
  await x.t.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(format = 'csv'): Promise<string> {
  const { status, body } = await x.ask({
    what: 'people',
    event: 'throng',
    format,
    columns: ['last_name', 'email', 'answers'],
  });
  expect(status).toBe(202);
  return body.id;
}
async function lastNames(job: { result_url: string }): Promise<string[]> {
  const text = await (await x.download(job)).text();
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  return data.map((row) => row['Last name']!);
}
const everybody = Array.from({ length: PEOPLE }, (_, i) => `No ${i + 1}`).sort();

test('a file shows one moment: attendees who are added, changed or removed meanwhile do not change it', async () => {
  const place = await crowd(x, 'moving', 3000);
  const exported = async () => {
    const { body } = await x.ask({ what: 'people', event: 'moving', columns: ['last_name', 'email', 'answers'] });
    await x.t.step.jobs();
    const job = await x.job(body.id);
    expect(job.status).toBe('succeeded');
    return lastNames(job);
  };
  midway = {
    at: 4,
    does: async () => {
      await crowdIn(x, place, 3001, 3050);
      // Changed attendees move to the end of the order in which the export reads.
      await x.t.system((tx) =>
        tx.run(sql`
          update attendees set last_name = 'Changed', answers = '{"new": 1}', updated_at = now() + interval '1 hour'
          where event_id = ${place.event} and last_name in ('No 1', 'No 2990')`),
      );
    },
  };
  const during = await exported();
  midway = null;
  expect(during.sort()).toEqual(everybody.filter((name) => Number(name.slice(3)) <= 3000));
  // The control: the next export shows all these changes.
  const after = await exported();
  expect(after).toHaveLength(3050);
  expect(after.filter((name) => name === 'Changed')).toHaveLength(2);
});

// claim: job-progress
test('its progress is visible while it runs', async () => {
  const id = await ask();
  let seen: unknown = null;
  midway = {
    at: 68, // of 75 chunks: behind the 10,000th row
    does: async () => {
      seen = await x.job(id);
    },
  };
  await x.t.step.jobs();
  midway = null;
  expect(seen).toMatchObject({ status: 'running', progress: { done: 10_000, total: PEOPLE }, result_url: null });
  expect(await x.job(id)).toMatchObject({ status: 'succeeded', progress: { done: PEOPLE, total: PEOPLE } });
});

test('an export that is cancelled midway leaves no file', async () => {
  const storedFiles = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile() && !isMark(one.name));
  const id = await ask('xlsx');
  const before = storedFiles().length;
  midway = { at: 3, does: () => x.post(`/jobs/${id}/cancel`) };
  await x.t.step.jobs();
  midway = null;
  expect(await x.job(id)).toMatchObject({ status: 'cancelled', result_url: null });
  expect(storedFiles()).toHaveLength(before);
});

test('if the event is deleted before the job runs, the job fails and says so', async () => {
  await crowd(x, 'gone', 2001);
  const { body } = await x.ask({ what: 'people', event: 'gone' });
  await x.t.system(async (tx) => {
    for (const table of [sql`attendees`, sql`registrations`, sql`attendee_types`]) {
      await tx.run(sql`delete from ${table} t using events e where e.code = 'gone' and t.event_id = e.id`);
    }
    await tx.run(sql`delete from events where code = 'gone'`);
  });
  await x.t.step.jobs();
  expect(await x.job(body.id)).toMatchObject({ status: 'failed', error: 'The event was deleted.' });
});

test('an export with too many answers for columns fails and says so', async () => {
  await crowd(x, 'chatty', 2001);
  await x.t.system((tx) =>
    tx.run(sql`
      update attendees set answers = jsonb_build_object('q' || attendees.id, 1) from events e where e.code = 'chatty' and event_id = e.id`),
  );
  const { body } = await x.ask({ what: 'people', event: 'chatty' });
  await x.t.step.jobs();
  expect(await x.job(body.id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('Name the columns you need'),
  });
  const named = await x.ask({ what: 'people', event: 'chatty', columns: ['last_name', 'answers.q1'] });
  await x.t.step.jobs();
  expect(await x.job(named.body.id)).toMatchObject({ status: 'succeeded' });
});

test.each(['csv', 'xlsx'])(
  'after kill -9 midway another worker starts over, and the %s file is complete',
  async (format) => {
    const worker = (env: Record<string, string>) =>
      spawn(process.execPath, [fileURLToPath(new URL('../../../../test/support/export-worker.ts', import.meta.url))], {
        env: {
          ...process.env,
          DATA_DIR: x.t.dataDir,
          FILES_URL: folder,
          DATABASE_URL: x.t.database.url,
          SANDBOX: 'off',
          ROLES: 'worker',
          SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
          // The worker's clock is ahead of ours, and the next worker's clock is past the end of its lease.
          AHEAD: String(Number(x.t.clock.now()) - Date.now() + Number(env.AHEAD)),
          ...(env.CRASH && { CRASH: env.CRASH }),
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    const id = await ask(format);
    const doomed = worker({ CRASH: '8', AHEAD: '0' });
    expect((await once(doomed, 'exit'))[1]).toBe('SIGKILL');
    // It was killed midway: there is no result, and an unfinished file is left.
    expect(await x.job(id)).toMatchObject({ status: 'running', result_url: null });
    const [organization] = readdirSync(folder).filter((name) => !isMark(name));
    const names = readdirSync(join(folder, organization!));
    expect(names.filter((name) => name.startsWith(id) && name.endsWith('.part'))).toHaveLength(1);

    const next = worker({ AHEAD: String(MINUTE) });
    while ((await x.job(id)).status === 'running' && next.exitCode === null) {
      await new Promise((soon) => setTimeout(soon, 50));
    }
    next.kill('SIGTERM');
    expect((await once(next, 'exit'))[0]).toBe(0);
    const job = await x.job(id);
    expect(job).toMatchObject({ status: 'succeeded', progress: { done: PEOPLE, total: PEOPLE } });
    const found =
      format === 'csv'
        ? await lastNames(job)
        : readXlsx(Buffer.from(await (await x.download(job)).arrayBuffer()))[0]!
            .rows.slice(1)
            .map(([name]) => name);
    expect(found.sort()).toEqual(everybody);
  },
);
