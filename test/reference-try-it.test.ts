import { PRACTICE } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { PUBLIC_TEST_KEY, refreshSandbox, SANDBOX_CODE } from '../server/src/areas/sandbox/index.ts';
import { openapiDocument } from '../server/src/openapi/document.ts';
import { documentOfPage } from '../server/src/openapi/page/document.ts';
import { type Reply, startTest, type TestTurnout } from './support/turnout.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;
const page: Any = documentOfPage(JSON.parse(JSON.stringify(openapiDocument(operations))), true);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const calls = Object.entries<Any>(page.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => ({ path, method, item, operation: item[method] })),
);
const tried = calls.filter((one) => one.operation['x-not-in-sandbox'] !== true);

describe('what the reference page fills in for trying an operation', () => {
  let t: TestTurnout;
  beforeAll(async () => {
    t = await startTest({ env: { SANDBOX: 'on' } });
    await t.plan(SANDBOX_CODE, 'scale', [['api_rate_per_min', '1000000']]);
  });
  afterAll(() => t.stop());

  /** Sends what the page sends: the examples of the parameters and of the body, at the first of the operation's addresses. */
  function send({ path, method, item, operation }: Any): Promise<Reply> {
    const filled = (where: string): Any[] =>
      operation.parameters.filter((one: Any) => one.in === where && one.example !== undefined);
    const at = path.replaceAll(/\{(\w+)\}/g, (_: string, name: string) => {
      const { example } = filled('path').find((one) => one.name === name)!;
      return encodeURIComponent(example);
    });
    const query = new URLSearchParams(filled('query').map((one) => [one.name, String(one.example)]));
    const [{ url }] = operation.servers ?? item.servers ?? page.servers;
    const body = operation.requestBody?.content['application/json']?.example;
    return t.call(method.toUpperCase(), `${url === '/' ? '' : url}${at}?${query}`, {
      key: PUBLIC_TEST_KEY,
      ...(body !== undefined && { body }),
    });
  }

  test('the sandbox carries out every operation that can be tried, also after a refresh', async () => {
    const refused: string[] = [];
    for (const round of ['fresh', 'refreshed']) {
      for (const call of tried) {
        const { status, text } = await send(call);
        if (status >= 300) refused.push(`${round}: ${call.operation.operationId} ${status} ${text.slice(0, 300)}`);
      }
      await refreshSandbox(t.pool, t.clock);
    }
    expect(refused).toEqual([]);
  });

  test('the others are those that it refuses, and each says why', async () => {
    const others = calls.filter((one) => one.operation['x-not-in-sandbox'] === true);
    const carriedOut: string[] = [];
    for (const call of others) {
      expect(call.operation.description).toMatch(/Not to be tried with the sandbox: \w/);
      if ((await send(call)).status < 300) carriedOut.push(call.operation.operationId);
    }
    expect(carriedOut).toEqual([]);
    expect(others.length).toBeLessThan(calls.length / 3);
  });

  test('seen failing: an object that the sandbox does not have', async () => {
    const call = structuredClone(tried.find((one) => one.operation.operationId === 'getContact')!);
    expect(call.operation.parameters[0].example).toBe(PRACTICE.contact);
    call.operation.parameters[0].example = PRACTICE.ticket;
    expect((await send(call)).status).toBe(404);
  });
});
