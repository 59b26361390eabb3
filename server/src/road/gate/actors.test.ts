import { randomBytes } from 'node:crypto';
import { Body, ROLES } from '@turnout/contract';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNote } from '../../../../test/support/operations.ts';
import { type CallOptions, type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { operations } from '../../areas/index.ts';
import { DAY, MINUTE } from '../../clock.ts';
import { type Id, newId, toUlid, toUuid } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { operation } from '../operation.ts';
import { SESSION_COOKIE } from '../router.ts';
import { DEVICE_TOKEN_PREFIX, hashSecret } from './authenticate.ts';

/** Operations that a scanner uses at a gate, and one that it may not use. */
const common = {
  scope: 'scanner',
  entitlement: 'api_scanner',
  hosts: ['scanner'],
  at: {},
  refusals: [],
  tag: 'Gate',
} as const;
const Gate = Type.Object({ actor: Type.String(), name: Type.String() });
const gateOperations = [
  operation({
    ...common,
    id: 'getGate',
    method: 'GET',
    path: '/gate',
    member: 'door.scan',
    device: true,
    reply: Gate,
    summary: 'The gate',
    handle: async ({ caller }) => ({ actor: caller.actor.kind, name: caller.actor.name }),
  }),
  operation({
    ...common,
    id: 'openGate',
    method: 'POST',
    path: '/gate/open',
    audit: 'gate.opened',
    member: 'door.scan',
    device: true,
    body: Body({ why: Type.String() }),
    reply: Gate,
    summary: 'Open the gate',
    handle: async ({ caller, changed, body }) => {
      changed({ kind: 'gate', id: null, changes: { why: body.why } });
      return { actor: caller.actor.kind, name: caller.actor.name };
    },
  }),
  operation({
    ...common,
    id: 'getTill',
    method: 'GET',
    path: '/till',
    member: null,
    reply: Gate,
    summary: 'The till: for keys, not for devices',
    handle: async ({ caller }) => ({ actor: caller.actor.kind, name: caller.actor.name }),
  }),
];

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest({ operations: [...gateOperations, createNote] });
  await t.org('acme', 'free');
  await t.org('other', 'free');
});
afterAll(() => t.stop());

const cookie = (token: string) => ({ cookie: `${SESSION_COOKIE}=${token}` });
/** A call of a member on the mount of the admin app. */
const app = (token: string, method: string, path: string, options: CallOptions = {}) =>
  t.call(method, `/app/api${path}`, { ...options, headers: { ...options.headers, ...cookie(token) } });
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];

let serial = 0;
const newEvent = async (token: string): Promise<string> =>
  (await app(token, 'POST', '/events', { body: { name: `Event ${++serial}` } })).body.id;

describe('a member on /app/api', () => {
  /** Who may do what. The table is written by hand, so that widening a role is a visible line in a diff. */
  const MAY: Record<string, readonly string[]> = {
    'GET /me': ['owner', 'admin', 'developer', 'manager', 'desk', 'door', 'viewer'],
    'GET /events': ['owner', 'admin', 'developer', 'manager', 'desk', 'door', 'viewer'],
    'GET /groups': ['owner', 'admin', 'developer', 'manager', 'desk', 'door', 'viewer'],
    'GET /contacts': ['owner', 'admin', 'developer', 'manager', 'desk', 'viewer'],
    'GET /organization': ['owner', 'admin'],
    'GET /members': ['owner', 'admin'],
    'GET /membership': ['owner', 'admin', 'developer', 'manager', 'desk', 'door', 'viewer'],
    'GET /events/{event}/devices': ['owner', 'admin', 'manager'],
    'POST /events/{event}/imports': ['owner', 'admin', 'manager'],
    'POST /events': ['owner', 'admin', 'manager'],
    'PATCH /events/{event}': ['owner', 'admin', 'manager'],
    'POST /events/{event}/days': ['owner', 'admin', 'manager'],
    'DELETE /events/{event}': ['owner', 'admin'],
    'POST /groups': ['owner', 'admin'],
    'GET /audit-log': ['owner', 'admin', 'developer'],
    'GET /gate': ['owner', 'admin', 'manager', 'desk', 'door'],
    'POST /gate/open': ['owner', 'admin', 'manager', 'desk', 'door'],
  };
  const bodies: Record<string, () => unknown> = {
    'POST /events': () => ({ name: `Event ${++serial}` }),
    'PATCH /events/{event}': () => ({ name: `Renamed ${++serial}` }),
    'POST /events/{event}/days': () => ({ date: '2027-05-01' }),
    'POST /groups': () => ({ name: `Group ${++serial}` }),
    'POST /events/{event}/imports': () => ({ csv: 'First name,Last name\n', preview: true }),
    'POST /gate/open': () => ({ why: 'because' }),
  };

  test.each(ROLES)('%s does what the role allows, and is refused the rest with permission_required', async (role) => {
    const owner = await t.session('acme', 'owner');
    const session = await t.session('acme', role);
    for (const [what, roles] of Object.entries(MAY)) {
      const [method, path] = what.split(' ') as [string, string];
      const event = path.includes('{event}') ? await newEvent(owner) : '';
      const body = bodies[what]?.();
      const reply = await app(session, method, path.replace('{event}', event), body === undefined ? {} : { body });
      if (roles.includes(role)) expect([what, reply.status < 300]).toEqual([what, true]);
      else expect([what, ...code(reply)]).toEqual([what, 403, 'permission_required']);
    }
  });

  test('a refused write changes nothing and leaves no row in the audit log', async () => {
    const owner = await t.session('acme', 'owner');
    const viewer = await t.session('acme', 'viewer');
    const event = await newEvent(owner);
    const before = (await app(owner, 'GET', `/events/${event}`)).text;
    expect(code(await app(viewer, 'PATCH', `/events/${event}`, { body: { name: 'Mine' } }))).toEqual([
      403,
      'permission_required',
    ]);
    expect(code(await app(viewer, 'DELETE', `/events/${event}`))).toEqual([403, 'permission_required']);
    expect((await app(owner, 'GET', `/events/${event}`)).text).toBe(before);
    const log = await app(owner, 'GET', `/audit-log?event=${event}`);
    expect(log.body.data.map((entry: { action: string }) => entry.action)).toEqual(['event.created']);
  });

  test('works on the plan `free`, where a key of the same organization is refused', async () => {
    const session = await t.session('acme', 'owner');
    const { secret } = await t.key('acme');
    expect((await app(session, 'GET', '/me')).body).toMatchObject({ key: null, plan: { code: 'free' } });
    expect((await app(session, 'POST', '/events', { body: { name: 'Free fair' } })).status).toBe(201);
    for (const path of ['/v1/me', '/v1/events', '/api/v1/gate']) {
      expect(code(await t.call('GET', path, { key: secret }))).toEqual([403, 'entitlement_required']);
    }
  });

  test('needs the entitlement of a feature, like a key', async () => {
    const session = await t.session('acme', 'owner');
    const reply = await app(session, 'GET', '/me', { headers: { 'x-service-client': 'zapier' } });
    expect(code(reply)).toEqual([403, 'entitlement_required']);
    expect(reply.body.error.key).toBe('client_apps');
  });

  test('is named in the audit log as a member of the app', async () => {
    const session = await t.session('acme', 'manager');
    const event = await newEvent(session);
    const { member, row } = await t.system(async (tx) => ({
      member: await tx.one<{ id: Id; name: string }>(sql`
        select m.id, a.name from members m join accounts a on a.id = m.account_id
        join account_sessions s on s.account_id = a.id where s.hash = ${hashSecret(session)}`),
      row: await tx.one(sql`
        select action, actor_kind, actor_id, actor_name, source, client, test from audit_log where object_id = ${toUuid(event)}`),
    }));
    expect(row).toEqual({
      action: 'event.created',
      actor_kind: 'member',
      actor_id: member.id,
      actor_name: member.name,
      source: 'app',
      client: null,
      test: false,
    });
  });

  test('has no rate limit and no monthly allowance: no rate headers, no calls counted', async () => {
    await t.org('quiet', 'scale');
    const session = await t.session('quiet', 'viewer');
    const { secret } = await t.key('quiet');
    const replies = await Promise.all(Array.from({ length: 80 }, () => app(session, 'GET', '/me')));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(replies[0]!.headers.get('x-ratelimit-limit')).toBeNull();
    expect(replies[0]!.headers.get('x-ratelimit-remaining')).toBeNull();
    expect(replies[0]!.headers.get('x-request-id')).toMatch(/^[0-9A-Z]{26}$/);
    expect((await t.call('GET', '/v1/me', { key: secret })).body.usage.calls).toBe(1); // this one
  });

  test('an owner has every permission', async () => {
    const owner = await t.session('acme', 'owner');
    const offered = operations.filter((one) => one.member !== null);
    expect(offered.length).toBeGreaterThan(20);
    for (const { id, method, path } of offered) {
      // The references lead nowhere and the bodies are empty. So the answer after the permission is 200, 400, 404 or the plan's.
      const as = id === 'leaveOrganization' ? await t.session('acme', 'owner') : owner;
      const reply = await app(as, method, path.replaceAll(/\{\w+\}/g, 'nowhere'));
      const past = [200, 204, 400, 404].includes(reply.status) || reply.body.error.code === 'entitlement_required';
      expect([method, path, past]).toEqual([method, path, true]);
    }
  });

  test('sees only their own organization', async () => {
    const mine = await newEvent(await t.session('acme', 'owner'));
    const stranger = await t.session('other', 'owner');
    expect(code(await app(stranger, 'GET', `/events/${mine}`))).toEqual([404, 'not_found']);
    expect(code(await app(stranger, 'PATCH', `/events/${mine}`, { body: { name: 'Mine' } }))).toEqual([
      404,
      'not_found',
    ]);
    expect(code(await app(stranger, 'DELETE', `/events/${mine}`))).toEqual([404, 'not_found']);
    expect((await app(stranger, 'GET', '/events')).body.data).toEqual([]);
  });

  test('a repeated POST is done once; the same Idempotency-Key of another member is new work', async () => {
    const session = await t.session('acme', 'owner');
    const send = (token: string) =>
      app(token, 'POST', '/events', { body: { name: 'Once' }, idempotencyKey: 'member-once' });
    const first = await send(session);
    const again = await send(session);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    const other = await send(await t.session('acme', 'owner'));
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(other.body.id).not.toBe(first.body.id);
  });

  test('does not reach an operation that is not offered to members', async () => {
    const session = await t.session('acme', 'owner');
    expect(code(await app(session, 'POST', '/notes', { body: { text: 'x' } }))).toEqual([404, 'not_found']);
    expect(code(await app(session, 'GET', '/till'))).toEqual([404, 'not_found']);
  });
});

describe('401 sign_in_required', () => {
  const signIn = [401, 'sign_in_required'];

  test('without a cookie, with an unknown token, with a key in place of a session', async () => {
    const { secret } = await t.key('acme');
    expect(code(await t.call('GET', '/app/api/me'))).toEqual(signIn);
    for (const token of ['', 'unknown', randomBytes(32).toString('base64url'), secret]) {
      expect(code(await app(token, 'GET', '/me'))).toEqual(signIn);
    }
    expect(code(await t.call('GET', '/app/api/me', { key: secret }))).toEqual(signIn);
    const session = await t.session('acme', 'owner');
    expect(code(await t.call('GET', '/app/api/me', { key: session }))).toEqual(signIn);
    expect(code(await t.call('GET', '/app/api/me', { headers: { cookie: `other=${session}` } }))).toEqual(signIn);
    const among = `a=1; ${SESSION_COOKIE}=${session}; b=2`;
    expect((await t.call('GET', '/app/api/me', { headers: { cookie: among } })).status).toBe(200);
  });

  test('not for a member who was removed: on the next request the organization is not there for them', async () => {
    const session = await t.session('acme', 'admin');
    expect((await app(session, 'GET', '/me')).status).toBe(200);
    await t.system((tx) =>
      tx.run(
        sql`delete from members where account_id = (select account_id from account_sessions where hash = ${hashSecret(session)})`,
      ),
    );
    expect(code(await app(session, 'GET', '/me'))).toEqual([404, 'not_found']);
  });

  test('a change of role takes effect on the next request', async () => {
    const session = await t.session('acme', 'admin');
    expect((await app(session, 'POST', '/events', { body: { name: 'As admin' } })).status).toBe(201);
    await t.system((tx) =>
      tx.run(
        sql`update members set role = 'viewer' where account_id = (select account_id from account_sessions where hash = ${hashSecret(session)})`,
      ),
    );
    expect(code(await app(session, 'POST', '/events', { body: { name: 'As viewer' } }))).toEqual([
      403,
      'permission_required',
    ]);
  });

  test('from the instant at which the session ends', async () => {
    const session = await t.session('acme', 'owner');
    t.clock.advance(14 * DAY - MINUTE);
    // This use is noted, so the 14 days begin again.
    expect((await app(session, 'GET', '/me')).status).toBe(200);
    t.clock.advance(14 * DAY - MINUTE);
    expect((await app(session, 'GET', '/me')).status).toBe(200);
    t.clock.advance(14 * DAY + MINUTE);
    expect(code(await app(session, 'GET', '/me'))).toEqual(signIn);
    expect(code(await app(session, 'POST', '/events', { body: { name: 'Too late' } }))).toEqual(signIn);
  });
});

describe('API v1 takes no cookies', () => {
  // claim: no-other-credential
  test('a session without a key is refused on both hosts', async () => {
    const session = await t.session('acme', 'owner');
    for (const path of ['/v1/me', '/v1/events', '/api/v1/gate']) {
      expect(code(await t.call('GET', path, { headers: cookie(session) }))).toEqual([401, 'api_key_required']);
    }
  });

  // claim: no-other-credential
  test('a session beside a key changes nothing: the key decides', async () => {
    await t.org('keyed', 'scale');
    const owner = await t.session('keyed', 'owner');
    const { id, secret } = await t.key('keyed', { scopes: ['read'] });
    const headers = cookie(owner);
    const me = await t.call('GET', '/v1/me', { key: secret, headers });
    expect(me.body.key.id).toBe(id);
    expect(code(await t.call('POST', '/v1/events', { key: secret, headers, body: { name: 'x' } }))).toEqual([
      403,
      'api_key_scope',
    ]);
  });
});

describe('a paired device on /api/v1', () => {
  let event: string;
  let org: Id;
  beforeAll(async () => {
    org = await t.org('venue', 'free');
    event = await newEvent(await t.session('venue', 'owner'));
  });

  async function pair(name = 'North gate'): Promise<{ id: Id; token: string }> {
    const token = DEVICE_TOKEN_PREFIX + randomBytes(24).toString('base64url');
    const now = t.clock.now();
    const id = newId(now);
    const row = { org_id: org, id, event_id: toUuid(event), name, token_hash: hashSecret(token) };
    await t.system((tx) => insertRow(tx, 'devices', { ...row, created_at: now, updated_at: now }));
    return { id, token };
  }

  test('reaches what is declared for devices, also on the plan `free`', async () => {
    const { token } = await pair();
    const gate = await t.call('GET', '/api/v1/gate', { key: token });
    expect([gate.status, gate.body]).toEqual([200, { actor: 'device', name: 'North gate' }]);
    const opened = await t.call('POST', '/api/v1/gate/open', { key: token, body: { why: 'fire drill' } });
    expect(opened.status).toBe(200);
  });

  test('reaches nothing else: 404, even where a key is allowed', async () => {
    const { token } = await pair();
    expect(code(await t.call('GET', '/api/v1/till', { key: token }))).toEqual([404, 'not_found']);
    const override = { key: token, body: { reason: 'let them in' } };
    expect(code(await t.call('POST', `/api/v1/checkins/${toUlid(org)}/override`, override))).toEqual([
      404,
      'not_found',
    ]);
    await t.org('scanned', 'scale');
    const { secret } = await t.key('scanned');
    expect((await t.call('GET', '/api/v1/till', { key: secret })).body.actor).toBe('key');
  });

  test('its token is not a key on /v1 and not a session on /app/api', async () => {
    const { token } = await pair();
    expect(code(await t.call('GET', '/v1/me', { key: token }))).toEqual([401, 'api_key_unknown']);
    expect(code(await t.call('GET', '/v1/events', { key: token }))).toEqual([401, 'api_key_unknown']);
    expect(code(await t.call('GET', '/app/api/me', { key: token }))).toEqual([401, 'sign_in_required']);
    expect(code(await app(token, 'GET', '/me'))).toEqual([401, 'sign_in_required']);
  });

  // claim: error-api-key-unknown
  test('a token that was never issued is unknown', async () => {
    expect(code(await t.call('GET', '/api/v1/gate', { key: `${DEVICE_TOKEN_PREFIX}nobody` }))).toEqual([
      401,
      'api_key_unknown',
    ]);
    expect(code(await t.call('GET', '/api/v1/gate', { key: DEVICE_TOKEN_PREFIX }))).toEqual([401, 'api_key_unknown']);
  });

  test('fails on its next request once it was revoked', async () => {
    const { id, token } = await pair();
    expect((await t.call('GET', '/api/v1/gate', { key: token })).status).toBe(200);
    await t.system((tx) => tx.run(sql`update devices set revoked_at = ${t.clock.now()} where id = ${id}`));
    expect(code(await t.call('GET', '/api/v1/gate', { key: token }))).toEqual([401, 'api_key_revoked']);
    expect(code(await t.call('GET', '/api/v1/till', { key: token }))).toEqual([401, 'api_key_revoked']);
  });

  test('is named in the audit log as a scanner', async () => {
    const { id, token } = await pair('South gate');
    const reply = await t.call('POST', '/api/v1/gate/open', { key: token, body: { why: 'late bus' } });
    const row = await t.system((tx) =>
      tx.one(sql`
        select action, actor_kind, actor_name, source, test, changes from audit_log where actor_id = ${id}`),
    );
    expect(reply.status).toBe(200);
    expect(row).toEqual({
      action: 'gate.opened',
      actor_kind: 'device',
      actor_name: 'South gate',
      source: 'scanner',
      test: false,
      changes: { details: { why: 'late bus' } },
    });
  });

  test('its calls count neither toward the month nor toward the rate of a key', async () => {
    await t.plan('venue', 'scale', [['api_calls_monthly', '20']]);
    const { secret } = await t.key('venue', { rpm: 30 });
    const { token } = await pair();
    const first = await t.call('GET', '/v1/me', { key: secret });
    const gates = await Promise.all(Array.from({ length: 40 }, () => t.call('GET', '/api/v1/gate', { key: token })));
    expect(new Set(gates.map((gate) => gate.status))).toEqual(new Set([200]));
    // They have a pace of their own, in calls per second.
    expect(gates.map((gate) => gate.headers.get('x-ratelimit-limit'))).toEqual(gates.map(() => '50'));
    const after = await t.call('GET', '/v1/me', { key: secret });
    expect(after.body.usage.calls).toBe(first.body.usage.calls + 1);
    expect(first.headers.get('x-ratelimit-remaining')).toBe('29');
    expect(after.headers.get('x-ratelimit-remaining')).toBe('28');
  });

  test('works even if the keys of its organization have used up their monthly calls', async () => {
    await t.plan('venue', 'scale', [['api_calls_monthly', '1']]);
    const { secret } = await t.key('venue');
    const { token } = await pair();
    let last = await t.call('GET', '/v1/me', { key: secret });
    for (let i = 0; i < 3; i += 1) last = await t.call('GET', '/v1/me', { key: secret });
    expect(code(last)).toEqual([429, 'quota_exceeded']);
    expect((await t.call('GET', '/api/v1/gate', { key: token })).status).toBe(200);
  });
});
