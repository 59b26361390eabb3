import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../../../test/support/turnout.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { type Hooks, startHooks } from './hooks.support.ts';

/** A test key has endpoints of its own, which get test activity only, and cannot change those of live keys. */
let hooks: Hooks;
let testKey: string;
beforeAll(async () => {
  hooks = await startHooks();
  testKey = (await hooks.t.key('acme', { mode: 'test' })).secret;
});
afterAll(() => hooks.stop());
beforeEach(() => {
  hooks.receiver.got.length = 0;
});

const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const make = async (as: string) => {
  const { status, body, text } = await hooks.post('/webhooks', { url: hooks.receiver.url, events: ['*'] }, as);
  expect([status, text]).toEqual([201, text]);
  return body as { id: string; test: boolean; secret: string; secret_last4: string };
};
const call = (method: string, path: string, as: string, body?: unknown) =>
  hooks.t.call(method, `/v1${path}`, { key: as, body });
const ways = (id: string, delivery: string): [string, string, unknown?][] => [
  ['PATCH', `/webhooks/${id}`, { description: 'Mine now', url: 'https://elsewhere.example.org/' }],
  ['POST', `/webhooks/${id}/pause`],
  ['POST', `/webhooks/${id}/enable`],
  ['POST', `/webhooks/${id}/rotate-secret`],
  ['POST', `/webhooks/${id}/test`, {}],
  ['POST', `/webhooks/deliveries/${delivery}/replay`],
  ['DELETE', `/webhooks/${id}`],
];

describe('403 test_key_live_object', () => {
  test('a test key can read but not change an endpoint that a live key or a member made', async () => {
    const session = await hooks.t.session('acme', 'developer');
    const byMember = await hooks.t.call('POST', '/app/api/webhooks', {
      headers: { cookie: `${SESSION_COOKIE}=${session}` },
      body: { url: hooks.receiver.url, events: ['*'] },
    });
    for (const { id, test: isTest } of [await make(hooks.key), byMember.body]) {
      expect(isTest).toBe(false);
      const sent = await hooks.post(`/webhooks/${id}/test`, {});
      const before = (await hooks.get(`/webhooks/${id}`)).body;
      for (const [method, path, body] of ways(id, sent.body.id)) {
        expect([method, path, ...code(await call(method, path, testKey, body))]).toEqual([
          method,
          path,
          403,
          'test_key_live_object',
        ]);
      }
      expect((await hooks.get(`/webhooks/${id}`, testKey)).body).toEqual(before);
      expect((await hooks.get(`/webhooks/${id}/deliveries`, testKey)).body.data).toHaveLength(1);
      expect((await hooks.get(`/webhooks/deliveries/${sent.body.id}`, testKey)).status).toBe(200);
    }
  });
});

describe('an endpoint that a test key made', () => {
  test('has `test: true`, and both a test key and a live key manage it', async () => {
    for (const as of [testKey, hooks.key]) {
      const { id, test: isTest } = await make(testKey);
      expect(isTest).toBe(true);
      expect((await hooks.get(`/webhooks/${id}`, as)).body).toMatchObject({ id, test: true });
      const listed = (await hooks.get('/webhooks?limit=200', as)).body.data;
      expect(listed.find((one: { id: string }) => one.id === id)).toMatchObject({ test: true });
      const sent = await hooks.post(`/webhooks/${id}/test`, {}, as);
      for (const [method, path, body] of ways(id, sent.body.id)) {
        const reply = await call(method, path, as, body);
        expect([path, reply.status < 300, reply.body?.error]).toEqual([path, true, undefined]);
        if (method !== 'DELETE') expect((await hooks.get(`/webhooks/${id}`, as)).body.test).toBe(true);
      }
      expect((await hooks.get(`/webhooks/${id}`, as)).status).toBe(404);
    }
  });

  test('cannot be made by passing `test`, and `test` cannot be changed', async () => {
    for (const as of [testKey, hooks.key]) {
      const body = { url: hooks.receiver.url, events: ['*'], test: true };
      expect(code(await hooks.post('/webhooks', body, as))).toEqual([400, 'validation_failed']);
      const { id } = await make(as);
      expect(code(await call('PATCH', `/webhooks/${id}`, as, { test: false }))).toEqual([400, 'validation_failed']);
    }
  });

  // claim: delivery-attributes
  test('gets test activity only; the others get both', async () => {
    const [trial, live] = [await make(testKey), await make(hooks.key)];
    await hooks.occur(2, { livemode: true });
    await hooks.occur(1, { livemode: false });
    await hooks.occur(1, { livemode: true });
    const modes = async (id: string) =>
      ((await hooks.get(`/webhooks/${id}/deliveries?limit=200`)).body.data as { livemode: boolean }[]).map(
        (one) => one.livemode,
      );
    expect(await modes(trial.id)).toEqual([false]);
    expect(await modes(live.id)).toEqual([true, false, true, true]);
    await hooks.deliver();
    const envelopes = await hooks.t.call('GET', `/v1/webhooks/${trial.id}/deliveries`, { key: testKey });
    const replayed = await hooks.post(`/webhooks/deliveries/${envelopes.body.data[0].id}/replay`, undefined, testKey);
    expect([replayed.status, replayed.body.livemode]).toEqual([201, false]);
  });

  // claim: livemode-false
  test('gets what a test key really does, and never what a live key does', async () => {
    const trial = await make(testKey);
    const { post } = hooks;
    await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
    await post('/events/fair/days', { code: 'd1', date: '2031-01-01' });
    await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    await post('/events/fair/publish');
    for (const [as, last_name] of [
      [hooks.key, 'Live'],
      [testKey, 'Trial'],
    ]) {
      const attendees = [{ attendee_type: 'adult', first_name: 'Pat', last_name, days: ['d1'] }];
      expect((await post('/events/fair/registrations', { attendees, send_emails: false }, as)).status).toBe(201);
    }
    while ((await hooks.t.step.relay()) > 0);
    const { data } = (await hooks.get(`/webhooks/${trial.id}/deliveries?limit=200`, testKey)).body;
    expect(data.length).toBeGreaterThan(0);
    for (const { id } of data) {
      const { envelope } = (await hooks.get(`/webhooks/deliveries/${id}`, testKey)).body;
      expect(envelope).toContain('"livemode":false');
      expect(envelope).not.toContain('"Live"');
    }
  });
});
