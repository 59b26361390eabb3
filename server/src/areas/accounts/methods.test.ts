import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { accountOperations } from '../index.ts';

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest();
});
afterAll(() => t.stop());

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD'];

test('a method that an address of the account operations does not take is 405 and names those that it takes', async () => {
  const taken = new Map<string, string[]>();
  for (const { path, method } of accountOperations) taken.set(path, [...(taken.get(path) ?? []), method]);
  const wrong: unknown[] = [];
  for (const [path, methods] of taken) {
    const url = `/app/api/-${path.replaceAll(/\{\w+\}/g, '01JCQ8Z7M4T3V9R1X5K2N6P8DA')}`;
    for (const method of METHODS.filter((one) => !methods.includes(one))) {
      const reply = await t.call(method, url);
      const allow = reply.headers.get('allow')?.split(', ').sort();
      const code = method === 'HEAD' ? 'method_not_allowed' : reply.body?.error?.code;
      if (reply.status !== 405 || code !== 'method_not_allowed' || String(allow) !== String([...methods].sort()))
        wrong.push([method, url, reply.status, code, allow]);
    }
  }
  expect(wrong).toEqual([]);
});

test('an address that does not exist is 404 with every method', async () => {
  for (const method of METHODS) expect((await t.call(method, '/app/api/-/nothing')).status).toBe(404);
});
