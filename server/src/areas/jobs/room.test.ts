import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startToy, toyJob } from '../../../../test/support/toy-job.ts';
import { DAY } from '../../clock.ts';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { JOB_LIMITS, takenRoom } from '../../road/for-areas/job-room.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { type Importing, openImporting } from '../transfers/import.support.ts';
import { crons } from './jobs.ts';

let x: Importing;
let event: string;
beforeAll(async () => {
  x = await openImporting({ jobs: [toyJob], operations: [startToy] });
  event = await x.event();
});
afterAll(() => x.t.stop());

const toy = (key: string) => x.t.call('POST', '/v1/toys', { key, body: { name: 'n', notes: 2 } });
const sweep = () =>
  crons
    .find((one) => one.name === 'sweep-files')!
    .run({ pool: x.t.pool, clock: x.t.clock, log: pino({ level: 'silent' }), outside: x.t.outside });
const taken = (mode: 'live' | 'test', org = x.org) =>
  transaction(x.t.pool, x.t.clock, { role: 'app', org }, (tx) => takenRoom(tx, org, mode));
const onDisk = (org = x.org): string[] => {
  const folder = join(x.t.database.files, toUlid(org));
  return existsSync(folder) ? readdirSync(folder) : [];
};
const MANY = `First name,Last name,Type,Day\n${'Ada,Lovelace,adult,fri\n'.repeat(501)}`;

/** A finished job whose file has this size. */
const stored = (org: Id, test: boolean, size: number) =>
  x.t.system((tx) => {
    const now = tx.clock.now();
    const files = JSON.stringify({ result: { key: 'k', filename: 'f', mediaType: 'text/csv', size } });
    return tx.run(sql`
      insert into jobs (org_id, id, kind, status, test, actor, files, expires_at, due_at, created_at, updated_at, finished_at)
      values (${org}, ${newId(now)}, 'export', 'succeeded', ${test}, '{}', ${files}, ${new Date(now.getTime() + DAY)}, ${now},
        ${now}, ${now}, ${now})`);
  });
const unstored = () => x.t.system((tx) => tx.run(sql`delete from jobs where actor = '{}'`));

describe('409 too_many_jobs', () => {
  test('at most 20 jobs of an organization wait or run, however many are started at once', async () => {
    const org = await x.t.org('many');
    const key = (await x.t.key('many')).secret;
    const replies = await Promise.all(Array.from({ length: 40 }, () => toy(key)));
    const codes = replies.map(({ status, body }) => body.error?.code ?? status);
    expect(codes.filter((code) => code === 202)).toHaveLength(JOB_LIMITS.live.jobs);
    expect(codes.filter((code) => code === 'too_many_jobs')).toHaveLength(40 - JOB_LIMITS.live.jobs);
    expect((await taken('live', org)).jobs).toBe(20);
    expect((await toy(x.key)).status).toBe(202);

    const { secret: testKey } = await x.t.key('many', { mode: 'test' });
    expect((await toy(testKey)).status, 'test jobs have room of their own').toBe(202);

    await x.t.step.jobs();
    expect((await toy(key)).status, 'there is room again').toBe(202);
  });

  test('the control: if they are counted without the lock, more are started', async () => {
    const org = await x.t.org('unlocked');
    let looked = 0;
    const work = async (tx: Tx) => {
      if ((await takenRoom(tx, org, 'live')).jobs >= 5) return;
      looked += 1;
      await vi.waitFor(() => expect(looked).toBeGreaterThan(5), { timeout: 10_000 });
      const now = tx.clock.now();
      await tx.run(sql`
        insert into jobs (org_id, id, kind, status, test, actor, due_at, created_at, updated_at)
        values (${org}, ${newId(now)}, 'none', 'queued', false, '{}', ${now}, ${now}, ${now})`);
    };
    // One organization cannot have so many writes at once in a pool of this size, but lookups need no place.
    const start = () => transaction(x.t.pool, x.t.clock, { role: 'app', org }, work, { kind: 'lookup' });
    await Promise.all(Array.from({ length: 12 }, start));
    expect((await taken('live', org)).jobs).toBeGreaterThan(5);
    await unstored();
  });

  test('a test key may have five', async () => {
    await x.t.org('tests');
    const { secret } = await x.t.key('tests', { mode: 'test' });
    const replies = await Promise.all(Array.from({ length: 8 }, () => toy(secret)));
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(5);
    await x.t.step.jobs();
  });
});

describe('409 storage_full', () => {
  test('an upload for which there is no room is refused, and nothing of it is kept', async () => {
    await stored(x.org, false, JOB_LIMITS.live.bytes - 1000);
    const before = onDisk();
    const reply = await x.send(event, MANY);
    expect([reply.status, reply.body.error.code]).toEqual([409, 'storage_full']);
    expect(onDisk()).toEqual(before);
    expect((await x.send(event, MANY, {}, x.testKey)).status, 'test files have room of their own').toBe(202);
    await unstored();
    const again = await x.send(event, MANY);
    expect(again.status).toBe(202);
    await x.post(`/jobs/${again.body.id}/cancel`);
    await sweep();
  });

  test('an export that is made at once is refused, and nothing of it is kept', async () => {
    await stored(x.org, false, JOB_LIMITS.live.bytes);
    const before = onDisk();
    const reply = await x.post('/exports', { what: 'people', format: 'csv', event });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'storage_full']);
    expect(onDisk()).toEqual(before);
    await unstored();
  });

  test('a job whose file has no room fails with a message, and its file is deleted', async () => {
    await x.t.step.jobs();
    const { id } = (await x.t.call('POST', '/v1/toys', { key: x.key, body: { name: 'n', notes: 2, file: true } })).body;
    await stored(x.org, false, JOB_LIMITS.live.bytes - 5);
    const before = onDisk();
    await x.t.step.jobs();
    expect(await x.job(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('1024 MB') });
    expect(onDisk()).toEqual(before);
    await unstored();
  });

  test('the upload of a cancelled job counts until it is deleted, a download until its day is over', async () => {
    await x.t.step.jobs();
    x.t.clock.advance(2 * DAY);
    await sweep();
    expect([await taken('live'), onDisk()]).toEqual([{ jobs: 0, bytes: 0 }, []]);
    const { id } = (await x.send(event, MANY)).body;
    await x.post(`/jobs/${id}/cancel`);
    expect(await taken('live')).toEqual({ jobs: 0, bytes: MANY.length });
    await sweep();
    expect([await taken('live'), onDisk()]).toEqual([{ jobs: 0, bytes: 0 }, []]);

    expect((await x.post('/exports', { what: 'people', format: 'csv', event })).status).toBe(201);
    expect((await taken('live')).bytes).toBeGreaterThan(0);
    x.t.clock.advance(DAY);
    await sweep();
    expect([await taken('live'), onDisk()]).toEqual([{ jobs: 0, bytes: 0 }, []]);
  });
});
