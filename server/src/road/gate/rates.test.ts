import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startRedis, type TestRedis } from '../../../../test/support/redis.ts';
import { freePort } from '../../../../test/support/running.ts';
import { hasTool } from '../../../../test/support/tools.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { toUuid } from '../../common/ids.ts';

describe.skipIf(!hasTool('redis-server'))('requests per minute by Redis', () => {
  let redis: TestRedis;
  let processes: TestTurnout[];
  beforeAll(async () => {
    redis = await startRedis();
    const env = { REDIS_URL: redis.url };
    const first = await startTest({ env });
    processes = [first, await startTest({ env, database: first.database, clock: first.clock })];
    await first.org('acme');
  });
  afterAll(async () => {
    for (const one of [...processes].reverse()) await one.stop();
    redis.stop();
  });

  test('two processes share one budget, and the window ends by itself', async () => {
    const { id, secret } = await processes[0]!.key('acme', { rpm: 10 });
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => processes[i % 2]!.call('GET', '/v1/me', { key: secret })),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(10);
    const over = replies.find((reply) => reply.status === 429)!;
    expect(over.body.error.code).toBe('rate_limited');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(50);
    const { client } = redis;
    const name = `turnout:rate:${toUuid(id)}`;
    const left = await client.pttl(name);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(60_000);
    await client.pexpire(name, 1);
    await expect.poll(() => client.exists(name)).toBe(0);
    expect((await processes[1]!.call('GET', '/v1/me', { key: secret })).status).toBe(200);
  });

  test('PostgreSQL counts while Redis is frozen, and Redis again once it answers', async () => {
    const { secret } = await processes[0]!.key('acme', { rpm: 5 });
    const ask = async () => (await processes[0]!.call('GET', '/v1/me', { key: secret })).status;
    expect(await ask()).toBe(200);
    redis.freeze();
    try {
      const replies = await Promise.all(Array.from({ length: 8 }, ask));
      expect(replies.filter((status) => status === 200)).toHaveLength(5);
      expect(replies.filter((status) => status === 429)).toHaveLength(3);
    } finally {
      redis.wake();
    }
    // Its own window has had one call, and those that it was asked to count while it was frozen.
    await redis.client.flushall();
    await expect.poll(ask).toBe(200);
  });

  test('a sentinel says which server is the primary', async () => {
    const watching = await freePort();
    const file = join(redis.folder, 'sentinel.conf');
    writeFileSync(file, `port ${watching}\nbind 127.0.0.1\nsentinel monitor cluster 127.0.0.1 ${redis.port} 1\n`);
    const sentinel = spawn('redis-server', [file, '--sentinel', '--dir', redis.folder], { stdio: 'ignore' });
    try {
      const client = new Redis(watching, '127.0.0.1', { maxRetriesPerRequest: null });
      client.on('error', () => {});
      await vi.waitUntil(async () => (await client.call('SENTINEL', 'get-master-addr-by-name', 'cluster')) !== null);
      client.disconnect();
      const env = { REDIS_URL: `redis+sentinel://127.0.0.1:1,127.0.0.1:${watching}/cluster` };
      const third = await startTest({ env, database: processes[0]!.database, clock: processes[0]!.clock });
      const { secret } = await third.key('acme', { rpm: 3 });
      const replies = await Promise.all(
        Array.from({ length: 6 }, (_, i) => [third, processes[0]!][i % 2]!.call('GET', '/v1/me', { key: secret })),
      );
      expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3);
      await third.stop();
    } finally {
      sentinel.kill();
    }
  });

  test('a Redis that does not answer stops the start with one line', async () => {
    const away = await freePort();
    await expect(startTest({ env: { REDIS_URL: `redis://127.0.0.1:${away}` } })).rejects.toThrow(
      /REDIS_URL: Redis does not answer/,
    );
  });
});
