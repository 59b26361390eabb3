import { randomUUID } from 'node:crypto';
import { decide } from '@turnout/checkin';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { Doors } from '../../../../test/support/scan-client.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, newId, toUuid } from '../../common/ids.ts';
import type * as Clocks from '../../store/clocks.ts';
import { openPool, type Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { eventById } from '../events/index.ts';
import { worldFor } from './checkins.ts';
import type { ScanWorld } from './world.ts';

/**
 * "Two scanners at the same moment: exactly one `accepted`". What guarantees it is one line: scans hold the event's clock until
 * they commit (decision 0015). Here that line can be switched off, with everything else unchanged.
 */
const guard = vi.hoisted(() => ({ on: true }));
vi.mock('../../store/clocks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Clocks>();
  const unguarded = async (tx: Tx): Promise<string> =>
    (await tx.one<{ at: string }>(sql`select clock_timestamp() as at`)).at;
  return {
    ...real,
    stampEvent: (tx: Tx, org: Id, event: Id) => (guard.on ? real.stampEvent(tx, org, event) : unguarded(tx)),
  };
});

const CLIENTS = 50;
const TICKETS = 200;

let processes: TestTurnout[];
let doors: Doors[];
let key: string;
let org: Id;
let event: Id;
beforeAll(async () => {
  const first = await startTest({ clock: noonClock() });
  processes = [first, await startTest({ database: first.database, clock: first.clock })];
  org = await first.org('acme');
  await first.plan('acme', 'scale', [['api_rate_per_min', '10000000']]);
  key = (await first.key('acme', { rpm: 10_000_000 })).secret;
  event = toUuid((await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' })).id);
  await post('/events/fair/days', { code: 'today', date: first.clock.now().toISOString().slice(0, 10) });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await post('/events/fair/check-in-points', { code: 'back', name: 'Back gate', kind: 'entry' });
  await post('/events/fair/publish');
  doors = processes.map(({ url }) => new Doors(url, 'fair', key, CLIENTS));
});
afterAll(async () => {
  for (const one of doors) await one.close();
  for (const one of [...processes].reverse()) await one.stop();
});

async function post(path: string, body: unknown = {}) {
  const reply = await processes[0]!.call('POST', `/v1${path}`, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

interface Issued {
  attendee: Id;
  ticket: Id;
  code: string;
}
async function tickets(count: number): Promise<Issued[]> {
  const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Racer' };
  const { attendees } = await post('/events/fair/registrations', {
    attendees: Array.from({ length: count }, () => person),
    send_emails: false,
  });
  return attendees.map((one: { id: string; tickets: { id: string; code: string }[] }) => ({
    attendee: toUuid(one.id),
    ticket: toUuid(one.tickets[0]!.id),
    code: one.tickets[0]!.code,
  }));
}

/** Scans one ticket after the other, each by 50 clients at once at two gates, and counts the results. */
async function rush(issued: readonly Issued[], at: readonly Doors[]): Promise<Map<string, number>[]> {
  const rounds: Map<string, number>[] = [];
  for (const { code } of issued) {
    const told = new Map<string, number>();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, i) => {
        const check_in_point = i % 3 === 0 ? 'back' : 'gate';
        const { status, text } = await at[i % at.length]!.scan({ code, check_in_point, client_uuid: randomUUID() });
        const result = status === 200 ? JSON.parse(text).result : `${status} ${text}`;
        told.set(result, (told.get(result) ?? 0) + 1);
      }),
    );
    rounds.push(told);
  }
  return rounds;
}

/** How often each attendee is recorded as admitted. */
async function admissions(issued: readonly Issued[]): Promise<number[]> {
  const rows = await processes[0]!.system((tx) =>
    tx.all<{ id: Id; n: number }>(sql`
      select attendee_id as id, count(*)::int as n from checkins
      where org_id = ${org} and attendee_id = any(${issued.map((one) => one.attendee)}) and admitted group by 1`),
  );
  const byPerson = new Map(rows.map((row) => [row.id, row.n]));
  return issued.map((one) => byPerson.get(one.attendee) ?? 0);
}

const twice = (counts: readonly number[]): number => counts.filter((count) => count > 1).length;

describe(`${TICKETS} tickets, each scanned by ${CLIENTS} clients at once`, () => {
  test.each([
    ['one process', 1],
    ['two processes', 2],
  ])(
    '%s: exactly one is accepted each time',
    async (_name, servers) => {
      const issued = await tickets(TICKETS);
      const rounds = await rush(issued, doors.slice(0, servers));
      const wanted = new Map([
        ['accepted', 1],
        ['duplicate', CLIENTS - 1],
      ]);
      for (const told of rounds) expect(told).toEqual(wanted);
      expect(await admissions(issued)).toEqual(issued.map(() => 1));
    },
    180_000,
  );

  test('the control: with the guard off, two processes admit twice', async () => {
    const issued = await tickets(30);
    guard.on = false;
    try {
      const rounds = await rush(issued, doors);
      expect(rounds.filter((told) => (told.get('accepted') ?? 0) > 1)).not.toEqual([]);
      expect(twice(await admissions(issued))).toBeGreaterThan(0);
    } finally {
      guard.on = true;
    }
  });
});

/**
 * Shows why locking and reading the history must be two statements. It uses the nearest other lock, that of the attendee's row:
 * a single statement that does both sees the state from before its wait. The decision and the tables are the same.
 */
describe('locking the person’s row, by hand', () => {
  let pool: Pool;
  let world: ScanWorld;
  beforeAll(async () => {
    pool = openPool({ url: processes[0]!.database.url, max: CLIENTS });
    world = await inside((tx) => eventById(tx, org, event).then((row) => worldFor({ tx, org }, row!)));
  });
  afterAll(() => pool.end());

  const inside = <T>(work: (tx: Tx) => Promise<T>) =>
    transaction(pool, processes[0]!.clock, { role: 'app', org }, work);

  interface Row {
    check_in_point_id: Id;
    day_id: Id;
    scanned_at: string;
    seq: number;
  }
  const history = sql`select k.check_in_point_id, k.day_id, k.scanned_at, k.seq from checkins k`;
  async function atOnce(tx: Tx, person: Id): Promise<Row[]> {
    const rows = await tx.all<Row>(sql`
      select h.* from attendees a
      left join lateral (${history} where k.org_id = a.org_id and k.attendee_id = a.id and k.admitted) h on true
      where a.org_id = ${org} and a.id = ${person} for update of a`);
    return rows.filter((row) => row.seq !== null);
  }
  async function oneAfterTheOther(tx: Tx, person: Id): Promise<Row[]> {
    await tx.run(sql`select from attendees a where a.org_id = ${org} and a.id = ${person} for update`);
    return tx.all<Row>(sql`${history} where k.org_id = ${org} and k.attendee_id = ${person} and k.admitted`);
  }

  const admit = ({ attendee, ticket }: Issued, read: typeof atOnce) =>
    inside(async (tx) => {
      const rows = await read(tx, attendee);
      const now = tx.clock.now();
      const gate = world.pointByRef.get('gate')!;
      const [type] = world.types.keys();
      const decision = decide(world.prepared, {
        check_in_point: gate.id,
        at: now.getTime(),
        mode: 'live',
        ticket: {
          status: 'valid',
          test: false,
          people: [
            {
              id: attendee,
              attendee_type: type!,
              group: null,
              confirmed: true,
              days: [...world.days.keys()],
              admissions: rows.map((row) => ({
                check_in_point: row.check_in_point_id,
                kind: 'entry',
                day: row.day_id,
                at: Date.parse(row.scanned_at),
                seq: row.seq,
              })),
            },
          ],
        },
      });
      const [{ result, reason, admitted, day }] = decision.people as [(typeof decision.people)[number]];
      await tx.run(sql`
        insert into checkins (org_id, id, event_id, attendee_id, ticket_id, check_in_point_id, kind, day_id, result, reason, admitted,
          scanned_at, recorded_at, test, skewed, actor_kind, actor_name)
        values (${org}, ${newId(now)}, ${event}, ${attendee}, ${ticket}, ${gate.id}, 'entry', ${day}, ${result}, ${reason}, ${admitted},
          ${now}, ${now}, false, false, 'system', 'race')`);
    });

  async function race(read: typeof atOnce): Promise<number> {
    const issued = await tickets(8);
    for (const one of issued) await Promise.all(Array.from({ length: CLIENTS }, () => admit(one, read)));
    return twice(await admissions(issued));
  }

  test('with the history read in a second statement nobody is admitted twice', async () => {
    expect(await race(oneAfterTheOther)).toBe(0);
  });

  test('the control: with lock and history in one statement people are admitted twice', async () => {
    expect(await race(atOnce)).toBeGreaterThan(0);
  });
});
