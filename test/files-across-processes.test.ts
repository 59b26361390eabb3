import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crons } from '../server/src/areas/index.ts';
import { type Exporting, openExporting } from '../server/src/areas/transfers/export.support.ts';
import { cloneDatabase, runSql } from './support/database.ts';
import { startS3 } from './support/s3.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** Two processes take turns: one makes a file, the other one serves it, reads it or deletes it. */
const s3 = await startS3();
const folder = mkdtempSync(join(tmpdir(), 'turnout-shared-'));
afterAll(async () => {
  await s3?.stop();
  rmSync(folder, { recursive: true, force: true });
});
const stores: [string, () => string][] = [['a folder', () => folder]];
if (s3 !== null) stores.push(['S3', () => s3.url('shared')]);

describe.each(stores)('files of two processes in %s', (_name, place) => {
  let x: Exporting;
  let other: TestTurnout;
  beforeAll(async () => {
    const env = { FILES_URL: place() };
    x = await openExporting({ env });
    other = await startTest({ env, database: x.t.database, clock: x.t.clock });
  });
  afterAll(async () => {
    await other.stop();
    await x.t.stop();
  });

  const both = () => [x.t, other] as const;
  const people = (count: number, i: number) =>
    ['first_name,last_name,email,attendee_type,days']
      .concat(Array.from({ length: count }, (_, n) => `Ida,Ims${i}x${n},ida${i}x${n}@example.org,adult,d1`))
      .join('\n');

  test('every import that one takes is done by the other, and every export that one makes is served by the other', async () => {
    for (let i = 0; i < 8; i += 1) {
      const [takes, works] = i % 2 === 0 ? both() : [...both()].reverse();
      const reply = await takes!.call('POST', '/v1/events/fair/imports', {
        key: x.key,
        headers: { 'content-type': 'text/csv' },
        body: people(700, i),
      });
      expect(reply.status, reply.text).toBe(202);
      await works!.step.jobs();
      expect(await x.job(reply.body.id)).toMatchObject({ status: 'succeeded', counts: { created: 700 } });
    }
    for (let i = 0; i < 12; i += 1) {
      const [makes, serves] = i % 2 === 0 ? both() : [...both()].reverse();
      const asked = { what: 'people', event: 'fair', format: i % 3 === 0 ? 'xlsx' : 'csv' };
      const reply = await serves!.call('POST', '/v1/exports', { key: x.key, body: asked });
      expect(reply.status, reply.text).toBe(202);
      await makes!.step.jobs();
      const { result_url } = await x.job(reply.body.id);
      const file = await fetch(serves!.url + new URL(result_url).pathname);
      expect(file.status).toBe(200);
      const body = await file.text();
      expect(Buffer.byteLength(body)).toBeGreaterThan(10_000);
    }
  });

  test('somebody whom one erases is in no file any more, whichever process made it', async () => {
    const flies = await x.register([{ first_name: 'Flies', last_name: 'Away', email: 'flies@example.org' }]);
    const files = both().map(({ outside }) => outside.files);
    const found = async () => {
      const texts = [];
      for await (const key of files[0]!.list()) texts.push(await text((await files[1]!.read(key))!));
      return texts.filter((one) => one.includes('flies@example.org')).length;
    };
    for (const { call, step } of both()) {
      const reply = await call('POST', '/v1/exports', {
        key: x.key,
        body: { what: 'people', event: 'fair', format: 'csv', columns: ['email'] },
      });
      expect(reply.status).toBeLessThan(300);
      await step.jobs();
    }
    expect(await found()).toBe(2); // the control: both have files with the address
    const erased = await x.post(`/contacts/${flies.attendees[0].contact_id}/erase`);
    expect(erased.status).toBe(200);
    const sweep = crons.find((one) => one.name === 'remove-files')!;
    await sweep.run({ pool: other.pool, clock: other.clock, log: { info: () => {} } as never, outside: other.outside });
    expect(await found()).toBe(0);
  });
});

test.skipIf(s3 === null)('a store that answers nothing holds no door up, and nothing is lost by it', async () => {
  const { freeze, wake, url } = s3!;
  const x = await openExporting({ env: { FILES_URL: url('frozen') } });
  const [{ tickets }] = (await x.register([{ first_name: 'Ada', last_name: 'Early', email: 'ada@example.org' }]))
    .attendees;
  const send = (csv: string) => x.post('/events/fair/imports', { csv });
  const csv = 'first_name,last_name,attendee_type,days\nBea,Good,adult,d1\nCid,Wrong,nobody,d1';
  freeze();
  try {
    const imported = send(csv);
    const scanned = await x.scan(tickets[0].code);
    expect([scanned.status, scanned.body.result]).toEqual([200, 'accepted']);
    const refused = await imported;
    expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
    expect((await x.t.call('GET', '/readyz')).status).toBe(200);
  } finally {
    wake();
  }
  const again = await send(csv);
  expect([again.status, again.body.counts]).toEqual([201, expect.objectContaining({ created: 1, rejected: 1 })]);
  await x.t.stop();
});

test('a process with a folder of its own does not start beside others; alone it may begin with an empty one', async () => {
  const database = await cloneDatabase();
  const start = (name: string) => startTest({ env: { FILES_URL: join(folder, name) }, database });
  const first = await start('one');
  const aged = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'turnout'
    and backend_start < now() - interval '3 seconds'`;
  await expect.poll(async () => (await runSql(database.adminUrl, aged)).length, { timeout: 20_000 }).toBeGreaterThan(0);
  await expect(start('two')).rejects.toThrow(/FILES_URL: the files of this database are not in .*two/);
  const again = await start('one');
  expect((await again.call('GET', '/readyz')).body.checks.files).toBe('ok');
  await again.stop();
  await first.stop();
  const moved = await start('three');
  expect((await moved.call('GET', '/readyz')).body.checks.files).toBe('ok');
  await moved.stop();
  await database.drop();
});
