import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { notesOf, startToy, type ToyInput, toyHooks, toyJob } from '../../../test/support/toy-job.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { expireFiles } from '../areas/jobs/index.ts';
import { crons } from '../areas/jobs/jobs.ts';
import { DAY, HOUR, MINUTE, MovedClock } from '../clock.ts';
import { type Id, newId, toUlid, toUuid } from '../common/ids.ts';
import { storeFile } from '../outside/files.ts';
import { sql } from '../store/sql.ts';
import { transaction } from '../store/tx.ts';

const logged: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
let t: TestTurnout;
/** A second server on the same database. */
let other: TestTurnout;
let acme: Id;
let key: string;
beforeAll(async () => {
  const clock = new MovedClock();
  t = await startTest({ jobs: [toyJob], operations: [startToy], log, clock });
  other = await startTest({ jobs: [toyJob], log, clock, database: t.database });
  acme = await t.org('acme');
  key = (await t.key('acme')).secret;
  await t.org('bravo');
});
afterAll(async () => {
  await other.stop();
  await t.stop();
});
afterEach(async () => {
  toyHooks.inStep = () => {};
  toyHooks.afterStep = () => {};
  // Otherwise another test would run the jobs that this one left queued.
  await t.step.jobs();
});

let serial = 0;
async function start(wanted: Partial<ToyInput> = {}, by = key) {
  const input = { name: `toy-${++serial}`, notes: 6, ...wanted };
  const reply = await t.call('POST', '/v1/toys', { key: by, body: input });
  expect(reply.status).toBe(202);
  return { id: reply.body.id as string, name: input.name };
}
const get = async (id: string, by = key) => (await t.call('GET', `/v1/jobs/${id}`, { key: by })).body;
const cancel = (id: string, by = key) => t.call('POST', `/v1/jobs/${id}/cancel`, { key: by });

/** Holds the job up at a point of its work. Resolves when it is there, with a function that lets it go on. */
async function holdUp(where: 'inStep' | 'afterStep', at: number, go: () => Promise<unknown>) {
  let release!: () => void;
  const released = new Promise<void>((done) => (release = done));
  const there = new Promise<void>((arrived) => {
    toyHooks[where] = async (from) => {
      if (from !== at) return;
      toyHooks[where] = () => {};
      arrived();
      await released;
    };
  });
  const going = go();
  await there;
  return async () => {
    release();
    await going;
  };
}

describe('a job', () => {
  // claim: job-fields, job-progress
  test('waits, runs, reports its progress and succeeds', async () => {
    const { id, name } = await start();
    expect(await get(id)).toMatchObject({
      kind: 'toy',
      status: 'queued',
      progress: { done: 0, total: 6 },
      counts: {},
      actor: { kind: 'key' },
      started_at: null,
      finished_at: null,
      result_url: null,
      expires_at: null,
    });
    const goOn = await holdUp('afterStep', 2, t.step.jobs);
    expect(await get(id)).toMatchObject({ status: 'running', progress: { done: 4, total: 6 }, counts: { written: 4 } });
    await goOn();
    const done = await get(id);
    expect(done).toMatchObject({
      status: 'succeeded',
      progress: { done: 6, total: 6 },
      counts: { written: 6 },
      error: null,
    });
    expect(done.finished_at >= done.started_at).toBe(true);
    expect(await notesOf(t, name)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('writes its audit rows in the name of the key that started it', async () => {
    const { id } = await start();
    await t.step.jobs();
    const { data } = (await t.call('GET', '/v1/audit-log?action=toy.noted&limit=1', { key })).body;
    expect(data[0]).toMatchObject({ actor: (await get(id)).actor, source: 'api' });
  });

  test('is one job, however often the call that starts it is retried', async () => {
    const { id: before } = await start();
    const retried = { key, idempotencyKey: 'toy-once', body: { name: 'once', notes: 2 } };
    const [one, two] = await Promise.all([t.call('POST', '/v1/toys', retried), t.call('POST', '/v1/toys', retried)]);
    expect(one.body.id).toBe(two.body.id);
    const { data } = (await t.call('GET', '/v1/jobs?limit=2', { key })).body;
    expect(data.map((row: { id: string }) => row.id)).toEqual([one.body.id, before]);
    await t.step.jobs();
  });

  test('keeps nothing of its input when it is over', async () => {
    const { id } = await start();
    await t.step.jobs();
    const row = await t.system((tx) =>
      tx.one(sql`select input, state, source, runner, lease_until from jobs where id = ${toUuid(id)}`),
    );
    expect(row).toEqual({ input: null, state: null, source: null, runner: null, lease_until: null });
  });
});

describe('cancelling', () => {
  test('ends a queued job', async () => {
    const { id, name } = await start();
    expect((await cancel(id)).body).toMatchObject({ status: 'cancelled', progress: { done: 0 } });
    await t.step.jobs();
    expect(await notesOf(t, name)).toEqual([]);
  });

  test.each(['inStep', 'afterStep'] as const)(
    'is final: nothing is written after it is answered (%s)',
    async (where) => {
      const { id, name } = await start();
      const goOn = await holdUp(where, 2, t.step.jobs);
      const answered = await cancel(id);
      const kept = where === 'inStep' ? [0, 1] : [0, 1, 2, 3];
      expect(answered.body).toMatchObject({ status: 'cancelled', counts: { written: kept.length } });
      await goOn();
      expect(await get(id)).toEqual(answered.body);
      expect(await notesOf(t, name)).toEqual(kept);
    },
  );

  test('409 when the job is over', async () => {
    const { id } = await start();
    await t.step.jobs();
    const late = await cancel(id);
    expect([late.status, late.body.error.code]).toEqual([409, 'invalid_state']);
  });
});

describe('failing', () => {
  test('for a known reason reports it and keeps what was done; the cause goes to the log', async () => {
    const { id, name } = await start({ fail: 'words' });
    await t.step.jobs();
    expect(await get(id)).toMatchObject({ status: 'failed', error: 'The notes ran out.', counts: { written: 4 } });
    expect(await notesOf(t, name)).toHaveLength(4);
    expect(logged.join('')).toContain('only the log sees this');
  });

  test('by a fault of ours tells the caller no details', async () => {
    const { id } = await start({ fail: 'fault' });
    await t.step.jobs();
    const failed = await get(id);
    expect(failed.status).toBe('failed');
    expect(failed.error).not.toContain('purpose');
    expect(logged.join('')).toContain('a fault on purpose');
  });

  test('because of the connection is followed by a new run after a pause, which goes on where the job was', async () => {
    const { id, name } = await start();
    let broken = 0;
    toyHooks.inStep = (from) => {
      if (from === 2 && ++broken < 3) throw Object.assign(new Error('gone'), { code: '57P01' });
    };
    await t.step.jobs();
    expect(await get(id)).toMatchObject({ status: 'queued', counts: { written: 2 } });
    await t.step.jobs(); // not due yet
    expect(broken).toBe(1);
    for (const pause of [1000, 5000]) {
      t.clock.advance(pause);
      await t.step.jobs();
    }
    expect(await get(id)).toMatchObject({ status: 'succeeded' });
    expect(await notesOf(t, name)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('because of the connection five times in a row ends the job', async () => {
    const { id } = await start({ fail: 'connection' });
    for (let i = 0; i < 5; i += 1) {
      await t.step.jobs();
      t.clock.advance(10 * MINUTE);
    }
    expect(await get(id)).toMatchObject({ status: 'failed' });
  });
});

describe('several processes', () => {
  test('share the queued jobs: each job is run by one of them', async () => {
    const jobs = await Promise.all(Array.from({ length: 10 }, () => start()));
    const ran = await Promise.all([t.step.jobs(), other.step.jobs()]);
    expect(ran[0]! + ran[1]!).toBe(10);
    expect(Math.min(...ran)).toBeGreaterThan(0);
    for (const { id, name } of jobs) {
      expect((await get(id)).status).toBe('succeeded');
      expect(await notesOf(t, name)).toEqual([0, 1, 2, 3, 4, 5]);
    }
  });

  test.each(['inStep', 'afterStep'] as const)('a runner whose lease ended commits nothing more (%s)', async (where) => {
    const { id, name } = await start();
    const goOn = await holdUp(where, 2, t.step.jobs);
    await other.step.jobs();
    expect((await get(id)).status, 'its lease is not over').toBe('running');
    t.clock.advance(MINUTE);
    await other.step.jobs();
    const taken = await get(id);
    expect(taken.status).toBe('succeeded');
    await goOn();
    expect(await get(id)).toEqual(taken);
    expect(await notesOf(t, name)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('let nobody wait for a thousand jobs of another organization', async () => {
    const { secret: theirs } = await t.key('bravo');
    const many = await Promise.all(Array.from({ length: 5 }, () => start({ notes: 2 })));
    const one = await start({ notes: 2 }, theirs);
    const order: Id[] = [];
    toyHooks.inStep = async () => {
      const running = await t.system((tx) =>
        tx.all<{ id: Id }>(sql`select id from jobs where status = 'running' order by started_at`),
      );
      for (const { id } of running) if (!order.includes(id)) order.push(id);
    };
    await t.step.jobs();
    expect(order.map(toUlid).indexOf(one.id)).toBeLessThanOrEqual(2);
    expect(order).toHaveLength(many.length + 1);
  });
});

describe('stopping', () => {
  test('finishes the running step and queues the job again, and it goes on at once in another process', async () => {
    const stopping = await startTest({
      jobs: [toyJob],
      log,
      clock: t.clock,
      database: t.database,
      env: { ROLES: 'worker' },
    });
    let stopped: Promise<void> | undefined;
    const begun = new Promise<void>((there) => {
      toyHooks.inStep = async (from, signal) => {
        if (from !== 2) return;
        stopped = stopping.stop();
        there();
        await once(signal, 'abort');
      };
    });
    const { id, name } = await start();
    await begun;
    await stopped;
    expect(await get(id)).toMatchObject({ status: 'queued', counts: { written: 4 } });
    await t.step.jobs();
    expect((await get(id)).status).toBe('succeeded');
    expect(await notesOf(t, name)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('the result of a job', () => {
  const sweep = async (name: string) =>
    crons.find((one) => one.name === name)!.run({ pool: t.pool, clock: t.clock, log, outside: t.outside });
  const filesOnDisk = () => {
    const folder = join(t.database.files, toUlid(acme));
    return existsSync(folder) ? readdirSync(folder) : [];
  };
  const download = async (url: string) => fetch(t.url + new URL(url).pathname);

  // claim: job-fields
  test('can be downloaded by a link without a key for one day', async () => {
    const { id } = await start({ file: true });
    await t.step.jobs();
    const done = await get(id);
    expect(Date.parse(done.expires_at) - Date.parse(done.finished_at)).toBe(DAY);
    const file = await download(done.result_url);
    expect(file.status).toBe(200);
    expect(await file.text()).toBe('6 notes');
    expect(file.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Notizen _toy-\d+_ f_r alle.txt"; filename\*=UTF-8''Notizen%20%22toy-\d+%22%20f%C3%BCr%20alle.txt$/,
    );
    expect(await (await download(done.rejects_url)).text()).toBe('none');

    t.clock.advance(DAY - HOUR);
    expect((await download(done.result_url)).status).toBe(200);
    t.clock.advance(HOUR);
    const late = await download(done.result_url);
    expect([late.status, (await late.json()).error.code]).toEqual([404, 'not_found']);
    expect(await get(id)).toMatchObject({ result_url: null, rejects_url: null, expires_at: done.expires_at });

    expect(filesOnDisk()).not.toEqual([]);
    await sweep('sweep-files');
    expect(filesOnDisk()).toEqual([]);
  });

  test('has a link that opens nothing else', async () => {
    const { id } = await start({ file: true });
    await t.step.jobs();
    const { result_url } = await get(id);
    const changed = result_url.replace(/\.(.)/, (_: string, first: string) => (first === 'A' ? '.B' : '.A'));
    expect((await download(changed)).status).toBe(404);
    expect((await download(result_url.replace('/links/jobs/', '/links/roster/'))).status).toBe(404);
  });

  test('cannot be downloaded any more when an attendee of its event is erased, and a file in the making is made again', async () => {
    const event = await t.call('POST', '/v1/events', { key, body: { code: 'fair', name: 'Fair' } });
    const fair = toUuid(event.body.id);
    const { id } = await start({ file: true });
    const unrelated = await start({ file: true });
    await t.step.jobs();
    const { result_url } = await get(id);
    const running = await start({ file: true });
    const written = vi.spyOn(t.outside.files, 'write');
    const goOn = await holdUp('afterStep', 4, t.step.jobs);
    await transaction(t.pool, t.clock, { role: 'app', org: acme }, async (tx) => {
      await tx.run(sql`update jobs set event_id = ${fair} where id = any(${[id, running.id].map(toUuid)})`);
      await expireFiles(tx, acme, { events: [fair], test: false, groups: [] });
    });
    expect((await download(result_url)).status).toBe(404);
    expect((await download((await get(unrelated.id)).result_url)).status).toBe(200);
    await goOn();
    expect((await get(running.id)).status).toBe('succeeded');
    expect(written.mock.calls).toHaveLength(4); // two files, by two runners
    const before = filesOnDisk().length;
    await sweep('remove-files');
    expect(filesOnDisk()).toHaveLength(before - 2);
  });

  test('leaves no files behind: neither those of a cancelled job nor those that no job refers to', async () => {
    t.clock.advance(DAY);
    await sweep('sweep-files');
    const chunks = async function* () {
      yield Buffer.from('x');
    };
    const job = newId(t.clock.now());
    await storeFile(
      t.outside.files,
      t.clock,
      { org: acme, job },
      { filename: 'x', mediaType: 'text/plain', chunks: chunks() },
    );
    const { id } = await start({ file: true });
    await t.step.jobs();
    await sweep('sweep-jobs');
    expect(filesOnDisk()).toHaveLength(3);
    t.clock.advance(3 * DAY);
    await t.system((tx) =>
      tx.run(
        sql`update jobs set expires_at = ${t.clock.now()}::timestamptz + interval '1 day' where id = ${toUuid(id)}`,
      ),
    );
    await sweep('sweep-jobs');
    expect(filesOnDisk()).toHaveLength(2); // the two files of the job stay, because it refers to them
  });

  test('fails with a message if the disk is full, and leaves no file behind', async () => {
    t.clock.advance(3 * DAY);
    await sweep('sweep-files');
    const full = async function* () {
      yield Buffer.from('half of it');
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    const made = storeFile(
      t.outside.files,
      t.clock,
      { org: acme, job: newId(t.clock.now()) },
      { filename: 'x', mediaType: 'text/plain', chunks: full() },
    );
    await expect(made).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('no room left') });
    expect(filesOnDisk()).toEqual([]);
  });

  test('is removed together with its job after a year', async () => {
    const { id } = await start();
    await t.step.jobs();
    t.clock.advance(366 * DAY);
    await sweep('sweep-jobs');
    expect((await t.call('GET', `/v1/jobs/${id}`, { key })).status).toBe(404);
  });
});

describe('who sees a job', () => {
  test('keys of its organization, and of its group or above', async () => {
    for (const body of [{ code: 'north' }, { code: 'harbour', parent: 'north' }, { code: 'south' }]) {
      await t.call('POST', '/v1/groups', { key, body: { name: body.code, ...body } });
    }
    const [north, harbour, south, bravo] = await Promise.all([
      t.key('acme', { group: 'north' }),
      t.key('acme', { group: 'harbour' }),
      t.key('acme', { group: 'south' }),
      t.key('bravo'),
    ]);
    const { id } = await start({}, harbour.secret);
    expect((await get(id)).group).toBe('harbour');
    const status = async (by: string) => (await t.call('GET', `/v1/jobs/${id}`, { key: by })).status;
    const listed = async (by: string) =>
      (await t.call('GET', '/v1/jobs', { key: by })).body.data.some((row: { id: string }) => row.id === id);
    for (const [by, sees] of [
      [key, true],
      [north.secret, true],
      [harbour.secret, true],
      [south.secret, false],
      [bravo.secret, false],
    ] as const) {
      expect(await status(by)).toBe(sees ? 200 : 404);
      expect(await listed(by)).toBe(sees);
      if (!sees) expect((await cancel(id, by)).status).toBe(404);
    }
    const wide = await start();
    expect((await t.call('GET', `/v1/jobs/${wide.id}`, { key: north.secret })).status).toBe(404);
  });

  test('live keys do not see jobs of test keys, and a test key cannot cancel a job of a live key', async () => {
    const { secret: testKey } = await t.key('acme', { mode: 'test' });
    const mine = await start({}, testKey);
    expect((await get(mine.id, testKey)).test).toBe(true);
    expect((await t.call('GET', `/v1/jobs/${mine.id}`, { key })).status).toBe(404);
    const live = await start();
    expect((await get(live.id, testKey)).test).toBe(false);
    const refused = await cancel(live.id, testKey);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'test_key_live_object']);
  });

  test('lists are ordered newest first, with filters by status and kind, page by page', async () => {
    const made = [await start({ notes: 2 }), await start({ notes: 2 }), await start({ notes: 2 })]
      .map(({ id }) => id)
      .reverse();
    const page = async (query: string) => (await t.call('GET', `/v1/jobs?${query}`, { key })).body;
    const first = await page('status=queued&kind=toy&limit=2');
    expect(first.data.map((row: { id: string }) => row.id)).toEqual(made.slice(0, 2));
    const second = await page(`status=queued&kind=toy&limit=2&cursor=${first.page.next_cursor}`);
    expect(second.data.map((row: { id: string }) => row.id)).toEqual(made.slice(2));
    expect(second.page).toEqual({ next_cursor: null, has_more: false });
    expect((await page('kind=other')).data).toEqual([]);
  });
});
