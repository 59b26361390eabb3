import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
beforeAll(async () => {
  x = await openImporting(); // only receives the files; the child processes run the jobs
});
afterAll(() => x.t.stop());

const worker = fileURLToPath(new URL('./import-worker.support.ts', import.meta.url));

/** Each runner is killed by kill -9, and the next one starts when its lease has ended. The last one finishes. */
async function run(id: string, crashes: readonly string[]) {
  for (const [i, crash] of [...crashes, ''].entries()) {
    const { done: before } = (await x.job(id)).progress;
    const child = spawn(process.execPath, [worker], {
      env: {
        ...process.env,
        DATABASE_URL: x.t.database.url,
        FILES: x.t.database.files,
        AHEAD: String(i * MINUTE),
        CRASH: crash,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect(await once(child, 'exit')).toEqual(crash === '' ? [0, null] : [null, 'SIGKILL']);
    const { done } = (await x.job(id)).progress;
    expect(done).toBeGreaterThan(before);
    if (crash === '') expect(done).toBe(700);
    else expect(done).toBeLessThan(500);
  }
  const job = await x.job(id);
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  return job;
}

/** Everything that an import leaves in an event, without ids and times. */
const traces = (event: string) =>
  x.t.system(async (tx) => {
    const of = sql`(select id from events where code = ${event})`;
    return {
      people: await tx.all(sql`
        select a.external_id, a.first_name, a.phone, a.status, a.answers, array_length(a.day_ids, 1) as days,
          (select count(*)::int from ticket_people p join tickets t on t.org_id = p.org_id and t.id = p.ticket_id
           where p.attendee_id = a.id and t.status = 'valid') as tickets
        from attendees a where a.event_id = ${of} order by a.external_id, a.first_name`),
      registrations: await tx.all(
        sql`select status, source, count(*)::int from registrations where event_id = ${of} group by 1, 2 order by 1, 2`,
      ),
      places: await tx.all(sql`select taken from places where event_id = ${of} order by taken`),
      raised: await tx.all(sql`select type, count(*)::int from outbox where event_id = ${of} group by 1 order by 1`),
      audit: await tx.all(sql`
        select object_kind, count(*)::int from audit_log where event_id = ${of} and action = 'people.imported' group by 1 order by 1`),
    };
  });

test('after kill -9 three times midway the result is that of an undisturbed import, and nobody is added twice', async () => {
  const [disturbed, quiet] = [await x.event(), await x.event()];
  const line = (n: number, more = '') => `First ${n},Last,${n},adult,fri,,${more}\n`;
  const head = 'First name,Last name,ID,Type,Day,Phone,Note\n';
  const known = head + Array.from({ length: 200 }, (_, n) => line(n)).join('');
  // New attendees, changed ones, unchanged ones, wrong rows, and rows that match attendees of earlier rows.
  const file =
    head +
    Array.from({ length: 650 }, (_, n) => line(n, n % 3 === 0 ? 'changed' : '')).join('') +
    Array.from(
      { length: 50 },
      (_, n) => `First ${n},Last,${n * 10},${n % 5 === 0 ? 'vip' : 'adult'},fri;sat,77,\n`,
    ).join('');
  const start = async (event: string): Promise<string> => {
    await x.take(event, known);
    const reply = await x.send(event, file);
    expect(reply.status).toBe(202);
    return reply.body.id;
  };
  const job = await run(await start(disturbed), ['in:1', 'after:1', 'in:2']);
  const undisturbed = await run(await start(quiet), []);
  expect(job.counts).toEqual(undisturbed.counts);
  expect(job.counts).toMatchObject({ created: 450, rejected: 10 });
  expect(await x.rejectsText(job)).toBe(await x.rejectsText(undisturbed));
  const state = await traces(disturbed);
  expect(state).toEqual(await traces(quiet));
  expect(state.people).toHaveLength(650);
});
