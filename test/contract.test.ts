import { RESULTS } from '@turnout/checkin';
import { ENTITLEMENTS, type Entitlement, EVENT_TYPES, PLANS, ROLES } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { openapiDocument } from '../server/src/openapi/document.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** What the contract says about all operations, and about the plans. Written by hand, so that a change of a declaration is noticed. */
let t: TestTurnout;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
});
afterAll(() => t.stop());

const hostsOf = (one: Operation) => one.hosts ?? ['api'];
const offered = operations.filter((one) => hostsOf(one).length > 0);
const ULID = '^[0-7][0-9A-HJKMNP-TV-Z]{25}$';
const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');
const named = (wanted: readonly Operation[]): string[] => wanted.map(({ id }) => id).toSorted();

describe('the endpoints of the contract', () => {
  // claim: base-url, endpoints, scanner-host
  test.each([
    ['GET', '/me', ['api']],
    ['GET', '/events', ['api']],
    ['POST', '/events/{event_id}/registrations', ['api']],
    ['POST', '/events/{event_id}/registrations/{id}/attendees', ['api']],
    ['GET', '/events/{event}/attendees', ['api']],
    ['POST', '/events/{event}/scan', ['api', 'scanner']],
    ['POST', '/events/{event}/scan/batch', ['scanner']],
    ['GET', '/events/{event}/scan/manifest', ['scanner']],
    ['GET', '/events/{event}/scan/roster', ['scanner']],
    ['GET', '/events/{event}/checkins', ['scanner']],
    ['POST', '/checkins/{id}/override', ['scanner']],
    ['POST', '/events/{event_id}/imports', ['api']],
    ['POST', '/exports', ['api']],
    ['GET', '/jobs/{id}', ['api']],
    ['POST', '/webhooks', ['api']],
    ['GET', '/webhooks/{id}/deliveries', ['api']],
    ['POST', '/webhooks/deliveries/{id}/replay', ['api']],
  ])('%s %s is offered on %j', async (method, path, hosts) => {
    const found = operations.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path));
    expect(hostsOf(found!)).toEqual(expect.arrayContaining(hosts));
    for (const host of hosts) {
      const prefix = host === 'api' ? '/v1' : '/api/v1';
      const reply = await t.call(method, `${prefix}${path.replaceAll(/\{\w+\}/g, 'x')}`);
      expect([reply.status, reply.body.error.code]).toEqual([401, 'api_key_required']);
    }
  });

  // claim: key-identifies-organization
  test('no address names an organization, because the key does', () => {
    for (const { path } of offered) expect(path).not.toMatch(/\{(org|organization|tenant)\w*\}/);
  });

  // claim: api-areas, api-offers-what-the-app-uses
  test('everything that members do is offered to keys, except what only a person may do', () => {
    const withoutKeys = operations.filter((one) => hostsOf(one).length === 0 && one.member !== null);
    // Keys, members, invitations and paired scanners give access; the contract calls the platform import a flow of the app.
    const forPeople = /^\/(keys|members|membership|invitations|platform-connections)\b|\/(devices|platform-imports)\b/;
    expect(withoutKeys.filter(({ path }) => !forPeople.test(path)).map(({ path }) => path)).toEqual([]);
    for (const path of ['/groups', '/events', '/contacts', '/webhooks', '/me', '/exports', '/event-templates/imports'])
      expect(offered.map((one) => one.path)).toContain(path);
    for (const part of ['registrations', 'tickets', 'scan', 'communications', 'imports', 'days', 'check-in-points'])
      expect(offered.map((one) => one.path)).toContain(`/events/{event}/${part}`);
    expect(offered.map((one) => one.path)).toContain('/events/{event}/communications/{communication}/test');
  });

  // claim: no-other-channel
  test('no answer is a stream: webhooks are the only channel of events', () => {
    expect(JSON.stringify(openapiDocument(operations))).not.toContain('text/event-stream');
  });
});

describe('scopes and entitlements of the operations', () => {
  const scanning = (one: Operation) => one.scope === 'scanner' || one.keysRefused !== undefined;
  const rest = offered.filter((one) => !scanning(one));
  const isWebhooks = (one: Operation) => one.path.startsWith('/webhooks');

  // claim: read-covers-get, write-covers-changes
  test('a GET needs `read`, everything that changes or acts `write`; `admin` stands apart', () => {
    const reads = rest.filter(({ method }) => method === 'GET');
    expect(named(reads.filter(({ scope }) => scope !== 'read'))).toEqual([
      'getOrganization',
      'listAuditLog',
      'listTenantHosts',
    ]);
    const changes = rest.filter(({ method }) => method !== 'GET');
    expect(named(changes.filter(({ scope }) => scope !== 'write'))).toEqual([
      'addTenantHost',
      'changeOrganization',
      'checkTenantHost',
      'clearTestCheckIns',
      'createGroup',
      'deleteEvent',
      'deleteGroup',
      'eraseContact',
      'makeTenantHostPrimary',
      'moveGroup',
      'removeLogo',
      'removeTenantHost',
      'setLogo',
    ]);
    for (const { scope } of [...reads, ...changes]) expect(['read', 'write', 'admin']).toContain(scope);
  });

  // claim: plan-api-scanner, scanning-needs-scanner
  test('scanning needs `scanner` and `api_scanner`', () => {
    const door = offered.filter(({ path }) => /\/(scan|checkins)\b|^\/devices\/self/.test(path));
    expect(named(door.filter((one) => !scanning(one)))).toEqual(['clearTestCheckIns']);
    for (const one of offered.filter(scanning)) expect([one.id, one.entitlement]).toEqual([one.id, 'api_scanner']);
  });

  // claim: plan-api-read, plan-api-write, plan-webhooks
  test('reading needs `api_read`, changing `api_write`, managing webhooks `webhooks` and nothing else', () => {
    for (const one of rest) {
      const change = isWebhooks(one) ? 'webhooks' : 'api_write';
      const wanted = one.method === 'GET' ? 'api_read' : change;
      expect([one.id, one.entitlement]).toEqual([one.id, wanted]);
    }
    expect(rest.filter(isWebhooks).length).toBeGreaterThan(10);
  });

  // claim: changes-audited
  test('every change has a name in the audit log', () => {
    const changes = offered.filter(({ method }) => method !== 'GET');
    expect(changes.length).toBeGreaterThan(60);
    expect(changes.filter(({ audit }) => !audit)).toEqual([]);
    // A preview changes nothing, and the heartbeat of a scanner says how the device is.
    expect(named(changes.filter(({ unaudited }) => unaudited === true))).toEqual([
      'previewCommunication',
      'sendHeartbeat',
    ]);
  });
});

describe('the plans', () => {
  const FROM: Partial<Record<Entitlement, string>> = {
    api_read: 'growth',
    api_write: 'scale',
    api_scanner: 'scale',
    webhooks: 'growth',
    client_apps: 'growth',
    background_imports: 'starter',
    platform_import: 'starter',
  };

  // claim: plan-api-read, plan-api-scanner, plan-api-write, plan-webhooks
  test.each(ENTITLEMENTS)('%s begins with the plan of the contract', (entitlement) => {
    const having = PLANS.filter(({ entitlements }) => entitlements.includes(entitlement)).map(({ code }) => code);
    const all = PLANS.map(({ code }) => code as string);
    expect(having).toEqual(all.slice(all.indexOf(FROM[entitlement]!)));
  });

  // claim: plan-calls, plan-rates
  test.each([
    ['growth', 120, 100_000],
    ['scale', 600, 1_000_000],
  ])('%s allows a key %i requests per minute and the organization %i calls per month', async (plan, rate, calls) => {
    await t.org(`on-${plan}`, plan);
    const { secret } = await t.key(`on-${plan}`, { rpm: 5000 });
    const { body, headers } = await t.call('GET', '/v1/me', { key: secret });
    expect(headers.get('x-ratelimit-limit')).toBe(String(rate));
    expect(body.plan.limits).toMatchObject({ api_rate_per_min: rate, api_calls_monthly: calls });
    expect(body.usage.allowance).toBe(calls);
  });
});

// claim: webhook-roles
test.each(ROLES)('members of the roles Owner, Admin and Developer manage webhooks: %s', async (role) => {
  const cookie = `turnout_session=${await t.session('acme', role)}`;
  const may = ['owner', 'admin', 'developer'].includes(role);
  expect((await t.call('GET', '/app/api/webhooks', { headers: { cookie } })).status).toBe(may ? 200 : 403);
  const body = { url: 'https://hooks.example.org/x', events: ['*'] };
  const made = await t.call('POST', '/app/api/webhooks', { headers: { cookie }, body });
  expect(made.status).toBe(may ? 201 : 403);
});

// claim: event-types
test('there are 19 event types, the ones that the contract names among them', () => {
  expect(new Set(EVENT_TYPES).size).toBe(19);
  expect(EVENT_TYPES).toEqual(
    expect.arrayContaining(['checkin.recorded', 'registration.created', 'registration.updated']),
  );
});

// claim: scan-results
test('the results of a scan are those of the contract, and possibly others', () => {
  expect(RESULTS).toEqual(
    expect.arrayContaining([
      ...['accepted', 'pre_checked', 'zone_entered', 'duplicate', 'day_locked', 'wrong_day', 'not_yet_open'],
      ...['closed', 'rejected', 'voided', 'unknown'],
    ]),
  );
});

// claim: profile
test('the profile has the organization, the scopes of the key, what the plan allows, and the words for things', async () => {
  const { secret } = await t.key('acme', { scopes: ['read', 'scanner'] });
  const { body } = await t.call('GET', '/v1/me', { key: secret });
  expect(body).toMatchObject({
    organization: { code: 'acme', id: expect.stringMatching(new RegExp(ULID)) },
    key: { scopes: ['read', 'scanner'] },
    plan: { code: 'scale', entitlements: expect.arrayContaining(['api_read', 'webhooks']) },
    terminology: { attendee: expect.any(String), event: expect.any(String) },
  });
});

// claim: ulids
test('the id of every object is a ULID', () => {
  const document = openapiDocument(operations) as unknown as {
    components: { schemas: Record<string, { properties?: { id?: { pattern?: string } } }> };
  };
  const withId = Object.entries(document.components.schemas).filter(([, { properties }]) => properties?.id);
  expect(withId.length).toBeGreaterThan(20);
  const others = withId.filter(([, { properties }]) => properties!.id!.pattern !== ULID);
  // An envelope's id has a prefix. The audit log also names objects that are no longer there, and those of the platform.
  expect(others.map(([name]) => name)).toEqual(['AuditObject', 'WebhookEnvelope']);
});
