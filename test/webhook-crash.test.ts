import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LEASE } from '../server/src/areas/webhooks/claim.ts';
import type { Id } from '../server/src/common/ids.ts';
import { Outbound } from '../server/src/outside/https.ts';
import { writeOutbox } from '../server/src/road/write/record.ts';
import { sql } from '../server/src/store/sql.ts';
import { transaction } from '../server/src/store/tx.ts';
import { Authority, type Receiver, startReceiver } from './support/receivers.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

const OCCURRENCES = 10_000;
const IN_ONE = 20;
const KILLS = 5;

const folder = mkdtempSync(join(tmpdir(), 'turnout-hooks-'));
const ca = join(folder, 'ca.pem');
let t: TestTurnout;
let org: Id;
let receiver: Receiver;
const workers = new Set<ChildProcess>();
beforeAll(async () => {
  const authority = await Authority.make();
  writeFileSync(ca, authority.pem);
  receiver = await startReceiver(await authority.issue(['127.0.0.1']));
  t = await startTest({ webhooks: new Outbound({ allowedNetworks: ['127.0.0.1/32'] }) });
  org = await t.org('acme');
  const { secret: key } = await t.key('acme');
  const made = await t.call('POST', '/v1/webhooks', { key, body: { url: receiver.url(), events: ['*'] } });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  for (const child of workers) child.kill('SIGKILL');
  await receiver.stop();
  await t.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function worker(ahead: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./support/webhook-worker.ts', import.meta.url))], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: t.database.url,
      FILES_URL: t.database.files,
      DATABASE_POOL: '6',
      SANDBOX: 'off',
      ROLES: 'worker',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
      WEBHOOK_CA_FILE: ca,
      AHEAD: String(ahead),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  workers.add(child);
  await once(child.stdout!, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  workers.delete(child);
}

/** Raises the occurrences from one number to another. Every fifth transaction is rolled back. */
async function raise(from: number, to: number, committed: Set<number>): Promise<void> {
  for (let first = from; first < to; first += IN_ONE) {
    const numbers = Array.from({ length: IN_ONE }, (_, i) => first + i);
    const regrets = (first / IN_ONE) % 5 === 4;
    await transaction(t.pool, t.clock, { role: 'app', org }, async (tx) => {
      writeOutbox(
        tx,
        org,
        numbers.map((n) => ({ type: 'ticket.issued', event: null, group: null, livemode: true, data: { n } })),
      );
      await tx.one(sql`select 1`);
      if (regrets) throw new Error('on purpose');
    }).catch((error: Error) => expect(error.message).toBe('on purpose'));
    if (!regrets) for (const n of numbers) committed.add(n);
  }
}

test(`${OCCURRENCES} occurrences while workers are killed: each arrives with one id, and nothing that was rolled back does`, async () => {
  let ahead = 0;
  const committed = new Set<number>();
  const part = (OCCURRENCES * 1.25) / KILLS;
  const pair = [await worker(ahead), await worker(ahead)];
  for (let i = 0; i < KILLS; i += 1) {
    const before = receiver.received.length;
    const raising = raise(i * part, (i + 1) * part, committed);
    await expect.poll(() => receiver.received.length, { timeout: 30_000, interval: 10 }).toBeGreaterThan(before + 200);
    await kill(pair.shift()!);
    ahead += LEASE + 1000;
    pair.push(await worker(ahead));
    await raising;
  }
  expect(committed.size).toBe(OCCURRENCES);
  const waiting = () =>
    t.system(async (tx) => {
      const { outbox, queue } = await tx.one<{ outbox: number; queue: number }>(sql`
        select (select count(*)::int from outbox) as outbox, (select count(*)::int from webhook_queue) as queue`);
      return outbox + queue;
    });
  // What a killed worker was sending is taken over when its lease is over, which is at once for a clock that is ahead.
  await kill(pair.shift()!);
  pair.push(await worker(ahead + LEASE + 1000));
  await expect.poll(waiting, { timeout: 60_000, interval: 200 }).toBe(0);

  const ids = new Map<number, Set<string>>();
  for (const { body } of receiver.received) {
    const { id, data } = JSON.parse(body.toString()) as { id: string; data: { n: number } };
    ids.set(data.n, (ids.get(data.n) ?? new Set()).add(id));
  }
  expect([...ids.keys()].filter((n) => !committed.has(n))).toEqual([]);
  expect([...committed].filter((n) => !ids.has(n))).toEqual([]);
  expect([...ids.values()].filter((one) => one.size > 1)).toEqual([]);
  expect(new Set([...ids.values()].flatMap((one) => [...one])).size).toBe(OCCURRENCES);
  const log = await t.system((tx) =>
    tx.one<{ delivered: number; attempts: number }>(sql`
      select (select count(distinct delivery_id)::int from webhook_attempts where succeeded) as delivered,
        (select count(*)::int from webhook_attempts where cause is null) as attempts`),
  );
  expect(log).toEqual({ delivered: OCCURRENCES, attempts: OCCURRENCES });
  expect(receiver.received.length).toBeGreaterThanOrEqual(OCCURRENCES);
}, 180_000);
