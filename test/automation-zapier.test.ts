import * as contract from '@turnout/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bodyCheck } from '../server/src/road/request/validate.ts';
import { startRecorder } from './support/automation/recorder.ts';
import type { Organization } from './support/automation/world.ts';
import {
  ACTIONS,
  app,
  as,
  create,
  failure,
  find,
  type Loose,
  operation,
  personFields,
  plans,
  run,
  startZapier,
  TRIGGERS,
  trigger,
  validate,
  world,
} from './support/automation/zapier.ts';
import { triggerTests } from './support/automation/zapier-triggers.ts';

/** The app that people use in Zapier, driven by the platform's own tester, against a Turnout. */
beforeAll(startZapier, 300_000);
afterAll(() => world?.stop());
afterEach(() => {
  expect(world.recorder.strange).toEqual([]);
  world.recorder.clear();
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

  // claim: apps-use-only-the-api
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
      text: expect.stringContaining('This API key doesn’t exist'),
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

triggerTests();

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
    const choices = async (key: string) =>
      (await run(trigger(key).perform, as(plans.growth!))).map(({ id, choice, name }: Loose) => [
        typeof id,
        choice,
        name,
      ]);
    expect(await choices('product_list')).toEqual([
      ['string', 'shirt/m', 'T-shirt (Medium)'],
      ['string', 'dinner', 'Dinner'],
    ]);
    expect(await choices('registration_product_list')).toEqual([['string', 'parking', 'Parking']]);
    // Every drop-down that a field names is there, with what it takes as value and as label.
    const named = [...JSON.stringify(app).matchAll(/"dynamic":"(\w+)\.(\w+)\.(\w+)"/g)];
    expect(new Set(named.map(([, key]) => key)).size).toBe(6);
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

  // claim: action-is-one-operation
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

  test('products are taken with their options and quantities, and a code takes something off', async () => {
    const org = plans.scale!;
    const taken = {
      products: ['shirt/m', 'dinner', 'shirt/m'],
      registration_products: ['parking'],
      discount_code: 'friends 25',
    };
    const made = await create('create_registration', as(org, { ...personFields('Byron'), ...taken }));
    expect(made).toMatchObject({
      ...{
        discount_code: 'FRIENDS-25',
        discount_minor: 1000,
        total_minor: 0,
        products: [{ product: 'parking', quantity: 1 }],
      },
      attendees: [
        {
          products: [
            { product: 'shirt', option: 'm', quantity: 2 },
            { product: 'dinner', option: null, quantity: 1, price_minor: 1000, discount_minor: 1000 },
          ],
        },
      ],
    });
    const added = { registration: made.id, ...personFields('King'), products: 'dinner' };
    expect((await create('add_attendee', as(org, added))).products).toMatchObject([{ product: 'dinner', quantity: 1 }]);
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
