import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../server/src/store/sql.ts';
import { noonClock } from './support/clock.ts';
import { Doors, type SentScan } from './support/scan-client.ts';
import { endProcesses, type ServerProcess, startProcess } from './support/scan-process.ts';
import { call, startTest, type TestTurnout } from './support/turnout.ts';

const TICKETS = 2500;
const SCANS_OF_EACH = 4;
const DOORS = 32;

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ clock: noonClock() }); // to set up the event and look at the database; the scans go to the child processes
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '10000000']]);
  key = (await t.key('acme', { rpm: 10_000_000 })).secret;
});
afterAll(async () => {
  endProcesses();
  await t.stop();
});

async function post(path: string, body: unknown = {}) {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

async function openFair(): Promise<string[]> {
  await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  await post('/events/fair/days', { code: 'today', date: t.clock.now().toISOString().slice(0, 10) });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  for (const code of ['gate', 'back']) {
    await post('/events/fair/check-in-points', { code, name: code, kind: 'entry' });
  }
  await post('/events/fair/publish');
  const codes: string[] = [];
  const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Visitor' };
  const together = 125;
  for (let made = 0; made < TICKETS; made += together) {
    const attendees = Array.from({ length: together }, () => person);
    const registration = await post('/events/fair/registrations', { attendees, send_emails: false });
    for (const { tickets } of registration.attendees) codes.push(tickets[0].code);
  }
  return codes;
}

/** A scan as a device keeps it until it is answered. */
interface Kept {
  scan: SentScan;
  /** Without one, only the `client_uuid` says that it is a retry. */
  idempotencyKey: string | null;
  tries: number;
  answer: string | null;
}

/** Two scans of a ticket come shortly after one another, at different points; the last two come much later. */
function scansOf(codes: readonly string[]): Kept[] {
  const kept: Kept[] = [];
  for (let pass = 0; pass < SCANS_OF_EACH / 2; pass += 1) {
    for (const code of codes) {
      for (const check_in_point of ['gate', 'back']) {
        const scan = { code, check_in_point, client_uuid: randomUUID() };
        kept.push({ scan, idempotencyKey: kept.length % 3 === 0 ? null : randomUUID(), tries: 0, answer: null });
      }
    }
  }
  return kept;
}

interface OnRecord {
  id: string;
  client_uuid: string;
  attendee_id: string;
  admitted: boolean;
}
const record = () =>
  t.system((tx) => tx.all<OnRecord>(sql`select id, client_uuid, attendee_id, admitted from checkins order by seq`));
/** For each scan: its stored answer, the data of its webhook, and the row of the audit log that names its check-in. */
const traces = () =>
  t.system((tx) =>
    tx.one<{ answers: number; told: number; audited: number }>(sql`
      select (select count(*)::int from scans) as answers,
        (select count(*)::int from outbox where type = 'checkin.recorded') as told,
        (select count(*)::int from audit_log a join checkins c on c.org_id = a.org_id and c.id = a.object_id
          where a.action = 'checkin.recorded') as audited`),
  );

test('10,000 scans and five kill -9: each answered scan is recorded once, nobody is admitted twice, and a retry gets the first answer', async () => {
  const kept = scansOf(await openFair());
  const queue = kept.values();
  let answered = 0;
  let alive: Promise<ServerProcess & { doors: Doors }>;
  const start = (crash?: 'before-commit' | 'after-commit') => {
    alive = startProcess(t, crash).then((one) => ({ ...one, doors: new Doors(one.url, 'fair', key, DOORS) }));
    alive.catch(() => {}); // each scanner notices it by itself
    return alive;
  };
  const unanswered = async () => {
    const open = new Set(kept.filter((one) => one.answer === null).map((one) => one.scan.client_uuid));
    return (await record()).filter((row) => open.has(row.client_uuid)).length;
  };

  /** Scans until nothing is left. After a broken connection, the scan is sent again to the next server. */
  async function door(): Promise<void> {
    for (const one of queue) {
      while (one.answer === null) {
        const mine = alive;
        const server = await mine;
        one.tries += 1;
        try {
          const reply = await server.doors.scan(one.scan, one.idempotencyKey ?? randomUUID());
          if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
          one.answer = reply.text;
          answered += 1;
        } catch (error) {
          if (/^\d{3} /.test((error as Error).message)) throw error;
          while (alive === mine) await pause(5);
        }
      }
    }
  }

  const killedAfter = async (count: number) => {
    const server = await alive;
    while (answered < count) await pause(1);
    server.child.kill('SIGKILL');
    return server.gone;
  };

  start();
  const doors = Promise.all(Array.from({ length: DOORS }, door));
  // Any answer other than 200 ends the test at once.
  const failed = doors.then(() => new Promise<never>(() => {}));
  const signals: (NodeJS.Signals | null)[] = [];
  const kills = async () => {
    signals.push(await killedAfter(2000));
    // The worst moment: committed, and nobody was answered.
    signals.push(await (await start('after-commit')).gone);
    expect(await unanswered()).toBeGreaterThan(0);
    await start();
    signals.push(await killedAfter(4500));
    // The opposite: decided, and nothing is committed.
    const doomed = await start('before-commit');
    const before = (await record()).length;
    signals.push(await doomed.gone);
    expect((await record()).length).toBe(before);
    await start();
    signals.push(await killedAfter(7000));
    await start();
  };
  await Promise.race([kills(), failed]);
  await doors;
  expect(signals).toEqual(Array(5).fill('SIGKILL'));
  expect(kept.filter((one) => one.tries > 1).length).toBeGreaterThan(5);

  const results = new Map<string, string[]>();
  for (const { scan, answer } of kept) {
    const list = results.get(scan.code) ?? [];
    results.set(scan.code, [...list, JSON.parse(answer!).result]);
  }
  expect(results.size).toBe(TICKETS);
  for (const list of results.values()) expect(list.sort()).toEqual(['accepted', 'duplicate', 'duplicate', 'duplicate']);

  const rows = await record();
  expect(rows.length).toBe(kept.length);
  const byScan = new Map(rows.map((row) => [row.client_uuid, row]));
  expect(byScan.size).toBe(kept.length);
  const admitted = rows.filter((row) => row.admitted).map((row) => row.attendee_id);
  expect([admitted.length, new Set(admitted).size]).toEqual([TICKETS, TICKETS]);
  expect(await traces()).toEqual({ answers: kept.length, told: kept.length, audited: kept.length });

  // The stored answer of a scan is what its device was answered, byte for byte: when it is sent again alone, and in a batch.
  const { url, doors: last, child, gone } = await alive!;
  for (const one of kept.filter((_, i) => i % 50 === 1)) {
    const again = await last.scan(one.scan, one.idempotencyKey ?? randomUUID());
    expect([again.text, again.replayed]).toEqual([one.answer, one.idempotencyKey !== null]);
  }
  for (let from = 0; from < kept.length; from += 500) {
    const part = kept.slice(from, from + 500);
    const reply = await call(url, 'POST', '/api/v1/events/fair/scan/batch', {
      key,
      body: { scans: part.map((one) => one.scan) },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.results.map((one: unknown) => JSON.stringify(one))).toEqual(part.map((one) => one.answer));
  }
  expect((await record()).length).toBe(kept.length);
  await last.close();
  child.kill('SIGTERM');
  expect(await gone).toBeNull();
}, 180_000);
