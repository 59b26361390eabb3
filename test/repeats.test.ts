import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { sql } from '../server/src/store/sql.ts';
import { runSql } from './support/database.ts';
import { arrangeWorking, canWork, MOUNTS, send, worked } from './support/matrix/calls.ts';
import { HOME, World } from './support/matrix/world.ts';

/** What is said again changes nothing and troubles nobody, for every operation that is declared. */

const v1 = MOUNTS[0];
const offered = operations.filter((op) => v1.offers(op) && canWork(op));

let world: World;
beforeAll(async () => {
  world = await World.small();
});
afterAll(() => world?.stop());

describe('a POST that is repeated by its Idempotency-Key', () => {
  const posts = offered.filter((op) => op.method === 'POST' && op.keysRefused === undefined);

  test.each(posts.map((op) => [op.id, op] as const))('leaves no line in PostgreSQL’s log: %s', async (_, op) => {
    const key = await world.key(HOME.org);
    const subject = await arrangeWorking(world, op);
    const idempotencyKey = randomUUID();
    const before = (await logged()).length;
    const first = await send(world, op, v1, { key }, subject, { idempotencyKey });
    worked(op, first);
    const again = await send(world, op, v1, { key }, subject, { idempotencyKey });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await logged()).slice(before)).toEqual([]);
  });

  test('the control: what PostgreSQL refuses does', async () => {
    const before = (await logged()).length;
    await expect(world.t.system((tx) => tx.run(sql`select 1 / 0`))).rejects.toThrow('division by zero');
    expect((await logged()).slice(before).join('\n')).toContain('ERROR:  division by zero');
  });
});

/** What PostgreSQL logged of this test's connections: others share the server. */
async function logged(): Promise<string[]> {
  const mine = await runSql(
    world.t.database.adminUrl,
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const pids = new Set(mine.map(({ pid }) => `[${pid}]`));
  const lines = readFileSync(inject('postgresLog'), 'utf8').split('\n');
  return lines.filter((line) => pids.has(/\[\d+\]/.exec(line)?.[0] ?? ''));
}
