import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longestStall } from '../../../../test/support/stall.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  expect((await t.call('POST', '/v1/events', { key, body: { code: 'fair', name: 'Fair' } })).status).toBe(201);
});
afterAll(() => t.stop());

const send = (method: string, path: string, body: unknown) => t.call(method, `/v1${path}`, { key, body });

const MB = 1_000_000;
const times = (text: string, bytes = MB) => Array(Math.floor(bytes / (text.length + 1))).fill(text);
const attendee = '{"attendee_type":"a","first_name":"A","last_name":"B"';

/** Bodies of about a megabyte, each wrong in as many places as fit. */
const WORST: [string, string, string, string][] = [
  ['tiny wrong items', 'POST', '/events/fair/registrations', `{"attendees":[${times('{"email":5}')}]}`],
  ['items that are no objects', 'POST', '/events/fair/registrations', `{"attendees":[${times('1')}]}`],
  [
    'as many wrong items as sizes allow',
    'POST',
    '/events/fair/registrations',
    `{"attendees":[${Array(200).fill(`${attendee},"days":[${Array(366).fill('{}')}]}`)}]}`,
  ],
  [
    'unknown fields',
    'POST',
    '/events/fair/registrations',
    `{${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`)}}`,
  ],
  [
    'unknown answers',
    'POST',
    '/events/fair/registrations',
    `{"attendees":[${attendee},"answers":{${Array.from({ length: 90_000 }, (_, i) => `"f${i}":1`)}}}]}`,
  ],
  ['a field name of a megabyte', 'POST', '/events', `{"name":"x","${'y'.repeat(MB)}":1}`],
  ['long values where others are expected', 'POST', '/events', `{"name":"x","timezone":"${'z'.repeat(MB)}"}`],
  [
    'one value a thousand times',
    'POST',
    '/events/fair/questions',
    `{"label":"x","kind":"choice","options":[${times('"a"')}]}`,
  ],
  [
    'a union everywhere',
    'POST',
    '/event-templates/imports',
    `{"template":{"days":[${times('{"name":5,"opens_at":6,"closes_at":7,"capacity":"x"}')}]}}`,
  ],
];

describe('a body that is wrong everywhere', () => {
  test.each(WORST)('%s: is refused without slowing down others, with at most 100 faults', async (...row) => {
    const [, method, path, body] = row;
    let reply!: Awaited<ReturnType<typeof send>>;
    const stall = await longestStall(async () => {
      reply = await send(method, path, body);
    });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details.length).toBeGreaterThan(0);
    expect(reply.body.error.details.length).toBeLessThanOrEqual(100);
    expect(reply.text.length).toBeLessThan(100_000);
    expect(stall).toBeLessThan(1000);
  });

  test('of more than 100 faults the first 100 are named, and the message says that there are more', async () => {
    const body = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, 1]));
    const { error } = (await send('POST', '/events', { name: 'x', ...body })).body;
    expect(error.details.length).toBe(100);
    expect(error.message).toMatch(/more/i);
    const { f0: _, ...fewer } = body;
    const exact = (await send('POST', '/events', { name: 'x', ...fewer })).body.error;
    expect(exact.details.length).toBe(100);
    expect(exact.message).not.toMatch(/more/i);
  });

  test('sizes come first: for too many entries the refusal names the limit, not the faults of each entry', async () => {
    const { error } = (await send('POST', '/events/fair/registrations', { attendees: Array(201).fill({ email: 5 }) }))
      .body;
    expect(error.details).toEqual([
      { path: 'attendees', message: 'must have at most 200 entries', rule: 'too_many', limit: 200 },
    ]);
  });

  test('many wrong query parameters', async () => {
    const query = Array.from({ length: 1500 }, (_, i) => `q${i}`).join('&');
    const stall = await longestStall(async () => {
      const reply = await t.call('GET', `/v1/events?${query}`, { key });
      expect([reply.status, reply.body.error.details.length]).toEqual([400, 100]);
    });
    expect(stall).toBeLessThan(1000);
  });

  test.each(['[', '{"a":'])('nested 100,000 levels deep with %s', async (open) => {
    const close = open === '[' ? ']'.repeat(100_000) : `1${'}'.repeat(100_000)}`;
    const nested = open.repeat(100_000) + close;
    for (const body of [
      `{"name":"x","code":${nested}}`,
      `{"attendees":[{"attendee_type":"a","first_name":"A","last_name":"B","answers":{"q":${nested}}}]}`,
      `{"name":"\\u0000","code":${nested}}`,
    ]) {
      const path = body.startsWith('{"att') ? '/events/fair/registrations' : '/events';
      const reply = await send('POST', path, body);
      expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
      if (!body.includes('"code"') || body.includes('u0000'))
        expect(reply.body.error.details[0].message).toMatch(/nested/);
    }
  });

  test('text that cannot be stored, in a hundred thousand places', async () => {
    const stall = await longestStall(async () => {
      const reply = await send('POST', '/events', `{"name":[${times('"\\u0000"')}]}`);
      expect([reply.status, reply.body.error.details.length]).toEqual([400, 100]);
    });
    expect(stall).toBeLessThan(1000);
  });
});

/** Runs a full garbage collection, even if the process was not started with `--expose-gc`. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

test('nothing of what was refused stays in memory', async () => {
  const zone = (i: number) => send('POST', '/events', { name: 'x', timezone: `${i}`.padEnd(500_000, 'z') });
  for (let i = 0; i < 10; i += 1) await zone(i); // what every request leaves behind at first: code, connections
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 10; i < 70; i += 1) expect((await zone(i)).status).toBe(400);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(15 * MB); // 60 × 0.5 MB were sent
});
