import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHECKS, examine } from '../server/src/cli/doctor/index.ts';
import { MovedClock } from '../server/src/clock.ts';
import { readConfig } from '../server/src/config.ts';
import { replicaWait } from '../server/src/store/replica.ts';
import { runSql } from './support/database.ts';
import { type Pair, startPair } from './support/standby.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** More than an export writes in its call. */
const PEOPLE = 2_001;
const usualWait = replicaWait.ms;
let pair: Pair;
let t: TestTurnout;
let key: string;
let files: string;

const post = async (path: string, body: object) => {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
};

beforeAll(async () => {
  pair = await startPair();
  files = mkdtempSync(join(tmpdir(), 'turnout-replica-'));
  const database = { url: pair.url, adminUrl: pair.adminUrl, files, drop: async () => {} };
  t = await startTest({ database, env: { DATABASE_REPLICA_URL: pair.standbyUrl } });
  await t.org('acme');
  await t.plan('acme', 'scale', [['attendees_per_event', '10000']]);
  key = (await t.key('acme')).secret;
  await post('/events', { code: 'fair', name: 'Fair' });
  await post('/events/fair/days', { code: 'd1', date: '2027-05-01' });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/publish', {});
  const rows = Array.from({ length: PEOPLE }, (_, n) => `Ada,Visitor ${n},v${n}@example.org`);
  const imported = await t.call('POST', '/v1/events/fair/imports', {
    key,
    headers: { 'content-type': 'text/csv' },
    body: ['First name,Last name,Email', ...rows].join('\n'),
  });
  expect(imported.status, imported.text).toBe(202);
  await t.step.jobs();
}, 600_000);
afterAll(async () => {
  replicaWait.ms = usualWait;
  await t?.stop();
  pair?.end();
  if (files !== undefined) rmSync(files, { recursive: true, force: true });
});

/** How often people were read on the standby. */
const readsOfStandby = (): number => pair.askedOfStandby().split(/\bfrom attendees\b/).length - 1;

async function exported(): Promise<string[]> {
  const { id } = await post('/exports', { what: 'people', format: 'csv', event: 'fair' });
  await t.step.jobs();
  const job = await t.call('GET', `/v1/jobs/${id}`, { key });
  expect([job.body.status, job.body.error]).toEqual(['succeeded', null]);
  const file = await fetch(t.url + new URL(job.body.result_url).pathname);
  return (await file.text()).trim().split('\r\n');
}
let walkIns = 0;
const register = async (): Promise<string> => {
  walkIns += 1;
  const email = `late${walkIns}@example.org`;
  const person = { attendee_type: 'adult', first_name: 'Late', last_name: 'Comer', email, days: ['d1'] };
  await post('/events/fair/registrations', { attendees: [person] });
  return email;
};

test('an export is read from the standby, and shows who registered just before', async () => {
  const before = readsOfStandby();
  const email = await register();
  const rows = await exported();
  expect(rows).toHaveLength(1 + PEOPLE + walkIns);
  expect(rows.some((row) => row.includes(email))).toBe(true);
  expect(readsOfStandby()).toBeGreaterThan(before);
});

test('a standby that is behind is not read', async () => {
  onTestFinished(async () => {
    replicaWait.ms = usualWait;
    await runSql(pair.standbyAdminUrl, 'select pg_wal_replay_resume()');
  });
  await runSql(pair.standbyAdminUrl, 'select pg_wal_replay_pause()');
  replicaWait.ms = 300;
  const before = readsOfStandby();
  const email = await register();
  const rows = await exported();
  expect(rows.some((row) => row.includes(email))).toBe(true);
  expect(readsOfStandby()).toBe(before);
});

test('another PostgreSQL that is no standby of this one is not read', async () => {
  const { Replica } = await import('../server/src/store/replica.ts');
  const itself = new Replica(pair.url, 2);
  try {
    expect(await itself.shows(t.pool)).toBe(false);
  } finally {
    await itself.pool.end();
  }
});

test('when the standby is gone, exports are read from the primary', async () => {
  pair.stopStandby();
  onTestFinished(() => pair.startStandby());
  const email = await register();
  const rows = await exported();
  expect(rows).toHaveLength(1 + PEOPLE + walkIns);
  expect(rows.some((row) => row.includes(email))).toBe(true);
});

test('doctor says whether exports are read from the standby', async () => {
  const look = async (url?: string) => {
    const env = { DATA_DIR: files, DATABASE_URL: pair.url, ...(url && { DATABASE_REPLICA_URL: url }) };
    const checks = CHECKS.filter(({ name }) => name === 'standby for exports');
    const { findings } = await examine(readConfig(env), { clock: new MovedClock() }, checks);
    return findings.map(({ state, says }) => [state, says]);
  };
  expect(await look()).toEqual([['ok', 'There is none, so exports read the database itself.']]);
  expect(await look(pair.standbyUrl)).toEqual([['ok', 'It shows what was just committed.']]);
  expect(await look(pair.url)).toMatchObject([['warning', expect.stringContaining('is no standby of this database')]]);
});
