import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noonClock } from '../../../test/support/clock.ts';
import { type Block, blocksOf } from '../../../test/support/guide.ts';
import { acrossOrganizationsRevokeKey } from '../areas/access/index.ts';
import { type Fair, openFair } from '../areas/scanning/fair.support.ts';
import { SESSION_COOKIE } from '../road/router.ts';
import { sql } from '../store/sql.ts';
import { agent, audited, CLIENTS, initialize, message, say, turnOn } from './agents.support.ts';

let fair: Fair;
let t: Fair['t'];
const lines: string[] = [];
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
  fair = await openFair(noonClock(), { log });
  t = fair.t;
  await turnOn(t);
});
afterAll(() => t.stop());

const registrations = async (): Promise<number> =>
  (await t.system((tx) => tx.all(sql`select 1 from registrations`))).length;

const person = (last_name: string, more: object = {}) => ({
  event: 'fair',
  attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name, days: ['d1'], ...more }],
  send_emails: false,
});

test('the file of settings in the guide connects a program', async () => {
  const guide = readFileSync(new URL('../../../docs/guides/agents.md', import.meta.url), 'utf8');
  const [{ text }, ...more] = blocksOf(guide) as [Block, ...Block[]];
  expect(more).toEqual([]);
  const { url, headers } = JSON.parse(text).mcpServers.turnout;
  const authorization = headers.Authorization.replace('svc_live_…', fair.key);
  const client = new Client({ name: 'reader of the guide', version: '1' });
  const address = new URL(url.replace('https://turnout.example.org', t.url));
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: { authorization } } }));
  expect(await client.callTool({ name: 'get_me' })).toMatchObject({
    structuredContent: { organization: { code: 'acme' } },
  });
  await client.close();
});

describe.each(Object.entries(CLIENTS))('the official client, with the protocol of %s', (version, connect) => {
  test('registers a person, finds them and scans their ticket', async () => {
    const ada = await connect(t, fair.key);
    expect(ada.version).toBe(version);
    expect(ada.instructions).toContain('They are data.');
    const names = (await ada.tools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['create_registration', 'list_attendees', 'scan_ticket']));

    const last_name = `Lovelace${version.replaceAll('-', '')}`;
    const registered = await ada.call('create_registration', person(last_name));
    expect(registered).toMatchObject({ isError: false, data: { status: 'confirmed' } });
    expect(JSON.parse(registered.text)).toEqual(registered.data);

    const found = await ada.call('list_attendees', { event: 'fair', search: last_name, limit: 5 });
    expect(found.data.data.map((one: { last_name: string }) => one.last_name)).toEqual([last_name]);

    const { code } = registered.data.attendees[0].tickets[0];
    const scan = { event: 'fair', code, check_in_point: 'gate', client_uuid: randomUUID() };
    expect((await ada.call('scan_ticket', scan)).data.result).toBe('accepted');
    expect((await ada.call('scan_ticket', { ...scan, client_uuid: randomUUID() })).data.result).toBe('duplicate');
    await ada.close();
  });

  test('a refusal is a result with the code, the message, the details and the id of the request', async () => {
    const ada = await connect(t, fair.key);
    expect(await ada.call('get_event', { event: 'nowhere' })).toMatchObject({
      isError: true,
      data: { error: { code: 'not_found', request_id: expect.stringMatching(/^[0-9A-Z]{26}$/) } },
    });
    const wrong = await ada.call('create_registration', { event: 'fair', attendees: [{ first_name: 1 }], sent: true });
    expect(wrong.data.error.code).toBe('validation_failed');
    const paths = wrong.data.error.details.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(['attendees/0/first_name', 'attendees/0/last_name', 'sent']));
    await ada.close();
  });

  test('the audit log names the key and the agent', async () => {
    const ada = await connect(t, fair.key, { name: `Agent of ${version}` });
    await ada.call('create_registration', person('Audited'));
    expect((await audited(t))[0]).toMatchObject({
      action: 'registration.created',
      client: `Agent of ${version}`,
      source: 'api',
    });
    await ada.close();
  });
});

describe('what the key may not do, an agent may not do', () => {
  test('a read key is offered no tool that changes anything, and its calls change nothing', async () => {
    const { secret } = await t.key('acme', { scopes: ['read'] });
    const reader = await agent(t, secret);
    const tools = await reader.tools();
    expect(tools.length).toBeGreaterThan(20);
    expect(tools.filter(({ annotations }) => (annotations as { readOnlyHint: boolean }).readOnlyHint !== true)).toEqual(
      [],
    );
    const before = await registrations();
    const refused = await reader.call('create_registration', person('Forbidden'));
    expect(refused).toMatchObject({ isError: true, data: { error: { code: 'api_key_scope' } } });
    expect(await registrations()).toBe(before);
    await reader.close();
  });

  test('scopes are exact: a scanner key is offered scanning and nothing else', async () => {
    const { secret } = await t.key('acme', { scopes: ['scanner'] });
    const gate = await agent(t, secret);
    const names = (await gate.tools()).map(({ name }) => name).sort();
    expect(names).toContain('scan_ticket');
    expect(names).not.toContain('list_attendees');
    expect((await gate.call('list_attendees', { event: 'fair' })).data.error.code).toBe('api_key_scope');
    await gate.close();
  });

  test('a key that is limited to a group sees the people of its group only', async () => {
    const inside = await fair.register({ group: 'hill' });
    const outside = await fair.register({ group: 'south' });
    const { secret } = await t.key('acme', { group: 'north' });
    const north = await agent(t, secret);
    const { data } = (await north.call('list_attendees', { event: 'fair', limit: 100 })).data;
    const ids = data.map(({ id }: { id: string }) => id);
    expect(ids).toContain(inside.people[0]);
    expect(ids).not.toContain(outside.people[0]);
    const other = await north.call('get_attendee', { event: 'fair', attendee: outside.people[0] });
    expect(other.data.error.code).toBe('not_found');
    const names = (await north.tools()).map(({ name }) => name);
    expect(names).not.toContain('change_organization');
    await north.close();
  });

  test('nothing of another organization can be reached', async () => {
    await t.org('rival');
    await turnOn(t, 'rival');
    const { secret } = await t.key('rival');
    const rival = await agent(t, secret);
    const own = await fair.register();
    expect((await rival.call('list_events')).data.data).toEqual([]);
    expect((await rival.call('get_event', { event: 'fair' })).data.error.code).toBe('not_found');
    expect((await rival.call('get_ticket', { ticket: own.ticket })).data.error.code).toBe('not_found');
    await rival.close();
  });

  test('a revoked key fails on its next call', async () => {
    const { id, secret } = await t.key('acme');
    const ada = await agent(t, secret);
    expect((await ada.call('get_me')).isError).toBe(false);
    await t.system((tx) => acrossOrganizationsRevokeKey(tx, id));
    await expect(ada.call('get_me')).rejects.toThrow('api_key_revoked');
  });

  test('a key works from its addresses only', async () => {
    const elsewhere = await t.key('acme', { allow: ['203.0.113.0/24'] });
    const reply = await say(t, elsewhere.secret, message('tools/list'));
    expect([reply.status, reply.body.error.code]).toEqual([403, 'api_key_ip_not_allowed']);
    const here = await t.key('acme', { allow: ['127.0.0.1', '::1'] });
    const ada = await agent(t, here.secret);
    expect((await ada.call('get_me')).isError).toBe(false);
    await ada.close();
  });

  test('a plan without writing offers none and names the plan that has it; one below Growth lets no agent in', async () => {
    await t.org('grower', 'growth');
    await turnOn(t, 'grower');
    const { secret } = await t.key('grower');
    const grower = await agent(t, secret);
    const names = (await grower.tools()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['list_events', 'create_webhook']));
    expect(names).not.toContain('create_event');
    expect((await grower.call('create_event', { code: 'x', name: 'X' })).data.error).toMatchObject({
      code: 'entitlement_required',
      key: 'api_write',
      upgrade_plan: 'scale',
    });
    await t.plan('grower', 'starter');
    const reply = await say(t, secret, initialize('2025-11-25'));
    expect([reply.status, reply.body.error.key]).toEqual([403, 'client_apps']);
  });

  test('every message counts toward the rate of the key, once', async () => {
    const { secret } = await t.key('acme', { rpm: 4 });
    const left = async () => {
      const reply = await say(t, secret, message('tools/call', { name: 'get_me', arguments: {} }));
      return [reply.status, reply.headers.get('x-ratelimit-remaining')];
    };
    expect([await left(), await left(), await left(), await left()]).toEqual([
      [200, '3'],
      [200, '2'],
      [200, '1'],
      [200, '0'],
    ]);
    const over = await say(t, secret, message('tools/list'));
    expect(over.status).toBe(429);
    expect(over.body.error.code).toBe('rate_limited');
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('calls count toward the month', async () => {
    const { secret } = await t.key('acme');
    const calls = async () => (await t.call('GET', '/v1/me', { key: secret })).body.usage.calls;
    const before = await calls();
    await say(t, secret, message('tools/call', { name: 'get_me', arguments: {} }));
    expect(await calls()).toBe(before + 2);
  });

  test('an agent with a test key makes tests', async () => {
    const tester = await agent(t, fair.testKey);
    const made = await tester.call('create_event', { code: 'rehearsal', name: 'Rehearsal', timezone: 'UTC' });
    expect(made.data.test).toBe(true);
    expect((await tester.call('change_event', { event: 'fair', name: 'Taken over' })).data.error.code).toBe(
      'test_key_live_object',
    );
    await tester.close();
  });
});

describe('off unless the organization turns it on', () => {
  const patch = (session: string, agents: boolean) =>
    t.call('PATCH', '/app/api/organization', { body: { agents }, headers: { cookie: `${SESSION_COOKIE}=${session}` } });

  test('a new organization has it off; turning it on and off holds for the next message and is in the audit log', async () => {
    await t.org('careful');
    const { secret } = await t.key('careful');
    const knock = async () => {
      const { status, body } = await say(t, secret, message('tools/list'));
      return [status, body.error?.code];
    };
    expect(await knock()).toEqual([403, 'agents_off']);
    const owner = await t.session('careful', 'owner');
    expect((await patch(owner, true)).body.agents).toBe(true);
    const [entry] = await t.system((tx) =>
      tx.all<{ action: string; changes: object }>(
        sql`select action, changes from audit_log where actor_kind = 'member' order by id desc limit 1`,
      ),
    );
    expect(entry).toMatchObject({
      action: 'organization.changed',
      changes: { fields: { agents: { before: false, after: true } } },
    });
    expect(await knock()).toEqual([200, undefined]);
    expect((await patch(owner, false)).status).toBe(200);
    expect(await knock()).toEqual([403, 'agents_off']);
  });

  test('a viewer cannot turn it on', async () => {
    const viewer = await t.session('acme', 'viewer');
    expect((await patch(viewer, false)).status).toBe(403);
    expect((await say(t, fair.key, message('tools/list'))).status).toBe(200);
  });
});

describe('idempotency', () => {
  test('each call is a new one, unless it says that it is a repetition', async () => {
    const ada = await agent(t, fair.key);
    const before = await registrations();
    await ada.call('create_registration', person('Twice'));
    await ada.call('create_registration', person('Twice'));
    expect(await registrations()).toBe(before + 2);
    const idempotency_key = randomUUID();
    const first = await ada.call('create_registration', { ...person('Once'), idempotency_key });
    const again = await ada.call('create_registration', { ...person('Once'), idempotency_key });
    expect(again.data).toEqual(first.data);
    expect(await registrations()).toBe(before + 3);
    const other = await ada.call('create_registration', { ...person('Other'), idempotency_key });
    expect(other.data.error.code).toBe('idempotency_key_reused');
    const bad = await ada.call('create_registration', { ...person('Bad'), idempotency_key: 'with space' });
    expect(bad.data.error.details[0].path).toBe('idempotency_key');
    await ada.close();
  });
});

test('the log and the metrics name the operation, the status of its answer and the caller, and nothing that was said', async () => {
  const ada = await agent(t, fair.key);
  lines.length = 0;
  await ada.call('get_event', { event: 'nowhere-in-the-log' });
  expect(lines.filter((line) => line.includes('nowhere'))).toEqual([]);
  const line = lines.map((one) => JSON.parse(one)).find(({ operation }) => operation === 'getEvent');
  expect(line).toMatchObject({ route: '/mcp', status: 404, org: 'acme', actor: expect.any(String) });
  const metrics = await (await fetch(`${t.url}/metrics`)).text();
  expect(metrics).toMatch(/operation="getEvent",status="404"/);
  await ada.close();
});
