import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sign, Turnout, verify } from './index.ts';
import { Page, PageCall } from './page.ts';

type Json = Record<string, unknown>;
interface Shown {
  operation: string;
  method: string;
  path: string;
  status: number;
  body?: Json;
  answer: Json;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
/** The answers that the document of an earlier release showed, made by scripts/answers.mjs. */
const older: Shown[] = read('../test-data/answers-2026-11-16.json');
const today: { paths: Record<string, Record<string, Json>> } = read('../../../docs/reference/openapi.json');
/** What the operations are called today. */
const names = new Map(
  Object.values(today.paths).flatMap((item) =>
    Object.values(item).map(({ operationId, 'x-client-name': name }) => [operationId as string, name as string]),
  ),
);

/** Adds a field to every object, and gives every status and result a word that nobody knows. */
function later(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => later(one, name));
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([key, one]) => [key, later(one, key)]);
    return { ...Object.fromEntries(fields), added_later: { deeply: [1] } };
  }
  return typeof value === 'string' && /^(status|result|kind|type|tone)$/.test(name) ? 'word_of_tomorrow' : value;
}

let server: Server;
let turnout: Turnout;
let change: (answer: unknown) => unknown = (answer) => answer;
beforeAll(async () => {
  const routes = older.map((shown) => ({
    ...shown,
    at: new RegExp(`^/(api/)?v1${shown.path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`),
  }));
  server = createServer((request, response) => {
    // A word in a path comes before a parameter.
    const fitting = routes.filter(({ at, method }) => at.test(request.url!) && method.toUpperCase() === request.method);
    const found = fitting.sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
    if (found === undefined) return response.writeHead(404).end();
    response.writeHead(found.status, { 'content-type': 'application/json' }).end(JSON.stringify(change(found.answer)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  turnout = new Turnout({ key: 'svc_test_x', baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Method = (...args: unknown[]) => Promise<unknown>;

/** Calls the operation by its name of today, with the example of its body. */
async function call({ operation, path, body }: Shown): Promise<unknown> {
  const [resource = '', name = ''] = names.get(operation)!.split('.');
  const owner = turnout[resource as keyof Turnout] as unknown as Record<string, Method>;
  const ids = [...path.matchAll(/\{\w+\}/g)].map(() => 'x');
  const made = owner[name]!(...ids, ...(body === undefined ? [] : [body]));
  const answer = await made;
  if (!(answer instanceof Page)) return answer;
  expect(made).toBeInstanceOf(PageCall);
  return { data: answer.data, page: answer.page };
}

describe('the SDK of today works with a server of an earlier release', () => {
  test('whose answers lack fields that there are now', () => {
    const registration = older.find(({ operation }) => operation === 'getRegistration')!.answer;
    const now = (
      today.paths['/events/{event}/registrations/{registration}']!.get as {
        responses: Record<string, { content: { 'application/json': { example: Json } } }>;
      }
    ).responses[200]!.content['application/json'].example;
    expect(Object.keys(now).filter((field) => !(field in registration)).length).toBeGreaterThan(0);
    expect(older.length).toBeGreaterThan(95);
  });

  test.each(older)('$operation', async (shown) => {
    expect(await call(shown)).toEqual(shown.answer);
  });
});

describe('and with one of a later release', () => {
  beforeAll(() => {
    change = later;
  });
  afterAll(() => {
    change = (answer) => answer;
  });

  // claim: new-fields-ignored
  test.each(older)('$operation: fields and words that it does not know', async (shown) => {
    const answer = (await call(shown)) as Json;
    const { added_later: _own, ...expected } = later(shown.answer) as Json;
    expect(answer).toMatchObject(expected);
  });

  test('a job of an unknown status has ended if it says when', async () => {
    expect(await turnout.jobs.wait('x', { timeout: 1000 })).toMatchObject({ status: 'word_of_tomorrow' });
  });

  test('changes and pages', async () => {
    const { value } = await turnout.attendees.changes('x').next();
    expect(value?.items.length).toBeGreaterThan(0);
    const all = await turnout.registrations.list('x').toArray();
    expect(all[0]).toMatchObject({ status: 'word_of_tomorrow' });
  });

  // claim: new-fields-ignored
  test('a webhook of an unknown type', async () => {
    const body = JSON.stringify({ id: 'evt_1', type: 'badge.printed', data: { added_later: 1 } });
    const secret = 'whsec_bm90IGEgc2VjcmV0';
    expect(await verify(body, await sign(body, secret), secret)).toEqual(JSON.parse(body));
  });
});
