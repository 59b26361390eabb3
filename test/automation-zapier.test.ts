import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as contract from '@turnout/contract';
import { sign } from '@turnout/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bodyCheck } from '../server/src/road/validate.ts';
import { installIntegration } from './support/automation/install.ts';
import { startRecorder } from './support/automation/recorder.ts';
import { type Automation, HAPPENINGS, type Organization, scan, startAutomation } from './support/automation/world.ts';
import type { Received } from './support/receivers.ts';

/** The app that people use in Zapier, driven by the platform's own tester, against a Turnout. */
// biome-ignore lint/suspicious/noExplicitAny: what the app is made of belongs to packages that only this test installs
type Loose = any;
let app: Loose;
let run: (what: Loose, bundle: object) => Promise<Loose>;
let validate: () => Promise<unknown[]>;
let world: Automation;
const plans: Record<string, Organization> = {};

beforeAll(async () => {
  const folder = installIntegration('zapier');
  app = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)).default;
  const platform = createRequire(join(folder, 'package.json'))('zapier-platform-core');
  run = platform.createAppTester(app);
  const handler = createRequire(join(folder, 'package.json'))('zapier-platform-core/src/tools/create-lambda-handler');
  validate = async () => (await handler(app)({ command: 'validate' })).results;
  world = await startAutomation('zapier');
  for (const plan of ['scale', 'growth', 'starter']) plans[plan] = await world.organization(plan);
}, 300_000);
afterAll(() => world?.stop());
afterEach(() => {
  expect(world.recorder.strange).toEqual([]);
  world.recorder.clear();
});

const TRIGGERS = Object.keys(HAPPENINGS);
const ACTIONS = ['create_registration', 'add_attendee', 'issue_ticket', 'record_check_in'];
const as = (org: Organization, inputData: object = {}, more: object = {}) => ({
  authData: { address: world.recorder.url, key: org.key },
  inputData: { event: org.event, ...inputData },
  meta: { zap: { id: '77' } },
  ...more,
});
const operation = (kind: string, key: string): Loose => app[kind][key].operation;
const trigger = (key: string) => operation('triggers', key);
const create = (key: string, bundle: object) => run(operation('creates', key).perform, bundle);
const find = (bundle: object) => run(operation('searches', 'find_registration').perform, bundle);
/** How an action failed, as Zapier sees it. */
async function failure(doing: Promise<unknown>): Promise<{ name: string; text: string; message: Loose }> {
  const error = await doing.then(
    () => {
      throw new Error('It did not fail');
    },
    (reason: Error) => reason,
  );
  const text = error.message.split('\nWhat happened:')[0]!.trim();
  return { name: error.name, text, message: text.startsWith('{') ? JSON.parse(text) : text };
}
/** What Zapier hands over when a delivery has arrived. */
const arrived = ({ body, headers }: Received) => ({
  rawRequest: {
    method: 'POST',
    querystring: '',
    // Zapier writes the names of headers in this way.
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        `Http-${name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`,
        value,
      ]),
    ),
    content: body.toString('utf8'),
  },
  cleanedRequest: JSON.parse(body.toString('utf8')),
});
/** A Zap that is turned on. */
async function turnOn(org: Organization, key: string, inputData: object = {}, authKey = org.key) {
  const targetUrl = world.target();
  const bundle = { ...as(org, inputData), authData: { address: world.recorder.url, key: authKey }, targetUrl };
  const subscribeData = await run(trigger(key).performSubscribe, bundle);
  return { ...bundle, subscribeData };
}
type Zap = Awaited<ReturnType<typeof turnOn>>;
const hear = (key: string, zap: Zap, received: Received, changed: object = {}) =>
  run(trigger(key).perform, { ...zap, ...arrived(received), ...changed });

const personFields = (last_name: string) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name,
  email: 'ada@example.org',
  days: ['d1'],
});

describe('the app itself', () => {
  test('is valid by the rules of the platform', async () => {
    expect(await validate()).toEqual([]);
  });

  test('its samples are what the API answers', () => {
    const { Registration, Ticket, Payment, CheckIn, Attendee, ScanResponse } = contract;
    const shapes: [string, string, { properties: object }][] = [
      ...TRIGGERS.filter((key) => /registration/.test(key)).map((key) => ['triggers', key, Registration] as never),
      ['triggers', 'ticket_issued', Ticket],
      ['triggers', 'payment_received', Payment],
      ['triggers', 'new_check_in', CheckIn],
      ['searches', 'find_registration', Registration],
      ['creates', 'create_registration', Registration],
      ['creates', 'add_attendee', Attendee],
      ['creates', 'issue_ticket', Ticket],
      ['creates', 'record_check_in', ScanResponse],
    ];
    for (const [kind, key, schema] of shapes) {
      const { sample } = operation(kind, key);
      expect(bodyCheck(schema as never)(sample), key).toEqual([]);
      // Nothing that the API does not have, but for the id that Zapier needs.
      expect(Object.keys(schema.properties).concat('id'), key).toEqual(expect.arrayContaining(Object.keys(sample)));
    }
  });

  test('whatever is no operation of API v1, or does not name the app, is noticed', async () => {
    const recorder = await startRecorder(world.t.url, 'zapier');
    await fetch(`${recorder.url}/app/api/-/session`, { headers: { 'x-service-client': 'zapier' } });
    await fetch(`${recorder.url}/v1/me`);
    await fetch(`${recorder.url}/v1/me`, { headers: { 'x-service-client': 'zapier' } });
    await recorder.stop();
    expect(recorder.strange).toEqual([
      'GET /app/api/-/session is no operation of API v1',
      'GET /v1/me does not name the app (undefined)',
    ]);
    expect([...recorder.used]).toEqual(['getMe']);
  });
});

describe('connecting', () => {
  test('shows the organization and the mode, with or without /v1 at the end of the address', async () => {
    const { scale } = plans;
    for (const address of [world.recorder.url, `${world.recorder.url}/`, `${world.recorder.url}/v1`]) {
      const authData = { address, key: scale!.key };
      const inputData = await run(app.authentication.test, { authData });
      expect(await run(app.authentication.connectionLabel, { authData, inputData })).toBe(
        `${scale!.code} events (live)`,
      );
    }
  });

  test('a key that is not known has to be connected again', async () => {
    const authData = { address: world.recorder.url, key: 'svc_live_nonsense' };
    expect(await failure(run(app.authentication.test, { authData }))).toMatchObject({
      name: 'ExpiredAuthError',
      text: expect.stringContaining('not a known API key'),
    });
  });

  test('below Growth the refusal names the plan', async () => {
    const { name, message } = await failure(run(app.authentication.test, as(plans.starter!)));
    expect(name).toBe('AppError');
    expect(message).toMatchObject({ code: 'entitlement_required', status: 403 });
    expect(message.message).toMatch(/^This needs the Turnout plan Growth\./);
  });

  test.each(['http://turnout.example.org', 'turnout.example.org', 'ftp://x', ''])(
    'the key is not sent to %s',
    async (address) => {
      const { message } = await failure(run(app.authentication.test, { authData: { address, key: plans.scale!.key } }));
      expect(message.message).toMatch(/must begin with https:/);
    },
  );
});

describe('triggers', () => {
  test.each(TRIGGERS.flatMap((key) => ['growth', 'scale'].map((plan) => [key, plan] as const)))(
    '%s on %s: subscribes, hears, unsubscribes',
    async (key, plan) => {
      const org = plans[plan]!;
      const zap = await turnOn(org, key);
      const label = app.triggers[key].display.label;
      expect((await org.endpoints()).find(({ url }) => url === zap.targetUrl)).toMatchObject({
        id: zap.subscribeData.id,
        event: 'fair',
        description: `Zapier: ${label}`,
      });
      const id = await HAPPENINGS[key]!(org);
      const deliveries = await world.delivered(zap.targetUrl);
      expect(deliveries).toHaveLength(1);
      const records = await hear(key, zap, deliveries[0]!);
      expect(records).toEqual([JSON.parse(deliveries[0]!.body.toString()).data]);
      expect(records[0].id).toBe(id);
      await run(trigger(key).performUnsubscribe, zap);
      expect((await org.endpoints()).filter(({ url }) => url === zap.targetUrl)).toEqual([]);
      // Turned off twice, or deleted in Turnout before.
      await run(trigger(key).performUnsubscribe, zap);
    },
  );

  test.each(TRIGGERS)('%s: below Growth the refusal names the plan', async (key) => {
    for (const doing of [() => turnOn(plans.starter!, key), () => run(trigger(key).performList, as(plans.starter!))]) {
      const { message } = await failure(doing());
      expect(message.message).toMatch(/^This needs the Turnout plan Growth\./);
    }
  });

  test.each(TRIGGERS.flatMap((key) => ['growth', 'scale'].map((plan) => [key, plan] as const)))(
    '%s on %s: lists samples, of one event and of all',
    async (key, plan) => {
      const org = plans[plan]!;
      const id = await HAPPENINGS[key]!(org);
      for (const event of [org.event, '']) {
        const samples = await run(trigger(key).performList, as(org, { event }));
        // Growth does not include the list of check-ins, so Turnout's own sample has to do.
        if (key === 'new_check_in' && plan === 'growth') expect(samples[0]).toEqual(contract.SAMPLES.checkIn);
        else expect(samples.map((one: { id: string }) => one.id)).toContain(id);
      }
    },
  );

  test('one that is not signed with the secret is read again by its id, and the API is believed', async () => {
    const org = plans.scale!;
    for (const key of TRIGGERS) {
      const zap = await turnOn(org, key);
      await HAPPENINGS[key]!(org);
      const [delivery] = await world.delivered(zap.targetUrl);
      const { cleanedRequest } = arrived(delivery!);
      const forged = { ...cleanedRequest, data: { ...cleanedRequest.data, updated_at: 'forged', reason: 'forged' } };
      const [record] = await hear(key, zap, delivery!, { rawRequest: undefined, cleanedRequest: forged });
      expect(record.id).toBe(cleanedRequest.data.id);
      expect(JSON.stringify(record)).not.toContain('forged');
    }
  });

  test('one that is signed wrongly, or too long ago, or not at all, and that nobody confirms, stops', async () => {
    const org = plans.growth!;
    const zap = await turnOn(org, 'new_check_in');
    await HAPPENINGS.new_check_in!(org);
    const [delivery] = await world.delivered(zap.targetUrl);
    const { rawRequest, cleanedRequest } = arrived(delivery!);
    const signature = rawRequest.headers['Http-Service-Signature']!;
    const header = (value: string) => ({ ...rawRequest, headers: { 'Service-Signature': value } });
    const now = Math.floor(Date.now() / 1000);
    // The genuine one, under the name that it was sent with, and during a rotation.
    const rotated = await sign(rawRequest.content, ['whsec_new', zap.subscribeData.secret], now - 290);
    for (const genuine of [signature, rotated])
      expect(await hear('new_check_in', zap, delivery!, { rawRequest: header(genuine) })).toHaveLength(1);
    for (const broken of [
      { ...rawRequest, content: rawRequest.content.replace('accepted', 'Accepted') },
      header(signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
      header(await sign(rawRequest.content, zap.subscribeData.secret, now - 310)),
      header(await sign(rawRequest.content, zap.subscribeData.secret, now + 310)),
      header(await sign(rawRequest.content, 'whsec_of_another_endpoint', now)),
      header(''),
    ]) {
      expect(await failure(hear('new_check_in', zap, delivery!, { rawRequest: broken }))).toMatchObject({
        name: 'HaltedError',
        text: expect.stringContaining(`${cleanedRequest.data.id} without a valid signature`),
      });
    }
  });

  test('a check-in that admits nobody is told only on request', async () => {
    const org = plans.scale!;
    const [admitted, all] = [await turnOn(org, 'new_check_in'), await turnOn(org, 'new_check_in', { all_scans: true })];
    const { code } = (await org.register()).attendees[0]!.tickets[0]!;
    for (const result of ['accepted', 'duplicate']) {
      const id = await scan(org, code);
      const of = async (zap: Zap) => {
        const delivery = (await world.delivered(zap.targetUrl)).find(({ body }) => body.includes(id))!;
        return (await hear('new_check_in', zap, delivery)).map((one: { result: string }) => one.result);
      };
      expect(await of(all)).toEqual([result]);
      expect(await of(admitted)).toEqual(result === 'accepted' ? [result] : []);
    }
  });

  test('test activity is told on request, and always to a Zap with a test key', async () => {
    const org = plans.scale!;
    const zaps = [
      await turnOn(org, 'new_registration'),
      await turnOn(org, 'new_registration', { include_test: true }),
      await turnOn(org, 'new_registration', {}, org.testKey),
    ];
    const attendees = [{ attendee_type: 'adult', first_name: 'Test', last_name: 'Person', days: ['d1'] }];
    const path = `/v1/events/${org.event}/registrations`;
    expect((await world.t.call('POST', path, { key: org.testKey, body: { attendees } })).status).toBe(201);
    const told = [];
    for (const zap of zaps) {
      const [delivery] = await world.delivered(zap.targetUrl);
      told.push((await hear('new_registration', zap, delivery!)).length);
    }
    expect(told).toEqual([0, 1, 1]);
  });

  test('a private test host is refused with words that help', async () => {
    for (const targetUrl of ['https://localhost:9000/hook', 'https://10.0.0.7/hook', 'http://hooks.example.org/']) {
      const doing = run(trigger('new_registration').performSubscribe, { ...as(plans.growth!), targetUrl });
      const { message } = await failure(doing);
      expect(message).toMatchObject({ code: 'webhook_url_refused', status: 422 });
      expect(message.message).toMatch(/only to public https addresses.*WEBHOOK_ALLOWED_NETWORKS/);
    }
  });
});

describe('drop-downs', () => {
  test('list events, attendee types, days and check-in points', async () => {
    const org = plans.growth!;
    const list = async (key: string) =>
      (await run(trigger(key).perform, as(org))).map((one: Loose) => [one.id === org.event || one.code, one.name]);
    expect(await list('event_list')).toEqual([[true, 'Summer fair']]);
    expect(await list('attendee_type_list')).toEqual([
      ['adult', 'Adult'],
      ['paying', 'Paying'],
    ]);
    expect((await list('day_list')).map(([code]: string[]) => code)).toEqual(['d1', 'd2']);
    expect(await list('check_in_point_list')).toEqual([['gate', 'Main gate']]);
    // Every drop-down that a field names is there, with what it takes as value and as label.
    const named = [...JSON.stringify(app).matchAll(/"dynamic":"(\w+)\.(\w+)\.(\w+)"/g)];
    expect(new Set(named.map(([, key]) => key)).size).toBe(4);
    for (const [, key, value, label] of named) {
      const [first] = await run(trigger(key!).perform, as(org));
      expect(first).toMatchObject({ [value!]: expect.any(String), [label!]: expect.any(String) });
    }
  });

  test('have a second page', async () => {
    const org = await world.organization('scale');
    for (let count = 0; count < 200; count++) {
      expect((await org.member('POST', '/events', { name: `Event ${count}` })).status).toBe(201);
    }
    const pageOf = async (page: number) =>
      (await run(trigger('event_list').perform, { ...as(org), meta: { page } })).map(({ id }: Loose) => id);
    const pages = [await pageOf(0), await pageOf(1), await pageOf(2)];
    expect(pages.map((ids) => ids.length)).toEqual([200, 1, 0]);
    expect(new Set(pages.flat()).size).toBe(201);
  });

  test('ask for the event first', async () => {
    expect(await failure(run(trigger('day_list').perform, as(plans.scale!, { event: '' })))).toMatchObject({
      text: 'Choose the event first.',
    });
  });

  test('the questions of an event are fields', async () => {
    const questions = operation('creates', 'create_registration').inputFields.find(
      (field: unknown) => typeof field === 'function',
    );
    const fields = (attendee_type?: string) => run(questions, as(plans.growth!, { attendee_type }));
    expect(await fields('adult')).toEqual([
      { key: 'answer__diet', label: 'Any dietary needs?', type: 'string', required: false },
    ]);
    expect((await fields('paying')).map(({ key, type }: Loose) => [key, type])).toEqual([
      ['answer__diet', 'string'],
      ['answer__shuttle', 'boolean'],
    ]);
  });
});

describe('find registration', () => {
  test.each(['growth', 'scale'])('by id, reference, e-mail address and name on %s', async (plan) => {
    const org = plans[plan]!;
    const email = `${plan}-find@example.org`;
    const { id, code } = await org.register({ email });
    for (const wanted of [{ reference: id }, { reference: code }, { reference: code.toLowerCase() }, { email }]) {
      expect((await find(as(org, wanted))).map((one: Loose) => one.id)).toEqual([id]);
    }
    expect((await find(as(org, { name: 'zoe', email }))).map((one: Loose) => one.id)).toEqual([id]);
    for (const nothing of [{ reference: 'NOSUCHCODE' }, { email: 'nobody@example.org' }, { name: 'Nobody' }]) {
      expect(await find(as(org, nothing))).toEqual([]);
    }
  });

  test('needs something to look for', async () => {
    expect((await failure(find(as(plans.growth!)))).message.message).toMatch(/^Give an id/);
  });

  test('below Growth the refusal names the plan', async () => {
    const { message } = await failure(find(as(plans.starter!, { name: 'Ada' })));
    expect(message.message).toMatch(/^This needs the Turnout plan Growth\./);
  });
});

describe('actions', () => {
  /** The fields of each action that works. */
  async function inputOf(key: string, org: Organization): Promise<object> {
    const { id, attendees } = await org.register();
    const [{ id: attendee, tickets }] = attendees as [(typeof attendees)[0]];
    return {
      create_registration: { ...personFields('Lovelace'), answer__diet: 'No nuts', send_emails: false },
      add_attendee: { registration: id, ...personFields('Byron') },
      issue_ticket: { attendee },
      record_check_in: { check_in_point: 'gate', code: tickets[0]!.code, retry_key: id },
    }[key]!;
  }
  const posts = () => world.recorder.calls.filter(({ method }) => method === 'POST');

  test.each(ACTIONS)('%s on Scale is one operation, and a repeated run does nothing twice', async (key) => {
    const org = plans.scale!;
    const input = await inputOf(key, org);
    const bundle = as(org, { retry_key: `run-${key}`, ...input });
    world.recorder.clear();
    const first = await create(key, bundle);
    expect(posts()).toHaveLength(1);
    expect(world.recorder.calls).toHaveLength(1);
    expect(first.id).toEqual(expect.any(String));
    expect(await create(key, bundle)).toEqual(first);
    // Another run of the Zap, another Zap.
    const others = [
      await create(key, as(org, { ...input, retry_key: `other-${key}` })),
      await create(key, { ...bundle, meta: { zap: { id: '78' } } }),
    ];
    for (const other of others) expect(other.id).not.toBe(first.id);
  });

  test('what they make is what was asked for', async () => {
    const org = plans.scale!;
    const made = await create('create_registration', as(org, await inputOf('create_registration', org)));
    expect(made).toMatchObject({
      status: 'confirmed',
      send_emails: false,
      attendees: [{ last_name: 'Lovelace', email: 'ada@example.org', days: ['d1'], answers: { diet: 'No nuts' } }],
    });
    const scanned = await create('record_check_in', as(org, await inputOf('record_check_in', org)));
    expect(scanned).toMatchObject({ result: 'accepted', admitted: true, checkins: [{ id: scanned.id }] });
    const unknown = { check_in_point: 'gate', code: 'NOSUCHTICKET', retry_key: 'unknown' };
    expect(await create('record_check_in', as(org, unknown))).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      result: 'unknown',
      admitted: false,
    });
    const log = await world.t.call('GET', '/v1/audit-log?action=registration.created&limit=200', { key: org.key });
    expect(log.body.data.find((one: Loose) => one.object.id === made.id)).toMatchObject({ client: 'zapier' });
  });

  test.each(ACTIONS.flatMap((key) => ['growth', 'starter'].map((plan) => [key, plan] as const)))(
    '%s on %s: the refusal names the plan',
    async (key, plan) => {
      const org = plans[plan]!;
      const { name, message } = await failure(create(key, as(org, await inputOf(key, org))));
      expect(name).toBe('AppError');
      const wanted = plan === 'growth' ? 'Scale' : 'Growth';
      expect(message.message).toMatch(new RegExp(`^This needs the Turnout plan ${wanted}\\.`));
    },
  );

  test('a run that was refused can be repeated once there is room, and then does nothing twice', async () => {
    const org = await world.organization('scale');
    const on = `/events/${org.event}`;
    const input = (last: string) => as(org, { ...personFields(last), days: ['d2'], email: '' });
    await create('create_registration', input('First'));
    const refused = await failure(create('create_registration', input('Second')));
    expect(refused).toMatchObject({ name: 'HaltedError', text: expect.stringMatching(/day d2 is full/) });
    expect((await failure(create('create_registration', input('Second')))).name).toBe('HaltedError');
    expect((await org.member('PATCH', `${on}/days/d2`, { capacity: 5 })).status).toBe(200);
    const made = await create('create_registration', input('Second'));
    expect((await create('create_registration', input('Second'))).id).toBe(made.id);
    expect((await org.member('GET', `${on}/registrations`)).body.data).toHaveLength(2);
  });

  test('faults are named by field', async () => {
    const bundle = as(plans.scale!, { ...personFields('x'), email: 'not an address', attendee_type: 'nobody' });
    const { message } = await failure(create('create_registration', bundle));
    expect(message.code).toBe('validation_failed');
    const lines = message.message.split('\n');
    expect(lines.some((line: string) => /^email: /.test(line))).toBe(true);
  });

  test('too many calls: Zapier is told how long to wait', async () => {
    const { secret: key } = await world.t.key(plans.scale!.code, { rpm: 1 });
    const bundle = { ...as(plans.scale!), authData: { address: world.recorder.url, key } };
    const failed = await failure(
      (async () => {
        for (let count = 0; count < 3; count++) await run(trigger('event_list').perform, bundle);
      })(),
    );
    expect(failed.name).toBe('ThrottledError');
    expect(failed.message.delay).toBeGreaterThan(0);
    expect(failed.message.delay).toBeLessThanOrEqual(60);
  });

  test('an address that is not a Turnout is told from a refusal', async () => {
    const authData = { address: `${world.recorder.url}/elsewhere`, key: plans.scale!.key };
    const { message } = await failure(run(app.authentication.test, { authData }));
    expect(message.message).toMatch(/address/);
    world.recorder.clear();
  });
});
