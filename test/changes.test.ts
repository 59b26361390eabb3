import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Id, newId, toUuid } from '../server/src/common/ids.ts';
import { stampEvent } from '../server/src/store/clocks.ts';
import { sql } from '../server/src/store/sql.ts';
import { sixDecimals } from '../server/src/store/stamps.ts';
import { type Tx, transaction } from '../server/src/store/tx.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

let t: TestTurnout;
let org: Id;
let key: string;
beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

async function event(code: string): Promise<Id> {
  const reply = await t.call('POST', '/v1/events', { key, body: { code, name: code } });
  expect(reply.status).toBe(201);
  return toUuid(reply.body.id);
}

/** Writes a day in a transaction that stays open for a while after it took its stamp. */
async function writeDay(eventId: Id, code: string, stamp: (tx: Tx) => Promise<string>, openMs: number): Promise<void> {
  await transaction(t.pool, t.clock, { role: 'app', org }, async (tx) => {
    const at = await stamp(tx);
    await tx.run(sql`
      insert into days (org_id, id, event_id, code, name, date, created_at, updated_at)
      values (${org}, ${newId(t.clock.now())}, ${eventId}, ${code}, ${code}, '2036-11-15', ${at}, ${at})`);
    await tx.run(sql`select pg_sleep(${openMs / 1000})`);
  });
}

/** A client as the API documents it: it keeps the newest `updated_at` that it has seen, and asks again with it. */
async function follow(eventCode: string, until: () => boolean): Promise<Set<string>> {
  const seen = new Set<string>();
  let since = '2000-01-01T00:00:00Z';
  let last = false;
  for (;;) {
    const stopAfter = last;
    const from = since; // all pages of one walk have the same `updated_since`
    let cursor = '';
    do {
      const page = await t.call(
        'GET',
        `/v1/events/${eventCode}/days?limit=200&updated_since=${from}${cursor && `&cursor=${cursor}`}`,
        { key },
      );
      expect(page.status).toBe(200);
      for (const day of page.body.data) {
        seen.add(day.code);
        if (day.updated_at > since) since = day.updated_at;
      }
      cursor = page.body.page.next_cursor ?? '';
    } while (cursor !== '');
    if (stopAfter) return seen;
    last = until();
  }
}

async function race(
  code: string,
  stampFor: (eventId: Id) => (tx: Tx) => Promise<string>,
): Promise<{ written: string[]; seen: Set<string> }> {
  const id = await event(code);
  let running = true;
  const following = follow(code, () => !running);
  const written: string[] = [];
  // Transactions of very different length, so that they commit in another order than they began.
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 12; i += 1) {
        const name = `${code}-${writer}-${i}`;
        await writeDay(id, name, stampFor(id), (writer * 7 + i * 3) % 25);
        written.push(name);
      }
    }),
  );
  running = false;
  return { written, seen: await following };
}

describe('updated_since under concurrent writers', () => {
  // claim: attendees-since
  test('loses nothing with the event clock', async () => {
    const { written, seen } = await race('clocked', (id) => (tx) => stampEvent(tx, org, id));
    expect(written.filter((code) => !seen.has(code))).toEqual([]);
    expect(written).toHaveLength(96);
  });

  test('the control: stamped with the time of day, changes are lost', async () => {
    const { written, seen } = await race('naive', () => async (tx) => tx.clock.now().toISOString());
    expect(written.filter((code) => !seen.has(code)).length).toBeGreaterThan(0);
  });
});

describe('the stamps', () => {
  test('grow even when the clock of the machine is set back', async () => {
    const id = await event('backwards');
    const stamp = () => transaction(t.pool, t.clock, { role: 'app', org }, (tx) => stampEvent(tx, org, id));
    const first = sixDecimals(await stamp());
    t.clock.advance(-3_600_000);
    const second = sixDecimals(await stamp());
    const third = sixDecimals(await stamp());
    t.clock.advance(3_600_000);
    expect([first, second, third]).toEqual([first, second, third].sort());
    expect(new Set([first, second, third]).size).toBe(3);
  });
});

describe('pages', () => {
  // claim: list-page
  test('show every row once, and refuse the cursor of another list', async () => {
    await event('paged');
    await event('other');
    for (let i = 0; i < 7; i += 1) {
      await t.call('POST', '/v1/events/paged/days', { key, body: { code: `p${i}`, date: '2036-11-15' } });
    }
    const codes: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await t.call('GET', `/v1/events/paged/days?limit=3${cursor ? `&cursor=${cursor}` : ''}`, { key });
      codes.push(...page.body.data.map((day: { code: string }) => day.code));
      expect(page.body.page.has_more).toBe(page.body.page.next_cursor !== null);
      cursor = page.body.page.next_cursor;
      if (cursor !== null) {
        for (const other of [
          '/v1/events',
          '/v1/groups',
          '/v1/events/other/days',
          '/v1/events/paged/days?updated_since=2020-01-01T00:00:00Z',
        ]) {
          const wrong = await t.call('GET', `${other}${other.includes('?') ? '&' : '?'}cursor=${cursor}`, { key });
          expect([wrong.status, wrong.body.error.code, wrong.body.error.details[0].path]).toEqual([
            400,
            'validation_failed',
            'cursor',
          ]);
        }
      }
    } while (cursor !== null);
    expect(codes).toEqual(['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
    for (const limit of ['0', '201', 'x', '-1', '1.5']) {
      expect((await t.call('GET', `/v1/events?limit=${limit}`, { key })).body.error.details[0].path).toBe('limit');
    }
  });
});
