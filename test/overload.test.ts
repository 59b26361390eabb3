import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { operation } from '../server/src/road/operation.ts';
import { statementLimits } from '../server/src/store/kinds.ts';
import { placeWaits, sharesOf } from '../server/src/store/places.ts';
import { sql } from '../server/src/store/sql.ts';
import { runSql } from './support/database.ts';
import { noteOperations, traces } from './support/operations.ts';
import { RawClient } from './support/raw.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';
import { untilWaitingForLock } from './support/waiting.ts';

/** What one organization can do to the calls of others by reading as slowly as it can: nothing. */

const CONNECTIONS = 20;
const ATTACKS = 24;
const { ofOneOrg } = sharesOf(CONNECTIONS).shares.read;

/** A read that takes longer than any test, as the worst search would. */
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

const usual = { limits: { ...statementLimits }, waits: { ...placeWaits } };
const soon = { timeout: 60_000 };
let t: TestTurnout;
let attacker: string;
let other: string;
const scanned = { code: '', check_in_point: 'gate' };

beforeAll(async () => {
  t = await startTest({
    operations: [readEndlessly, ...noteOperations],
    env: { DATABASE_POOL: String(CONNECTIONS) },
  });
  await t.org('acme');
  await t.org('other');
  attacker = (await t.key('acme')).secret;
  other = (await t.key('other')).secret;
  const make = async (path: string, body: object) => (await t.call('POST', `/v1${path}`, { key: other, body })).body;
  await make('/events', { code: 'fair', name: 'Fair' });
  await make('/events/fair/days', { code: 'd1', date: '2036-12-01' });
  await make('/events/fair/attendee-types', { name: 'Adult' });
  await make('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/fair/publish', {});
  const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' }];
  scanned.code = (await make('/events/fair/registrations', { attendees })).attendees[0].tickets[0].code;
});
const clients: RawClient[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const client of clients.splice(0)) client.destroy();
  await untilEndless(0);
  Object.assign(statementLimits, usual.limits);
  Object.assign(placeWaits, usual.waits);
});
afterAll(() => t.stop());

const endless = async (): Promise<number> =>
  (
    await runSql(
      t.database.adminUrl,
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and state = 'active' and query like '%pg_sleep(3600)%' and pid <> pg_backend_pid()`,
    )
  )[0].n;
const untilEndless = (count: number) => vi.waitFor(async () => expect(await endless()).toBe(count), soon);

const attack = (): void => {
  const head = `GET /v1/endless HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker}\r\n\r\n`;
  clients.push(new RawClient(t.url).send(head));
};
/** So many of the reads run at once; each begins by itself, so that they do not share a transaction. The others wait. */
async function attackUntil(running: number, attacks = ATTACKS): Promise<void> {
  for (let i = 1; i <= attacks; i += 1) {
    attack();
    if (i <= running) await untilEndless(i);
  }
}
const noLimits = () => {
  statementLimits.read = 3_600_000;
  placeWaits.read = 3_600_000;
};

describe('24 endless reads of one organization', () => {
  test('leave everything else untouched, and end when their callers hang up', async () => {
    noLimits();
    await attackUntil(ofOneOrg);
    await vi.waitFor(() => expect(t.pool.places.waiting).toBeGreaterThan(0), soon);

    expect((await t.call('GET', '/v1/events', { key: other })).status).toBe(200);
    const scan = { ...scanned, client_uuid: randomUUID() };
    expect((await t.call('POST', '/v1/events/fair/scan', { key: other, body: scan })).status).toBe(200);
    expect((await t.call('POST', '/v1/groups', { key: other, body: { name: 'North' } })).status).toBe(201);
    expect((await t.call('POST', '/v1/groups', { key: attacker, body: { name: 'North' } })).status).toBe(201);
    expect((await t.call('GET', '/readyz')).status).toBe(200);
    expect(await endless()).toBe(ofOneOrg);

    for (const client of clients.splice(0)) client.destroy();
    await untilEndless(0);
    await vi.waitFor(() => expect(t.pool.places.waiting).toBe(0), soon);
    expect((await t.call('GET', '/v1/events', { key: attacker })).status).toBe(200);
  });

  test('the control: without places they take every connection, and nobody else is answered', async () => {
    noLimits();
    vi.spyOn(t.pool.places, 'take').mockImplementation(async () => () => {});
    await attackUntil(CONNECTIONS);
    await vi.waitFor(() => expect(t.pool.waitingCount).toBeGreaterThan(0), soon);
    let answered = false;
    const waiting = t.pool.waitingCount;
    const ready = t.call('GET', '/readyz').then((reply) => {
      answered = true;
      return reply;
    });
    await vi.waitFor(() => expect(t.pool.waitingCount).toBeGreaterThan(waiting), soon);
    expect(answered).toBe(false);
    for (const client of clients.splice(0)) client.destroy();
    await ready;
  });
});

describe('503 unavailable', () => {
  test('is the answer to a read that took too long, with words and Retry-After', async () => {
    statementLimits.read = 20;
    const reply = await t.call('GET', '/v1/endless', { key: attacker });
    expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
    expect(reply.body.error.message).toMatch(/^This took longer than a read may/);
    expect(reply.headers.get('retry-after')).toBe('1');
  });

  test('is the answer to a write that took too long; a retry runs as new work', async () => {
    statementLimits.write = 100;
    const note = (wait_ms: number, text: string) =>
      t.call('POST', '/v1/notes', { key: attacker, idempotencyKey: 'slow', body: { text, wait_ms } });
    const reply = await note(3_600_000, 'slow');
    expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
    expect(await traces(t, 'slow')).toEqual({ notes: 0, audit: 0, outbox: 0 });
    statementLimits.write = usual.limits.write;
    expect((await note(0, 'slow')).status).toBe(201); // another body: no claim was kept
    expect(await traces(t, 'slow')).toEqual({ notes: 1, audit: 1, outbox: 1 });
  });

  test('is the answer to a read for which no place becomes free', async () => {
    noLimits();
    await attackUntil(ofOneOrg, ofOneOrg);
    placeWaits.read = 1;
    const reply = await t.call('GET', '/v1/events', { key: attacker });
    expect([reply.status, reply.body.error.code]).toEqual([503, 'unavailable']);
    expect(reply.body.error.message).toMatch(/^Too many calls are running/);
    expect(reply.headers.get('retry-after')).toBe('1');
  });
});

test('a write that waits for its turn is done although its caller has hung up, if a twin waits for it', async () => {
  const send = (text: string, key: string) => {
    const body = JSON.stringify({ text });
    return new RawClient(t.url).send(
      `POST /v1/shared-notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker}\r\nIdempotency-Key: ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
  let unlock!: () => void;
  const locked = new Promise<void>((locks) => {
    void t.system(async (tx) => {
      await tx.run(sql`lock table mails in exclusive mode`);
      locks();
      await new Promise<void>((resolve) => {
        unlock = resolve;
      });
    });
  });
  await locked;
  clients.push(send('first', 'first'));
  await untilWaitingForLock(t.database);
  const leaving = [send('twin', 'twin'), send('alone', 'alone')];
  await vi.waitFor(() => expect(t.road.waiting).toBe(2), soon);
  const twin = t.call('POST', '/v1/shared-notes', { key: attacker, idempotencyKey: 'twin', body: { text: 'twin' } });
  await untilTwin();
  for (const client of leaving) client.destroy();
  await Promise.all(leaving.map((client) => client.closed));
  // The server has seen them hang up when it has answered a call that came later.
  expect((await t.call('GET', '/healthz')).status).toBe(200);
  unlock();
  expect((await twin).status).toBe(201);
  expect(await traces(t, 'twin')).toEqual({ notes: 1, audit: 1, outbox: 1 });
  expect(await traces(t, 'alone')).toEqual({ notes: 0, audit: 0, outbox: 0 });
});
/** The twin has arrived when the server has answered a call of the same key that came later. */
const untilTwin = () => t.call('GET', '/v1/me', { key: attacker });
