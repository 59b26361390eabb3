import { randomUUID } from 'node:crypto';
import { DevicePaired, SAMPLES } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { PUBLIC_TEST_KEY, refreshSandbox, SANDBOX_CODE } from '../server/src/areas/sandbox/index.ts';
import { MovedClock } from '../server/src/clock.ts';
import { isPublished, openapiDocument } from '../server/src/openapi/document.ts';
import { AN_ID, emptyExamples } from '../server/src/openapi/examples.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { bodyCheck } from '../server/src/road/request/validate.ts';
import { SESSION_COOKIE } from '../server/src/road/router.ts';
import { type Reply, startTest, type TestTurnout } from './support/turnout.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;
const fresh: Any = JSON.parse(JSON.stringify(openapiDocument(operations)));
const published = operations.filter(isPublished);

test('every example is written by hand (in server/src/openapi/resources*.ts or by-operation.ts)', () => {
  expect(published.flatMap(emptyExamples)).toEqual([]);
});

test('seen failing: a field that nobody wrote an example for', () => {
  const getEvent = published.find((one) => one.id === 'getEvent')!;
  const reply = { type: 'object', properties: { motto: { type: 'string' } } } as Any;
  expect(emptyExamples({ ...getEvent, reply })).toEqual(['getEvent, 200.motto']);
});

describe('each example of a request is accepted by the sandbox without a change', () => {
  let t: TestTurnout;
  let live: string;
  let own: string;
  beforeAll(async () => {
    // The examples are about a fair in November 2026.
    const clock = new MovedClock();
    clock.jump('2026-11-20T09:00:00Z');
    t = await startTest({ clock, env: { SANDBOX: 'on' } });
    await t.plan(SANDBOX_CODE, 'scale', [['api_rate_per_min', '1000000']]);
    live = (await t.key(SANDBOX_CODE)).secret;
    // The sandbox sends no webhooks, so these examples use another organization that has an event with the same code.
    await t.org('acme');
    own = (await t.key('acme')).secret;
    await done(ask('POST', '/events', own, { code: 'lakeside-fair', name: 'Lakeside Fair' }));
  });
  afterAll(() => t.stop());

  const ask = (method: string, path: string, key: string, body?: unknown) =>
    t.call(method, path.startsWith('/api/') ? path : `/v1${path}`, { key, ...(body !== undefined && { body }) });
  const done = async (reply: Promise<Reply>): Promise<Any> => {
    const { status, body, text } = await reply;
    expect(status, text).toBeLessThan(300);
    return body;
  };
  const fair = '/events/lakeside-fair';
  const registrations = async (key: string, status: string): Promise<Any[]> =>
    (await done(ask('GET', `${fair}/registrations?status=${status}&limit=200`, key))).data;
  const example = (schema: string): Any =>
    Object.values(fresh.paths)
      .flatMap((item: Any) => Object.values(item))
      .map((one: Any) => one.requestBody?.content['application/json'])
      .find((content: Any) => content?.schema.$ref?.endsWith(`/${schema}`)).example;
  const registered = (key: string) => done(ask('POST', `${fair}/registrations`, key, example('RegistrationCreate')));

  /** How the objects of a path are found that no code names, or made with the document's own examples, by whoever has this key. */
  const PREPARED: Record<string, (key: string) => Promise<Record<string, string>>> = {
    changeContact: async (key) => ({ contact: (await registered(key)).attendees[0].contact_id }),
    changeAttendee: async (key) => ({ attendee: (await registered(key)).attendees[0].id }),
    changeRegistration: async (key) => ({ registration: (await registered(key)).id }),
    ...Object.fromEntries(
      ['reissueTicket', 'sendTicket', 'voidTicket'].map((id) => [
        id,
        // Not the ticket that other examples scan.
        async () => ({
          ticket: (await registrations(live, 'confirmed'))
            .flatMap((one) => one.attendees.flatMap((person: Any) => person.tickets))
            .find((ticket) => ticket.status === 'valid' && ticket.id !== SAMPLES.ticket.id).id,
        }),
      ]),
    ),
    addAttendee: async (key) => ({ registration: (await registered(key)).id }),
    cancelRegistration: async (key) => ({ registration: (await registered(key)).id }),
    recordPayment: async (key) => ({ registration: (await registered(key)).id }),
    declineRegistration: async () => ({ registration: (await registrations(live, 'pending_approval'))[0].id }),
    refundPayment: async () => {
      const [paid] = await registrations(live, 'confirmed');
      return { payment: (await done(ask('GET', `${fair}/registrations/${paid.id}/payments`, live))).data[0].id };
    },
    ...Object.fromEntries(
      ['changeCommunication', 'previewCommunication', 'sendCommunication', 'testCommunication'].map((id) => [
        id,
        async (key: string) => ({
          communication: (await done(ask('POST', `${fair}/communications`, key, example('CommunicationCreate')))).id,
        }),
      ]),
    ),
    ...Object.fromEntries(
      ['changeWebhook', 'testWebhook', 'replayWebhook'].map((id) => [
        id,
        async () => ({
          webhook: (await done(ask('POST', '/webhooks', own, example('WebhookEndpointCreate')))).id,
        }),
      ]),
    ),
  };
  /** Operations that a key cannot call here, each with the reason. */
  const NOT_HERE: Record<string, string> = {
    startCheckout: 'needs a payment provider (checkout.test.ts)',
    overrideCheckIn: 'a member’s decision, below',
    undoCheckIn: 'a member’s decision, below',
    undoHandOut: 'a member’s decision, below',
    sendHeartbeat: 'a paired scanner’s, below',
    unlockDevice: 'a paired scanner’s, below',
  };

  const withBody = published.filter((one) => one.body !== undefined);
  const described = ({ path, method }: Operation): Any => fresh.paths[path][method.toLowerCase()];

  test.each(withBody.filter((one) => !(one.id in NOT_HERE)).map((one) => [one.id, one] as const))(
    '%s',
    async (id, operation) => {
      const { requestBody, responses } = described(operation);
      const content = requestBody.content['application/json'];
      const codes: Record<string, string> = Object.fromEntries(
        Object.entries(fresh.components.parameters as Record<string, Any>).map(([, one]) => [one.name, one.example]),
      );
      const send = async (key: string) => {
        const prepared = (await PREPARED[id]?.(key)) ?? {};
        const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
          if (prepared[name] === undefined && codes[name] === AN_ID) {
            throw new Error(`PREPARED does not say how {${name}} of ${id} is found or made. Add it.`);
          }
          return prepared[name] ?? codes[name]!;
        });
        const mount = (operation.hosts ?? ['api']).includes('api') ? '' : '/api/v1';
        return ask(operation.method, `${mount}${path}`, key, content.example);
      };
      let reply = await send(id.endsWith('Webhook') ? own : PUBLIC_TEST_KEY);
      // The public key makes test objects and has no scope `admin`. Where it is refused, a key of the organization is used.
      const notForIt = ['test_key_live_object', 'api_key_scope'];
      if (notForIt.includes(reply.body?.error?.code)) reply = await send(live);
      expect(
        Object.keys(responses).filter((status) => status.startsWith('2')),
        `${id} ${JSON.stringify(content.example)}: ${reply.text}`,
      ).toContain(String(reply.status));
      // It was not only accepted, but also had an effect.
      if (id === 'importPeople') expect(reply.body.counts).toMatchObject({ created: 1, rejected: 0 });
      // The example of a batch has the same ticket.
      if (id === 'scanTicket') expect(['accepted', 'duplicate']).toContain(reply.body.result);
      if (id === 'scanBatch') expect(reply.body.results[0].person).toMatchObject({ first_name: 'Ada' });
    },
  );

  test('pairing, a heartbeat and unlocking by a device, an override and a hand-out, which members take back', async () => {
    const cookie = `${SESSION_COOKIE}=${await t.session(SANDBOX_CODE, 'owner')}`;
    const member = (path: string, body: unknown) => t.call('POST', `/app/api${path}`, { body, headers: { cookie } });
    const bodyOf = (path: string, method: string) =>
      fresh.paths[path][method].requestBody.content['application/json'].example;
    const { code } = await done(member(`${fair}/devices/pairing-codes`, {}));
    // The example is sent unchanged except for the code, which is valid for ten minutes only. Pairing is not on the road, so its answer is
    // checked here.
    const paired = await done(
      t.call('POST', '/api/v1/devices/pair', { body: { ...bodyOf('/devices/pair', 'post'), code } }),
    );
    expect(bodyCheck(DevicePaired)(paired)).toEqual([]);
    const beat = '/devices/self/heartbeat';
    await done(t.call('PUT', `/api/v1${beat}`, { key: paired.token, body: bodyOf(beat, 'put') }));
    expect((await t.call('PUT', `/api/v1${beat}`, { key: live, body: bodyOf(beat, 'put') })).status).toBe(404);
    // The example is sent unchanged except for the id of the member, who has just set the PIN of the example.
    const unlock = bodyOf('/devices/self/unlock', 'post');
    const set = await t.call('PUT', '/app/api/membership/pin', { body: { pin: unlock.pin }, headers: { cookie } });
    expect(set.status).toBe(204);
    const { data } = await done(t.call('GET', '/api/v1/devices/self/members', { key: paired.token }));
    await done(
      t.call('POST', '/api/v1/devices/self/unlock', { key: paired.token, body: { ...unlock, member: data[0].id } }),
    );

    const scan = { ...example('ScanRequest'), check_in_point: 'lounge', client_uuid: randomUUID() };
    const { checkins } = await done(ask('POST', `${fair}/scan`, live, scan));
    expect(checkins[0].admitted).toBe(false);
    const override = bodyOf('/checkins/{check_in}/override', 'post');
    const { id: admitted } = await done(member(`/checkins/${checkins[0].id}/override`, override));
    await done(member(`/checkins/${admitted}/undo`, bodyOf('/checkins/{check_in}/undo', 'post')));

    // Recorded in any case, whether or not the example of handing out has been sent before.
    const unit = { ...example('HandOutCreate'), client_uuid: randomUUID(), offline: true };
    const given = await done(ask('POST', `${fair}/hand-outs`, live, unit));
    const undo = bodyOf('/events/{event}/hand-outs/{hand_out}/undo', 'post');
    await done(member(`${fair}/hand-outs/${given.id}/undo`, undo));
  });

  test('operations that are left out exist and cannot be called by a key', () => {
    const ids = new Set(withBody.map((one) => one.id));
    expect(Object.keys(NOT_HERE).filter((id) => !ids.has(id))).toEqual([]);
    expect(Object.keys(PREPARED).filter((id) => !ids.has(id))).toEqual([]);
  });

  test('the ids and codes in the examples exist in the sandbox, also after a refresh', async () => {
    await refreshSandbox(t.pool, t.clock);
    const { attendee, ticket } = SAMPLES;
    const found = await done(ask('GET', `${fair}/attendees/${attendee.id}`, PUBLIC_TEST_KEY));
    expect(found).toMatchObject({ first_name: 'Ada', days: ['day1', 'day2'], status: 'confirmed' });
    expect(found.tickets).toEqual([{ id: ticket.id, code: ticket.code, status: 'valid' }]);
  });

  test.each([
    'scan/manifest',
    'scan/roster?since=2026-11-01T00:00:00Z',
    'checkins',
    'checkins/counts',
    'checkins/reconciliation',
  ])('GET /events/{event}/%s is the same on both addresses', async (path) => {
    const [api, scanner] = await Promise.all([
      ask('GET', `${fair}/${path}`, PUBLIC_TEST_KEY),
      ask('GET', `/api/v1${fair}/${path}`, PUBLIC_TEST_KEY),
    ]);
    expect([api.status, scanner.status]).toEqual([200, 200]);
    expect(Object.keys(api.body)).toEqual(Object.keys(scanner.body));
  });
});
