import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { newId } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { sql } from '../../store/sql.ts';
import { type Fair, HeldClock, openFair } from './fair.support.ts';
import { PAIRING_LIMITS, type PairingLimits } from './wrong-codes.ts';

const clock = new HeldClock(Date.parse('2030-05-04T10:00:00Z'));
/** Slow answers wait until the test lets them go. */
const held: (() => void)[] = [];
const release = () => {
  for (const go of held.splice(0)) go();
};
const pairing: Partial<PairingLimits> = { wait: () => new Promise<void>((go) => held.push(go)) };
let fair: Fair;
let second: TestTurnout;
let manager: string;
beforeAll(async () => {
  fair = await openFair(clock, { pairing });
  second = await startTest({ database: fair.t.database, clock, pairing });
  manager = await fair.t.session('acme', 'manager');
});
afterAll(async () => {
  release();
  await second.stop();
  await fair.t.stop();
});
// The clock stands still within a test. Moving it here ends the minutes and hours of the test before.
beforeEach(() => clock.advance(2 * HOUR));
afterEach(release);

const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const pairingCode = async (): Promise<string> =>
  (await fair.app(manager, 'POST', '/events/fair/devices/pairing-codes', {})).body.code;
const pair = (typed: string, on: TestTurnout = fair.t) =>
  on.call('POST', '/api/v1/devices/pair', { body: { code: typed }, idempotencyKey: randomUUID() });
const WRONG = 'AAAA-AAAA-AAAA';
const wrong = (times: number) => Promise.all(Array.from({ length: times }, () => pair(WRONG)));
const untilHeld = (count: number) => vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 20_000 });

describe('a pairing code', () => {
  test('has sixty bits, in three groups of letters that are not taken for one another', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, pairingCode));
    for (const one of codes) expect(one).toMatch(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
    expect(new Set(codes).size).toBe(20);
  });

  test('of eight letters, which an earlier build has made, pairs until it expires', async () => {
    await fair.t.system((tx) =>
      tx.run(sql`
        insert into pairing_codes (org_id, id, event_id, code_hash, expires_at, created_at)
        select org_id, ${newId(clock.now())}, id, ${hashSecret('K7M2XQ9R')}, ${new Date(clock.now().getTime() + 5 * MINUTE)},
          ${clock.now()} from events where code = 'fair'`),
    );
    expect((await pair('k7m2-xq9r')).status).toBe(201);
  });
});

describe('wrong codes', () => {
  test('are answered at once up to twenty a minute, then slowly, and a minute later at once again', async () => {
    for (const reply of await wrong(PAIRING_LIMITS.atOnce)) expect(code(reply)).toEqual([404, 'not_found']);
    const slow = pair(WRONG);
    await untilHeld(1);
    release();
    expect(code(await slow)).toEqual([404, 'not_found']);
    clock.advance(MINUTE);
    expect(code(await pair(WRONG))).toEqual([404, 'not_found']);
  });

  test('a right code is taken at once where many wrong ones were tried', async () => {
    await wrong(PAIRING_LIMITS.atOnce);
    const slow = wrong(PAIRING_LIMITS.held.network);
    await untilHeld(PAIRING_LIMITS.held.network);
    expect((await pair(await pairingCode())).status).toBe(201);
    release();
    await slow;
  });

  test('no more than four of a network wait at one time; another one is 429 at once', async () => {
    await wrong(PAIRING_LIMITS.atOnce);
    const slow = wrong(PAIRING_LIMITS.held.network);
    await untilHeld(PAIRING_LIMITS.held.network);
    const replies = await wrong(10);
    for (const reply of replies) expect(code(reply)).toEqual([429, 'rate_limited']);
    expect(replies[0]!.headers.get('retry-after')).toBe('2');
    expect(held).toHaveLength(PAIRING_LIMITS.held.network);
    release();
    for (const reply of await slow) expect(reply.status).toBe(404);
    const next = pair(WRONG);
    await untilHeld(1);
    release();
    expect((await next).status, 'there is room again').toBe(404);
  });

  test('are counted for the whole installation, in the database: after a thousand an hour each is slow', async () => {
    // Each process has seen one wrong code, so its own count is far below twenty.
    expect(code(await pair(WRONG))).toEqual([404, 'not_found']);
    const tries = await fair.t.system((tx) =>
      tx.run(sql`update sign_in_tries set tries = ${PAIRING_LIMITS.anHour} where first_at = ${clock.now()}`),
    );
    expect(tries).toBe(1);
    for (const on of [fair.t, second]) {
      const slow = pair(WRONG, on);
      await untilHeld(1);
      release();
      expect((await slow).status).toBe(404);
      expect((await pair(await pairingCode(), on)).status, 'nobody is locked out').toBe(201);
    }
    clock.advance(HOUR);
    for (const on of [fair.t, second]) expect((await pair(WRONG, on)).status, 'at once again').toBe(404);
    expect(held).toEqual([]);
  });

  test('a faulty request is refused before anything is looked up or counted', async () => {
    const faulty = await fair.t.call('POST', '/api/v1/devices/pair', { body: {}, idempotencyKey: randomUUID() });
    expect(faulty.status).toBe(400);
    const rows = await fair.t.system((tx) => tx.all(sql`select 1 from sign_in_tries where last_at >= ${clock.now()}`));
    expect(rows).toEqual([]);
  });
});
