import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { Fair } from './communications.support.ts';

/** Test mails can be sent to any address, so their number is limited per organization. */
const MAX_TEST_MAILS = 30;
const five = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.org`);
let t: TestTurnout;
beforeAll(async () => {
  t = await startTest({ mail: { describe: 'kept', close: () => {}, send: async () => {} } });
});
afterAll(() => t.stop());

let serial = 0;
async function world() {
  const code = `org${++serial}`;
  await t.org(code);
  await t.plan(code, 'scale', [['api_rate_per_min', '1000000']]);
  const { secret: key } = await t.key(code);
  const fair = await Fair.open(t, key, 'fair');
  const queued = () =>
    t.system(
      async (tx) =>
        (
          await tx.one<{ n: number }>(
            sql`select count(*)::int as n from mails m join organizations o on o.id = m.org_id where o.code = ${code}`,
          )
        ).n,
    );
  return { code, fair, id: await fair.draft({}), queued };
}

describe('429 rate_limited', () => {
  test('after 30 test mails in an hour, until the hour is over', async () => {
    const { fair, id, queued } = await world();
    const began = t.clock.now().getTime();
    for (let n = 0; n < 5; n += 1) expect((await fair.act(id, 'test', { to: five })).status).toBe(200);
    t.clock.advance(10 * MINUTE);
    expect((await fair.act(id, 'test', { to: five.slice(0, 4) })).status).toBe(200);
    const refused = await fair.act(id, 'test', { to: five.slice(0, 2) });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.body.error.message).toContain('30 test mails an hour and has sent 29');
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(Math.abs(t.clock.now().getTime() + wait * 1000 - (began + HOUR))).toBeLessThan(MINUTE);
    expect((await fair.act(id, 'test', { to: five.slice(0, 1) })).status).toBe(200);
    expect(await queued()).toBe(MAX_TEST_MAILS);
    t.clock.advance(wait * 1000);
    expect((await fair.act(id, 'test', { to: five })).status).toBe(200);
  });

  test('after exactly 30, however many calls come at once', async () => {
    const { fair, id, queued } = await world();
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => fair.act(id, 'test', { to: ['me@example.org'] })),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(MAX_TEST_MAILS);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(40 - MAX_TEST_MAILS);
    expect(await queued()).toBe(MAX_TEST_MAILS);
  });

  test('for the organization itself, not for others', async () => {
    const one = await world();
    for (let n = 0; n < 7; n += 1) await one.fair.act(one.id, 'test', { to: five });
    expect((await one.fair.act(one.id, 'test', { to: five })).status).toBe(429);
    const other = await world();
    expect((await other.fair.act(other.id, 'test', { to: five })).status).toBe(200);
  });
});

test('tests with a test key, which send no mail, are not counted', async () => {
  const { code, fair } = await world();
  const { secret: testKey } = await t.key(code, { mode: 'test' });
  const id = await fair.draft({}, testKey);
  for (let n = 0; n < 8; n += 1) expect((await fair.act(id, 'test', { to: five }, testKey)).status).toBe(200);
});

test('a retry with the same Idempotency-Key counts once', async () => {
  const { fair, id, queued } = await world();
  for (let n = 0; n < 8; n += 1) {
    const reply = await t.call('POST', `/v1/events/fair/communications/${id}/test`, {
      key: fair.key,
      body: { to: five },
      idempotencyKey: 'the-same',
    });
    expect(reply.status).toBe(200);
  }
  expect(await queued()).toBe(5);
});
