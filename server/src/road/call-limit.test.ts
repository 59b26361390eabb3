import { randomUUID } from 'node:crypto';
import { Body } from '@turnout/contract';
import pg from 'pg';
import Type from 'typebox';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { runSql } from '../../../test/support/database.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../test/support/waiting.ts';
import { newId } from '../common/ids.ts';
import { callLimits } from '../store/deadline.ts';
import { statementLimits } from '../store/kinds.ts';
import { sql } from '../store/sql.ts';
import { operation } from './operation.ts';

const LOCK = 4711;
const usual = { calls: { ...callLimits }, statements: { ...statementLimits } };
/** Which calls have begun. */
const begun: string[] = [];

/** Waits for a lock that the test holds. With `more`, another statement follows. */
const wait = operation({
  id: 'waitForLock',
  method: 'POST',
  path: '/waiting',
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  audit: 'note.waited',
  at: {},
  inTurn: () => 'waiting',
  body: Body({ text: Type.String(), more: Type.Boolean() }),
  reply: Type.Object({ text: Type.String() }),
  status: 201,
  refusals: [],
  tag: 'Notes',
  summary: 'Waits for a lock',
  handle: async ({ tx, org, body, changed }) => {
    begun.push(body.text);
    const now = tx.clock.now();
    await tx.run(sql`
      insert into mails (org_id, id, kind, recipient, subject, text, status, next_attempt_at, created_at)
      values (${org}, ${newId(now)}, 'note', 'nobody', ${body.text}, '', 'sent', ${now}, ${now})`);
    await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
    if (body.more) await tx.run(sql`select 1`);
    changed({ kind: 'organization', id: org, changes: { text: [null, body.text] } });
    return { text: body.text };
  },
});

const readEndlessly = operation({
  id: 'readEndlessly',
  method: 'GET',
  path: '/endless',
  scope: 'read',
  entitlement: 'api_read',
  member: null,
  at: {},
  reply: Type.Object({}),
  refusals: [],
  tag: 'Notes',
  summary: 'An endless read',
  handle: async ({ tx }) => {
    await tx.run(sql`select pg_sleep(3600)`);
    return {};
  },
});

let t: TestTurnout;
let key: string;
let holder: pg.Client;
beforeAll(async () => {
  t = await startTest({ operations: [wait, readEndlessly] });
  await t.org('acme');
  key = (await t.key('acme')).secret;
  holder = new pg.Client({ connectionString: t.database.adminUrl });
  await holder.connect();
});
afterEach(async () => {
  Object.assign(callLimits, usual.calls);
  Object.assign(statementLimits, usual.statements);
  await holder.query('select pg_advisory_unlock_all()');
  begun.length = 0;
});
afterAll(async () => {
  await holder.end();
  await t.stop();
});

const hold = () => holder.query(`select pg_advisory_lock(${LOCK})`);
const release = () => holder.query(`select pg_advisory_unlock(${LOCK})`);
const send = (text: string, { more = true, idempotencyKey = randomUUID() as string } = {}) =>
  t.call('POST', '/v1/waiting', { key, idempotencyKey, body: { text, more } });
const recorded = async (text: string) =>
  (await runSql(t.database.adminUrl, `select 1 from mails where subject = $1`, [text])).length;
const untilNothingRuns = () =>
  expect
    .poll(() =>
      runSql(
        t.database.adminUrl,
        `select query from pg_stat_activity where datname = current_database() and application_name = 'turnout' and state <> 'idle'`,
      ),
    )
    .toEqual([]);
const expectTooLong = ({ status, headers, body }: Awaited<ReturnType<typeof send>>) => {
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  expect(body.error.message).toMatch(/took too long/);
};

test('a write that takes too long is answered with 503, stopped before its next statement and rolled back; its retry runs as new work', async () => {
  await hold();
  callLimits.usual = 1000;
  const idempotencyKey = randomUUID();
  expectTooLong(await send('stopped', { idempotencyKey }));
  callLimits.usual = usual.calls.usual;
  await release();
  await untilNothingRuns();
  expect(await recorded('stopped')).toBe(0);
  const again = await send('stopped', { idempotencyKey });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(await recorded('stopped')).toBe(1);
});

test('the control: with more time, the same call is done once the lock is free', async () => {
  await hold();
  const call = send('control');
  await untilWaitingForLock(t.database);
  await release();
  expect((await call).status).toBe(201);
  expect(await recorded('control')).toBe(1);
});

test('what was committed after all is answered to the retry', async () => {
  await hold();
  callLimits.usual = 1000;
  const idempotencyKey = randomUUID();
  expectTooLong(await send('kept', { more: false, idempotencyKey }));
  callLimits.usual = usual.calls.usual;
  await release();
  await untilNothingRuns();
  expect(await recorded('kept')).toBe(1);
  const again = await send('kept', { more: false, idempotencyKey });
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(await recorded('kept')).toBe(1);
});

test('a call that still waits for its turn is not begun', async () => {
  await hold();
  const first = send('first');
  await untilWaitingForLock(t.database);
  callLimits.usual = 500;
  expectTooLong(await send('second'));
  await release();
  expect((await first).status).toBe(201);
  await untilNothingRuns();
  expect(begun).toEqual(['first']);
});

test('a twin that may wait for longer gets the result', async () => {
  await hold();
  const idempotencyKey = randomUUID();
  callLimits.usual = 2000;
  const first = send('twins', { idempotencyKey });
  await untilWaitingForLock(t.database);
  callLimits.usual = usual.calls.usual;
  const twin = send('twins', { idempotencyKey });
  expectTooLong(await first);
  await release();
  const answer = await twin;
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
  expect(begun).toEqual(['twins']);
  expect(await recorded('twins')).toBe(1);
});

test('a read that takes too long is stopped in PostgreSQL', async () => {
  statementLimits.read = 600_000;
  callLimits.usual = 1000;
  expectTooLong(await t.call('GET', '/v1/endless', { key }));
  await untilNothingRuns();
});
