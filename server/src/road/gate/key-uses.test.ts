import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { KeyUses } from './key-uses.ts';

let t: TestTurnout;
let org: Id;
beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
});
afterAll(() => t.stop());

const newKey = async (): Promise<Id> => toUuid((await t.key('acme')).id);
const lastUse = async (key: Id): Promise<number> => {
  const row = await t.system((tx) =>
    tx.one<{ at: string | null }>(sql`select last_used_at as at from api_keys where org_id = ${org} and id = ${key}`),
  );
  return row.at === null ? 0 : Date.parse(row.at);
};

test('a key is written at most once a minute, and the time is exact to a minute', async () => {
  const uses = new KeyUses(t.pool, t.clock);
  const key = await newKey();
  uses.note(org, key);
  const first = t.clock.now().getTime();
  await uses.write();
  expect(Math.abs((await lastUse(key)) - first)).toBeLessThan(MINUTE);
  const written = await lastUse(key);
  t.clock.advance(MINUTE / 2);
  uses.note(org, key);
  await uses.write();
  expect(await lastUse(key)).toBe(written);
  t.clock.advance(MINUTE / 2);
  uses.note(org, key);
  await uses.write();
  expect(await lastUse(key)).toBeGreaterThanOrEqual(written + MINUTE);
});

test('a thousand requests cost one statement, and those of the same minute none', async () => {
  const uses = new KeyUses(t.pool, t.clock);
  const keys = await Promise.all([newKey(), newKey(), newKey()]);
  const connect = vi.spyOn(t.pool, 'connect');
  try {
    for (let i = 0; i < 1000; i += 1) uses.note(org, keys[i % 3]!);
    await uses.write();
    const transactions = connect.mock.calls.length;
    for (let i = 0; i < 1000; i += 1) uses.note(org, keys[i % 3]!);
    await uses.write();
    expect([transactions, connect.mock.calls.length]).toEqual([1, 1]);
  } finally {
    connect.mockRestore();
  }
  for (const key of keys) expect(await lastUse(key)).toBeGreaterThan(0);
});

test('an earlier use, written late by another process, does not replace a later one', async () => {
  const [late, early] = [new KeyUses(t.pool, t.clock), new KeyUses(t.pool, t.clock)];
  const key = await newKey();
  early.note(org, key);
  t.clock.advance(5 * MINUTE);
  late.note(org, key);
  await late.write();
  const written = await lastUse(key);
  await early.write();
  expect(await lastUse(key)).toBe(written);
});

test('what could not be written is written the next time', async () => {
  const uses = new KeyUses(t.pool, t.clock);
  const key = await newKey();
  uses.note(org, key);
  const connect = vi.spyOn(t.pool, 'connect').mockRejectedValueOnce(new Error('no connection') as never);
  try {
    await expect(uses.write()).rejects.toThrow('no connection');
  } finally {
    connect.mockRestore();
  }
  expect(await lastUse(key)).toBe(0);
  await uses.write();
  expect(await lastUse(key)).toBeGreaterThan(0);
});
