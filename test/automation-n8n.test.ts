import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sign } from '@turnout/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installIntegration } from './support/automation/install.ts';
import { type Engine, type Loose, loadEngine, TestWorkflow } from './support/automation/n8n.ts';
import { type Automation, HAPPENINGS, type Organization, scan, startAutomation } from './support/automation/world.ts';
import { blocksOf } from './support/guide.ts';
import type { Received } from './support/receivers.ts';

/** The package for n8n, packed and run by n8n's own engine, against a Turnout. */
let project: string;
let engine: Engine;
let world: Automation;
const plans: Record<string, Organization> = {};

beforeAll(async () => {
  project = installIntegration('n8n');
  engine = await loadEngine(project);
  world = await startAutomation('n8n');
  for (const plan of ['scale', 'growth', 'starter']) plans[plan] = await world.organization(plan);
}, 600_000);
afterAll(async () => {
  await world?.stop();
  if (engine !== undefined) rmSync(engine.folder, { recursive: true, force: true });
});
afterEach(() => {
  expect(world.recorder.strange).toEqual([]);
  world.recorder.clear();
});

/** The event type of each trigger. */
const TYPES: Record<string, string> = {
  new_registration: 'registration.created',
  registration_confirmed: 'registration.confirmed',
  registration_cancelled: 'registration.cancelled',
  ticket_issued: 'ticket.issued',
  new_check_in: 'checkin.recorded',
  payment_received: 'payment.received',
};
const TRIGGERS = Object.keys(HAPPENINGS);
const eventOf = (org: Organization) => ({ __rl: true, mode: 'id', value: org.event });

function workflowOf(org: Organization, parts: Record<string, Loose> = {}, key = org.key): TestWorkflow {
  // The receiver is at a host and a port of its own.
  const webhookUrl = new URL(world.target()).origin;
  return new TestWorkflow(engine, { address: world.recorder.url, apiKey: key }, { webhookUrl, ...parts });
}
async function turnOn(org: Organization, events: string[], options = {}, key = org.key) {
  const flow = workflowOf(org, { trigger: { events, event: eventOf(org), options } }, key);
  // Each workflow has an address of its own.
  const { pathname } = new URL(world.target());
  flow.workflow.getNode('Trigger').webhookId = pathname.replaceAll('/', '');
  expect(await flow.hook('checkExists')).toBe(false);
  expect(await flow.hook('create')).toBe(true);
  const [url] = Object.keys(flow.workflow.staticData['node:Trigger'].subscriptions);
  return { flow, url: url! };
}
/** The action with these parameters, after a trigger that says nothing. */
const act = (org: Organization, action: object, settings = {}) =>
  workflowOf(org, { action: { event: eventOf(org), ...action }, settings });
const said = (error: Loose) => [error?.message, error?.description];

const person = (lastName: string) => ({
  attendeeType: 'adult',
  firstName: 'Ada',
  lastName,
  email: 'ada@example.org',
  days: ['d1'],
});
const CREATE = { resource: 'registration', operation: 'create' };

async function actionsOf(org: Organization): Promise<Record<string, object>> {
  const { id, attendees } = await org.register();
  const [{ id: attendee, tickets }] = attendees as [(typeof attendees)[0]];
  return {
    'create registration': { ...CREATE, ...person('Lovelace'), additionalFields: { sendEmails: false } },
    'add attendee': { resource: 'registration', operation: 'addAttendee', registration: id, ...person('Byron') },
    'issue ticket': { resource: 'ticket', operation: 'issue', attendee },
    'record check-in': { resource: 'checkIn', operation: 'record', checkInPoint: 'gate', code: tickets[0]!.code },
  };
}
const ACTIONS = ['create registration', 'add attendee', 'issue ticket', 'record check-in'];

describe('the package', () => {
  test('n8n’s scanner finds nothing in what is packed and in the sources', () => {
    // In NODE_ENV=test the rules look at names that only their own tests use.
    const env = { ...process.env, NODE_ENV: 'production' };
    const linted = spawnSync(process.execPath, [join(project, 'scripts', 'lint.mjs')], { encoding: 'utf8', env });
    expect([linted.stdout, linted.status]).toEqual(['packed: passed\nsources: passed\n', 0]);
  });

  test('depends on nothing that is not n8n’s', () => {
    const { dependencies, peerDependencies, files } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    expect({ dependencies, peerDependencies, files }).toEqual({
      dependencies: undefined,
      peerDependencies: { 'n8n-workflow': '*' },
      files: ['dist'],
    });
  });
});

describe('the credential', () => {
  test('is tested by asking who one is, with or without /v1 at the end of the address', async () => {
    for (const address of [world.recorder.url, `${world.recorder.url}/v1/`]) {
      const flow = new TestWorkflow(engine, { address, apiKey: plans.growth!.key });
      expect((await flow.testCredential()).organization.code).toBe(plans.growth!.code);
    }
    expect(world.recorder.calls.map(({ path }) => path)).toEqual(['/v1/me', '/v1/me']);
  });

  test('that is wrong is refused', async () => {
    const flow = new TestWorkflow(engine, { address: world.recorder.url, apiKey: 'svc_live_nonsense' });
    await expect(flow.testCredential()).rejects.toThrow();
  });
});

describe('the trigger', () => {
  // claim: apps-by-plan, trigger-is-an-endpoint, triggers
  test.each(TRIGGERS.flatMap((key) => ['growth', 'scale'].map((plan) => [key, plan] as const)))(
    '%s on %s: subscribes, hears, unsubscribes',
    async (key, plan) => {
      const org = plans[plan]!;
      const { flow, url } = await turnOn(org, [TYPES[key]!]);
      expect((await org.endpoints()).find((one) => one.url === url)).toMatchObject({
        events: [TYPES[key]],
        event: 'fair',
        description: 'n8n: Test workflow',
      });
      expect(await flow.hook('checkExists')).toBe(true);
      const id = await HAPPENINGS[key]!(org);
      const [delivery] = await world.delivered(url);
      const { status, items } = await flow.receive(delivery!);
      expect(status).toBeNull();
      expect(items.map(({ json }) => [json.type, json.data.id])).toEqual([[TYPES[key], id]]);
      expect(await flow.hook('delete')).toBe(true);
      expect((await org.endpoints()).filter((one) => one.url === url)).toEqual([]);
      expect(await flow.hook('checkExists')).toBe(false);
      // Turned off twice.
      expect(await flow.hook('delete')).toBe(true);
    },
  );

  test.each(TRIGGERS)('%s: below Growth the refusal names the plan', async (key) => {
    const error = await turnOn(plans.starter!, [TYPES[key]!]).catch((reason) => reason);
    expect(error.constructor.name).toBe('NodeApiError');
    expect(error.message).toBe('This needs the Turnout plan Growth');
  });

  test('nothing runs for a request whose signature is not right', async () => {
    const org = plans.scale!;
    const { flow, url } = await turnOn(org, ['registration.created']);
    await org.register();
    const [delivery] = (await world.delivered(url)) as [Received];
    const signature = delivery.headers['service-signature']!;
    const header = (value: string): Received => ({ ...delivery, headers: { 'service-signature': value } });
    const { secret } = flow.workflow.staticData['node:Trigger'].subscriptions[url];
    const now = Math.floor(Date.now() / 1000);
    // As it came, and during a rotation.
    for (const genuine of [delivery, header(await sign(delivery.body, ['whsec_new', secret], now - 290))])
      expect((await flow.receive(genuine)).items).toHaveLength(1);
    for (const broken of [
      { ...delivery, body: Buffer.from(delivery.body.toString().replace('Zoë', 'Zoe')) },
      header(signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))),
      header(await sign(delivery.body, secret, now - 310)),
      header(await sign(delivery.body, secret, now + 310)),
      header(await sign(delivery.body, 'whsec_of_another_endpoint', now)),
      header(''),
      { ...delivery, headers: {} },
    ]) {
      expect(await flow.receive(broken)).toEqual({ status: 401, items: [] });
    }
  });

  test('a check-in that admits nobody is told only on request', async () => {
    const org = plans.scale!;
    const admitted = await turnOn(org, ['checkin.recorded']);
    const all = await turnOn(org, ['checkin.recorded'], { allScans: true });
    const { code } = (await org.register()).attendees[0]!.tickets[0]!;
    for (const result of ['accepted', 'duplicate']) {
      const id = await scan(org, code);
      const of = async ({ flow, url }: typeof all) => {
        const delivery = (await world.delivered(url)).find(({ body }) => body.includes(id))!;
        return (await flow.receive(delivery)).items.map(({ json }) => json.data.result);
      };
      expect(await of(all)).toEqual([result]);
      expect(await of(admitted)).toEqual(result === 'accepted' ? [result] : []);
    }
  });

  test('test activity is told on request, and always with a test key', async () => {
    const org = plans.scale!;
    const flows = [
      await turnOn(org, ['registration.created']),
      await turnOn(org, ['registration.created'], { includeTest: true }),
      await turnOn(org, ['registration.created'], {}, org.testKey),
    ];
    const attendees = [{ attendee_type: 'adult', first_name: 'Test', last_name: 'Person', days: ['d1'] }];
    const path = `/v1/events/${org.event}/registrations`;
    expect((await world.t.call('POST', path, { key: org.testKey, body: { attendees } })).status).toBe(201);
    const told = [];
    for (const { flow, url } of flows) {
      const [delivery] = await world.delivered(url);
      told.push((await flow.receive(delivery!)).items.length);
    }
    expect(told).toEqual([0, 1, 1]);
  });

  test.each([
    ['changed', 'PATCH', '', { events: ['ticket.issued'] }],
    ['given another secret', 'POST', '/rotate-secret', undefined],
    ['deleted', 'DELETE', '', undefined],
  ] as const)('an endpoint that was %s in Turnout is made anew', async (_, method, path, body) => {
    const org = plans.growth!;
    const { flow, url } = await turnOn(org, ['registration.created']);
    const own = async () => (await org.endpoints()).filter((one) => one.url === url);
    const { id } = (await own())[0]!;
    expect((await org.member(method, `/webhooks/${id}${path}`, body)).status).toBeLessThan(300);
    expect(await flow.hook('checkExists')).toBe(false);
    expect(await own()).toEqual([]);
    await flow.hook('create');
    expect(await flow.hook('checkExists')).toBe(true);
    await org.register();
    const [delivery] = await world.delivered(url);
    expect((await flow.receive(delivery!)).items).toHaveLength(1);
  });

  test('listening for a test event leaves the subscription of the active workflow alone', async () => {
    const org = plans.growth!;
    const { flow, url } = await turnOn(org, ['registration.created']);
    expect(await flow.hook('checkExists', true)).toBe(false);
    await flow.hook('create', true);
    const urls = async () =>
      (await org.endpoints()).map((one) => one.url).filter((one) => one.includes(url.split('/').at(-2)!));
    expect(await urls()).toHaveLength(2);
    await flow.hook('delete', true);
    expect(await urls()).toEqual([url]);
    expect(await flow.hook('checkExists')).toBe(true);
  });

  test('a private test host is refused with words that help', async () => {
    for (const webhookUrl of ['http://localhost:5678', 'https://10.0.0.7']) {
      const trigger = { events: ['registration.created'] };
      const error = await workflowOf(plans.growth!, { trigger, webhookUrl })
        .hook('create')
        .catch((reason) => reason);
      expect(error.httpCode).toBe('422');
      expect(error.description).toMatch(/only to public https addresses.*WEBHOOK_URL/);
    }
  });
});

describe('drop-downs', () => {
  test('list events by what is typed, attendee types, days, check-in points and questions', async () => {
    const org = plans.growth!;
    const flow = workflowOf(org);
    const parameters = { event: eventOf(org), attendeeType: 'paying' };
    expect(await flow.load('listSearch', 'searchEvents', {})).toMatchObject({
      results: [{ name: 'Summer fair', value: org.event }],
    });
    expect((await flow.load('listSearch', 'searchEvents', {}, 'winter')).results).toEqual([]);
    const values = async (method: string) =>
      (await flow.load('loadOptions', method, parameters)).map(({ value }: Loose) => value);
    expect(await values('attendeeTypes')).toEqual(['adult', 'paying']);
    expect(await values('days')).toEqual(['d1', 'd2']);
    expect(await values('checkInPoints')).toEqual(['gate']);
    expect(await values('products')).toEqual(['shirt/m', 'dinner']);
    expect(await values('registrationProducts')).toEqual(['parking']);
    const { fields } = await flow.load('resourceMapping', 'questions', parameters);
    expect(fields.map(({ id, type }: Loose) => [id, type])).toEqual([
      ['diet', 'string'],
      ['shuttle', 'boolean'],
    ]);
  });

  test('list nothing before an event is chosen, or where an expression says which', async () => {
    for (const value of ['', '={{ $json.data.event_id }}']) {
      const parameters = { event: { __rl: true, mode: 'id', value } };
      expect(await workflowOf(plans.growth!).load('loadOptions', 'days', parameters)).toEqual([]);
    }
    expect(world.recorder.calls).toEqual([]);
  });
});

describe('the action', () => {
  // claim: apps-by-plan
  test.each(['growth', 'scale'])('finds registrations by reference, e-mail address and name on %s', async (plan) => {
    const org = plans[plan]!;
    const email = `${plan}-find@example.org`;
    const { id, code } = await org.register({ email });
    const find = async (findBy: string, value: string) => {
      const flow = act(org, { resource: 'registration', operation: 'find', findBy, value });
      const { items, error } = await flow.run();
      expect(error).toBeUndefined();
      return items.map((one) => one.id);
    };
    expect(await find('reference', id)).toEqual([id]);
    expect(await find('reference', code)).toEqual([id]);
    expect(await find('email', email)).toEqual([id]);
    expect(await find('search', email)).toEqual([id]);
    expect(await find('search', 'zoe')).toContain(id);
    expect(await find('reference', 'NOSUCHCODE')).toEqual([]);
  });

  // claim: action-is-one-operation
  test.each(ACTIONS)('%s on Scale is one operation, and a repeated attempt does nothing twice', async (name) => {
    const org = plans.scale!;
    const flow = act(org, (await actionsOf(org))[name]!);
    world.recorder.clear();
    const first = await flow.run([{ json: {} }], '11');
    expect(first.error).toBeUndefined();
    expect(first.items).toHaveLength(1);
    expect(world.recorder.calls.map(({ method }) => method)).toEqual(['POST']);
    // The same execution again, as with "Retry On Fail".
    expect((await flow.run([{ json: {} }], '11')).items).toEqual(first.items);
    expect((await flow.run([{ json: {} }], '12')).items).not.toEqual(first.items);
  });

  test('products are taken with their options and quantities, and a code takes something off', async () => {
    const org = plans.scale!;
    const chosen = (...values: object[]) => ({ values });
    const { items, error } = await act(org, {
      ...{ ...CREATE, ...person('Byron'), additionalFields: { discountCode: 'friends 25' } },
      products: chosen({ product: 'shirt/m', quantity: 2 }, { product: 'dinner', quantity: 1 }),
      registrationProducts: chosen({ product: 'parking' }),
    }).run();
    expect(error).toBeUndefined();
    expect(items).toMatchObject([
      {
        ...{ discount_code: 'FRIENDS-25', discount_minor: 1000, total_minor: 0 },
        products: [{ product: 'parking', quantity: 1 }],
        attendees: [
          {
            products: [
              { product: 'shirt', option: 'm', quantity: 2 },
              { product: 'dinner', option: null, quantity: 1, discount_minor: 1000 },
            ],
          },
        ],
      },
    ]);
  });

  // claim: client-header
  test('each item is one', async () => {
    const org = plans.scale!;
    const flow = act(org, { ...CREATE, ...person('={{ $json.name }}'), answers: { value: { diet: 'No nuts' } } });
    const { items } = await flow.run([{ json: { name: 'One' } }, { json: { name: 'Two' } }], '21');
    expect(items.map((one) => [one.attendees[0].last_name, one.attendees[0].answers])).toEqual([
      ['One', { diet: 'No nuts' }],
      ['Two', { diet: 'No nuts' }],
    ]);
    const log = await world.t.call('GET', '/v1/audit-log?action=registration.created&limit=200', { key: org.key });
    expect(log.body.data.find((one: Loose) => one.object.id === items[0].id)).toMatchObject({ client: 'n8n' });
  });

  test('two executions with the same retry key are one', async () => {
    const org = plans.scale!;
    const flow = act(org, { ...CREATE, ...person('Retried'), additionalFields: { retryKey: 'order-17' } });
    const [one, two] = [await flow.run([{ json: {} }], '31'), await flow.run([{ json: {} }], '32')];
    expect(two.items).toEqual(one.items);
  });

  // claim: apps-by-plan
  test.each(ACTIONS.flatMap((name) => ['growth', 'starter'].map((plan) => [name, plan] as const)))(
    '%s on %s: the refusal names the plan',
    async (name, plan) => {
      const org = plans[plan]!;
      const { items, error } = await act(org, (await actionsOf(org))[name]!).run();
      expect(items).toEqual([]);
      expect(error.name).toBe('NodeApiError');
      expect(error.message).toBe(`This needs the Turnout plan ${plan === 'growth' ? 'Scale' : 'Growth'}`);
    },
  );

  test('find registration below Growth: the refusal names the plan', async () => {
    const find = { resource: 'registration', operation: 'find', findBy: 'email', value: 'a@example.org' };
    expect((await act(plans.starter!, find).run()).error.message).toBe('This needs the Turnout plan Growth');
  });

  test('goes on after a refusal if the node says so', async () => {
    const bad = { ...CREATE, ...person('={{ $json.name }}') };
    const flow = act(plans.scale!, bad, { onError: 'continueRegularOutput' });
    const { items, error } = await flow.run([{ json: { name: '' } }, { json: { name: 'Fine' } }], '41');
    expect(error).toBeUndefined();
    expect(items[0].error).toEqual(expect.any(String));
    expect(items[0].description).toMatch(/last_name: /);
    expect(items[1].status).toBe('confirmed');
  });

  test('a refusal says what the API says, and faults are named by field', async () => {
    const { error } = await act(plans.scale!, { ...CREATE, ...person('x'), email: 'nonsense' }).run();
    expect(said(error)[1]).toMatch(/^email: /m);
  });
});

test('a workflow, trigger and action, hears of a registration and adds somebody to it', async () => {
  const org = plans.scale!;
  const action = {
    resource: 'registration',
    operation: 'addAttendee',
    event: { __rl: true, mode: 'id', value: '={{ $json.data.event_id }}' },
    registration: '={{ $json.data.id }}',
    ...person('Guest'),
  };
  const trigger = { events: ['registration.confirmed'], event: eventOf(org) };
  const flow = workflowOf(org, { trigger, action });
  await flow.hook('create');
  const [url] = Object.keys(flow.workflow.staticData['node:Trigger'].subscriptions);
  const { id } = await org.register();
  const [delivery] = await world.delivered(url!);
  const { items, error } = await flow.run((await flow.receive(delivery!)).items, '51');
  expect(error).toBeUndefined();
  expect(items).toMatchObject([{ registration_id: id, last_name: 'Guest', status: 'confirmed' }]);
  await flow.hook('delete');
  expect((await org.endpoints()).filter((one) => one.url === url)).toEqual([]);
});

describe('docs/guides/automation-recipes.md', () => {
  const page = readFileSync(new URL('../docs/guides/automation-recipes.md', import.meta.url), 'utf8');
  const recipes = blocksOf(page);

  test('has these recipes and no other block of code', () => {
    expect(recipes.map(({ file }) => file)).toEqual(['inside.json', 'companion.json']);
    expect(page.match(/^```/gm)).toHaveLength(2 * recipes.length);
  });

  test.each([
    ['inside.json', () => ({ result: 'accepted', admitted: true })],
    [
      'companion.json',
      (registered: Loose) => ({
        registration_id: registered.id,
        first_name: 'Companion',
        last_name: registered.attendees[0].last_name,
        status: 'confirmed',
        days: ['d1'],
      }),
    ],
  ])('%s does what it says', async (file, done) => {
    const { nodes, connections } = JSON.parse(recipes.find((one) => one.file === file)!.text);
    const [trigger, action] = nodes;
    expect([trigger, action].map(({ name, type }) => [name, type])).toEqual([
      ['Trigger', 'n8n-nodes-turnout.turnoutTrigger'],
      ['Turnout', 'n8n-nodes-turnout.turnout'],
    ]);
    expect(connections).toEqual({ Trigger: { main: [[{ node: 'Turnout', type: 'main', index: 0 }]] } });
    const org = plans.scale!;
    const flow = workflowOf(org, { trigger: trigger.parameters, action: action.parameters });
    flow.workflow.getNode('Trigger').webhookId = new URL(world.target()).pathname.replaceAll('/', '');
    await flow.hook('create');
    const [url] = Object.keys(flow.workflow.staticData['node:Trigger'].subscriptions);
    const registered = await org.register();
    const [delivery] = await world.delivered(url!);
    const { items, error } = await flow.run((await flow.receive(delivery!)).items, file);
    expect(error).toBeUndefined();
    expect(items).toMatchObject([done(registered)]);
    await flow.hook('delete');
  });
});
