import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, newId } from '../../common/ids.ts';
import { Outbound } from '../../outside/https.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { countEndpoints } from './queries.ts';

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest({
    webhooks: new Outbound({ resolve: async () => [{ address: '203.0.112.7', family: 4 as const }] }),
  });
});
afterAll(() => t.stop());

const url = 'https://hooks.example.org/turnout';
const create = (key: string) => t.call('POST', '/v1/webhooks', { key, body: { url, events: ['*'] } });
const answered = (reply: Reply) => reply.body.error?.code ?? reply.status;
const limited = async (code: string, limit: string) => {
  const org = await t.org(code);
  await t.plan(code, 'scale', [['webhook_endpoints', limit]]);
  return { org, key: (await t.key(code)).secret };
};
const counted = (org: Id) => transaction(t.pool, t.clock, { role: 'app', org }, (tx) => countEndpoints(tx, org));

describe('the limit of webhook endpoints', () => {
  test('comes from the plan and is shown by GET /me', async () => {
    await t.org('shown');
    const { secret: key } = await t.key('shown');
    const shown = async (plan: string) => {
      await t.plan('shown', plan, []);
      return (await t.call('GET', '/v1/me', { key })).body.plan.limits.webhook_endpoints;
    };
    expect([await shown('growth'), await shown('scale')]).toEqual([50, 100]);
  });

  test('counts endpoints of test keys, but not deleted ones', async () => {
    const { key } = await limited('both', '2');
    const { secret: testKey } = await t.key('both', { mode: 'test' });
    const first = await create(key);
    expect([answered(first), answered(await create(testKey))]).toEqual([201, 201]);
    const refused = await create(testKey);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'endpoint_limit_reached']);
    expect(refused.body.error.message).toBe(
      'This organization’s plan (scale) allows no more than 2 webhook endpoints. Delete one you don’t need, or change to a larger plan.',
    );
    expect((await t.call('DELETE', `/v1/webhooks/${first.body.id}`, { key })).status).toBe(204);
    expect(answered(await create(key)), 'although the deleted one still has its row').toBe(201);
  });

  test('endpoints that a smaller plan leaves over the limit keep working; new ones are refused', async () => {
    const { org, key } = await limited('shrunk', '3');
    for (let i = 0; i < 3; i += 1) expect(answered(await create(key))).toBe(201);
    await t.plan('shrunk', 'scale', [['webhook_endpoints', '1']]);
    expect(answered(await create(key))).toBe('endpoint_limit_reached');
    const { data } = (await t.call('GET', '/v1/webhooks', { key })).body;
    expect(data.map(({ status }: { status: string }) => status)).toEqual(['healthy', 'healthy', 'healthy']);
    const change = { key, body: { description: 'Still changed' } };
    expect((await t.call('PATCH', `/v1/webhooks/${data[0].id}`, change)).status).toBe(200);
    expect(await counted(org)).toBe(3);
  });

  test('holds when many are created at once', async () => {
    const { org, key } = await limited('race', '5');
    const replies = await Promise.all(Array.from({ length: 15 }, () => create(key)));
    expect(replies.map(answered).filter((one) => one === 201)).toHaveLength(5);
    expect(replies.map(answered).filter((one) => one === 'endpoint_limit_reached')).toHaveLength(10);
    expect(await counted(org)).toBe(5);
  });

  test('the control: if they are counted without the lock, more are created', async () => {
    const { org } = await limited('unlocked', '5');
    let looked = 0;
    const work = async (tx: Tx) => {
      if ((await countEndpoints(tx, org)) >= 5) return;
      looked += 1;
      await vi.waitFor(() => expect(looked).toBeGreaterThan(5), { timeout: 10_000 });
      const now = tx.clock.now();
      await insertRow(tx, 'webhook_endpoints', {
        org_id: org,
        id: newId(now),
        url,
        events: ['*'],
        status: 'healthy',
        secret: Buffer.from('x'),
        secret_last4: 'xxxx',
        since: now,
        created_at: now,
        updated_at: now,
      });
    };
    // One organization cannot have so many writes at once in a pool of this size, but lookups need no place.
    const createUnlocked = () => transaction(t.pool, t.clock, { role: 'app', org }, work, { kind: 'lookup' });
    await Promise.all(Array.from({ length: 10 }, createUnlocked));
    expect(await counted(org)).toBeGreaterThan(5);
    await t.system((tx) => tx.run(sql`delete from webhook_endpoints where org_id = ${org}`));
  });
});
