import { ROLES, type Role } from '@turnout/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, MINUTE } from '../../clock.ts';
import { type Id, newId, toUlid, toUuid } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { MAX_USABLE_KEYS } from './keys.ts';

let t: TestTurnout;
let acme: Id;
let developer: string;
let api: string;
beforeAll(async () => {
  t = await startTest();
  acme = await t.org('acme');
  api = (await t.key('acme')).secret;
  developer = await t.session('acme', 'developer');
  for (const [code, parent] of [
    ['north', null],
    ['city', 'north'],
    ['south', null],
  ]) {
    await t.call('POST', '/v1/groups', { key: api, body: { code, name: code, parent } });
  }
});
afterAll(() => t.stop());

const as = (session: string) => ({ headers: { cookie: `turnout_session=${session}` } });
const WANTED = { name: 'CRM', mode: 'live', scopes: ['read'] };
const create = (body: object = {}, session = developer): Promise<Reply> =>
  t.call('POST', '/app/api/keys', { ...as(session), body: { ...WANTED, ...body } });
const list = async (session = developer) =>
  (await t.call('GET', '/app/api/keys', as(session))).body.data as { id: string; name: string; state: string }[];
const change = (id: string, body: object, session = developer) =>
  t.call('PATCH', `/app/api/keys/${id}`, { ...as(session), body });
const revoke = (id: string, session = developer) => t.call('DELETE', `/app/api/keys/${id}`, as(session));
const me = (secret: string) => t.call('GET', '/v1/me', { key: secret });

/** A member who is limited to a group. */
async function limited(group: string, role: Role = 'developer'): Promise<string> {
  const session = await t.session('acme', role);
  await t.system((tx) =>
    tx.run(sql`
      update members m set group_id = g.id from account_sessions s, groups g
      where s.hash = ${hashSecret(session)} and m.account_id = s.account_id and g.org_id = m.org_id and g.code = ${group}`),
  );
  return session;
}

describe('making a key', () => {
  // claim: key-roles
  test.each(ROLES)('%s', async (role) => {
    const may = ['owner', 'admin', 'developer'].includes(role);
    const session = await t.session('acme', role);
    expect((await create({}, session)).status).toBe(may ? 201 : 403);
    expect((await t.call('GET', '/app/api/keys', as(session))).status).toBe(may ? 200 : 403);
  });

  // claim: key-choices, key-mode, key-secret-once
  test('the key works at once, with what was chosen; its secret is in no other answer', async () => {
    const made = await create({
      name: 'Wallboard',
      mode: 'test',
      scopes: ['read', 'scanner'],
      group: 'north',
      expires_at: '2099-01-01T00:00:00Z',
      allowed_addresses: ['127.0.0.0/8', '::1'],
      requests_per_minute: 77,
    });
    expect(made.status).toBe(201);
    const { secret, ...shown } = made.body;
    expect(secret).toMatch(/^svc_test_[A-Za-z0-9]{32}$/);
    expect(shown).toMatchObject({
      name: 'Wallboard',
      mode: 'test',
      scopes: ['read', 'scanner'],
      group: 'north',
      last4: secret.slice(-4),
      state: 'usable',
      expires_at: '2099-01-01T00:00:00Z',
      allowed_addresses: ['127.0.0.0/8', '::1'],
      requests_per_minute: 77,
      last_used_at: null,
      revoked_at: null,
    });
    expect(shown.created_by).toMatch(/^m\d+$/);
    expect((await list())[0]).toEqual(shown);
    expect((await me(secret)).body.key).toMatchObject({ id: shown.id, mode: 'test', group: 'north' });
    expect(JSON.stringify(await list())).not.toContain(secret);
    const stored = await t.system((tx) =>
      tx.all<{ text: string }>(sql`
        select to_jsonb(k)::text as text from api_keys k where org_id = ${acme}
        union all select to_jsonb(l)::text from audit_log l where org_id = ${acme}
        union all select to_jsonb(i)::text from idempotency i where org_id = ${acme}`),
    );
    expect(stored.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  // claim: key-mode
  test('a retry gets the same key', async () => {
    const send = () => t.call('POST', '/app/api/keys', { ...as(developer), body: WANTED, idempotencyKey: 'same-key' });
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect(first.body.secret).toMatch(/^svc_live_[A-Za-z0-9]{32}$/);
  });

  // claim: key-choices
  test('every fault is told at once', async () => {
    const reply = await create({
      name: '\u200b',
      mode: 'dead',
      scopes: ['read', 'everything'],
      group: 'nowhere',
      expires_at: '2020-01-01T00:00:00Z',
      allowed_addresses: ['192.0.2.0/24', '10.1'],
      requests_per_minute: 0,
    });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details.map((fault: { path: string }) => fault.path).sort()).toEqual([
      'allowed_addresses/1',
      'expires_at',
      'group',
      'mode',
      'name',
      'requests_per_minute',
      'scopes/1',
    ]);
  });

  test.each([
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    [{ allowed_addresses: ['somewhere'] }, 'allowed_addresses/0'],
    [{ allowed_addresses: [] }, 'allowed_addresses'],
    [{ allowed_addresses: Array.from({ length: 51 }, () => '192.0.2.1') }, 'allowed_addresses'],
    [{ scopes: [] }, 'scopes'],
    [{ group: 'nowhere' }, 'group'],
    [{ secret: 'svc_live_mine' }, 'secret'],
    [{ created_by: 'x' }, 'created_by'],
  ])('400 validation_failed: %j', async (body, path) => {
    const reply = await create(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details.map((fault: { path: string }) => fault.path)).toEqual([path]);
  });

  test(`an organization has at most ${MAX_USABLE_KEYS} usable keys, also when they are made at once`, async () => {
    const full = await t.org('full');
    const session = await t.session('full', 'developer');
    const past = new Date(t.clock.now().getTime() - DAY);
    await t.system(async (tx) => {
      for (let i = 0; i < MAX_USABLE_KEYS - 2 + 5; i += 1) {
        const now = tx.clock.now();
        await insertRow(tx, 'api_keys', {
          org_id: full,
          id: newId(now),
          name: `key ${i}`,
          mode: 'live',
          scopes: ['read'],
          hash: hashSecret(`full ${i}`),
          last4: 'xxxx',
          revoked_at: i < 3 ? past : null,
          expires_at: i === 3 || i === 4 ? past : null,
          created_at: now,
        });
      }
    });
    const replies = await Promise.all(Array.from({ length: 6 }, () => create({}, session)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    const refusal = replies.find(({ status }) => status === 409)!.body.error;
    expect(refusal).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('Revoke one') });
    expect((await revoke((await list(session))[0]!.id, session)).status).toBe(204);
    expect((await create({}, session)).status).toBe(201);
  });
});

describe('the list', () => {
  test('shows usable keys and those that ended in the last 90 days, newest first', async () => {
    await t.org('old');
    const session = await t.session('old', 'developer');
    const make = async (name: string, body = {}) => (await create({ name, ...body }, session)).body.id as string;
    await make('usable');
    const expires_at = new Date(t.clock.now().getTime() + DAY).toISOString();
    await make('expired', { expires_at });
    await revoke(await make('revoked'), session);
    await make('newest');
    const shown = async () => (await list(session)).map(({ name, state }) => `${name} ${state}`);
    expect(await shown()).toEqual(['newest usable', 'revoked revoked', 'expired usable', 'usable usable']);
    t.clock.advance(2 * DAY);
    const again = await t.session('old', 'developer');
    const then = async () => (await list(again)).map(({ name, state }) => `${name} ${state}`);
    expect(await then()).toEqual(['newest usable', 'revoked revoked', 'expired expired', 'usable usable']);
    t.clock.advance(88.5 * DAY);
    const later = await t.session('old', 'developer');
    expect((await list(later)).map(({ name }) => name)).toEqual(['newest', 'expired', 'usable']);
    t.clock.advance(DAY);
    expect((await list(later)).map(({ name }) => name)).toEqual(['newest', 'usable']);
    developer = await t.session('acme', 'developer');
  });

  test('nothing of another organization', async () => {
    await t.org('other');
    const theirs = await t.session('other', 'owner');
    const { id } = (await create({}, theirs)).body;
    expect((await list()).map((key) => key.id)).not.toContain(id);
    for (const reply of [await change(id, { name: 'mine' }), await revoke(id)]) {
      expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
    }
    expect((await list(theirs)).map(({ name, state }) => [name, state])).toEqual([['CRM', 'usable']]);
  });
});

describe('a member limited to a group', () => {
  test('makes keys of that group, or of one below it that is named', async () => {
    const north = await limited('north');
    expect((await create({}, north)).body.group).toBe('north');
    expect((await create({ group: 'city' }, north)).body.group).toBe('city');
    for (const group of ['south', 'nowhere', null]) {
      const reply = await create({ group }, north);
      expect([reply.status, reply.body.error.details[0].path]).toEqual([400, 'group']);
    }
    const city = await limited('city');
    expect((await create({ group: 'north' }, city)).status).toBe(400);
    expect((await create({}, city)).body.group).toBe('city');
  });

  test('sees, changes and revokes only keys of that group and of those below', async () => {
    const north = await limited('north', 'owner');
    const make = async (group: string | null) => (await create({ name: `of ${group}`, group })).body as { id: string };
    const [own, below, other, all] = [await make('north'), await make('city'), await make('south'), await make(null)];
    const seen = (await list(north)).map(({ id }) => id);
    expect([own, below, other, all].map(({ id }) => seen.includes(id))).toEqual([true, true, false, false]);
    for (const { id } of [other, all]) {
      expect((await change(id, { name: 'x' }, north)).status).toBe(404);
      expect((await revoke(id, north)).status).toBe(404);
    }
    expect((await change(below.id, { name: 'Renamed' }, north)).body.name).toBe('Renamed');
    expect((await revoke(own.id, north)).status).toBe(204);
  });
});

describe('changing and revoking', () => {
  // claim: key-addresses
  test('a key that may no longer be used from here is refused on its next request', async () => {
    const { id, secret } = (await create()).body;
    expect((await me(secret)).status).toBe(200);
    const changed = await change(id, { name: 'Elsewhere', allowed_addresses: ['192.0.2.0/24'] });
    expect(changed.body).toMatchObject({ name: 'Elsewhere', allowed_addresses: ['192.0.2.0/24'] });
    expect((await me(secret)).body.error.code).toBe('api_key_ip_not_allowed');
    expect((await change(id, { allowed_addresses: null })).body.allowed_addresses).toBeNull();
    expect((await me(secret)).status).toBe(200);
  });

  // claim: key-rate
  test('another number of requests per minute holds from the next request on, and never more than the plan allows', async () => {
    const { id, secret } = (await create()).body;
    const limit = async () => (await me(secret)).headers.get('x-ratelimit-limit');
    const seen = [await limit()];
    for (const requests_per_minute of [90, 5000, null]) {
      expect((await change(id, { requests_per_minute })).body.requests_per_minute).toBe(requests_per_minute);
      seen.push(await limit());
    }
    expect(seen).toEqual(['60', '90', '600', '60']);
  });

  test.each([[{ scopes: ['admin'] }], [{ group: null }], [{ mode: 'test' }], [{ expires_at: null }], [{}]])(
    '400 for %j: what a key may do does not change',
    async (body) => {
      const { id } = (await create()).body;
      expect((await change(id, body)).body.error.code).toBe('validation_failed');
    },
  );

  // claim: key-revoked
  test('a revoked key is refused on its next request; revoking it twice changes nothing', async () => {
    const { id, secret } = (await create()).body;
    expect((await me(secret)).status).toBe(200);
    expect((await revoke(id)).status).toBe(204);
    expect((await me(secret)).body.error.code).toBe('api_key_revoked');
    const before = (await list()).find((key) => key.id === id);
    t.clock.advance(MINUTE);
    expect((await revoke(id)).status).toBe(204);
    expect((await list()).find((key) => key.id === id)).toEqual(before);
    expect((await audited(id)).map((entry) => entry.action)).toEqual(['api_key.revoked', 'api_key.created']);
    expect((await change(id, { name: 'x' })).body.error.code).toBe('invalid_state');
  });

  test('404 for a key that does not exist', async () => {
    for (const id of [toUlid(newId(t.clock.now())), 'CRM']) expect((await revoke(id)).status).toBe(404);
  });
});

const audited = async (id: string) => {
  const { data } = (await t.call('GET', `/v1/audit-log?limit=200`, { key: api })).body;
  return data.filter((entry: { object: { id: string } }) => entry.object.id === id) as {
    action: string;
    actor: object;
    source: string;
    changes: { fields: Record<string, { before: unknown; after: unknown }> };
  }[];
};

test('the audit log has name, scopes and group of a new key, and each change', async () => {
  const { id } = (await create({ name: 'Audited', group: 'north' })).body;
  await change(id, { name: 'Renamed' });
  await change(id, { name: 'Renamed' });
  const entries = await audited(id);
  expect(entries.map(({ action, source }) => [action, source])).toEqual([
    ['api_key.changed', 'app'],
    ['api_key.created', 'app'],
  ]);
  expect(entries[0]!.changes.fields).toEqual({ name: { before: 'Audited', after: 'Renamed' } });
  expect(entries[1]!.changes.fields).toMatchObject({
    name: { after: 'Audited' },
    scopes: { after: ['read'] },
    group: { after: 'north' },
  });
  expect(Object.keys(entries[1]!.changes.fields)).not.toContain('secret');
});

describe('owners are mailed', () => {
  const mails = () =>
    t.system((tx) =>
      tx.all<{ recipient: string; subject: string; text: string }>(
        sql`select recipient, subject, text from mails where kind = 'api_key_created' order by id`,
      ),
    );

  test('about a key with the scope admin, each in their language; about no other', async () => {
    await t.org('mailed');
    const session = await t.session('mailed', 'developer');
    const languages = ['en', 'de', 'fr', 'es'];
    for (const language of languages) {
      const token = await t.session('mailed', 'owner');
      await t.system((tx) =>
        tx.run(sql`
          update accounts a set language = ${language}, email = ${`${language}@example.org`}, name = ${language}
          from account_sessions s where s.hash = ${hashSecret(token)} and a.id = s.account_id`),
      );
    }
    await create({ scopes: ['read', 'write', 'scanner'] }, session);
    expect(await mails()).toEqual([]);
    const made = await create({ name: 'Robot\n\nhttps://evil.example', scopes: ['read', 'admin'] }, session);
    const sent = await mails();
    expect(sent.map(({ recipient }) => recipient)).toEqual(languages.map((language) => `${language}@example.org`));
    const greetings = ['Hello en,', 'Hallo de,', 'Bonjour fr,', 'Hola, es:'];
    for (const [i, { text, subject }] of sent.entries()) {
      expect(text.startsWith(greetings[i]!)).toBe(true);
      expect(text).toContain('read, admin');
      expect(text).toContain('Robot https://evil.example');
      expect(text).toContain('mailed events');
      expect(subject).toContain('admin');
      expect(text + subject).not.toContain(made.body.secret);
    }
    expect(new Set(sent.map(({ subject }) => subject)).size).toBe(4);
  });
});

describe('the last use', () => {
  const lastUse = async (id: string) =>
    (
      await t.system((tx) =>
        tx.one<{ at: string | null }>(sql`
          select last_used_at as at from api_keys where org_id = ${acme} and id = ${toUuid(id)}`),
      )
    ).at;

  test('is shown once the key was accepted, and a refused call is none', async () => {
    const { id: refusedId, secret: refused } = (await create({ allowed_addresses: ['192.0.2.1'] })).body;
    const { id, secret } = (await create()).body;
    const before = t.clock.now().getTime();
    expect((await me(refused)).status).toBe(403);
    expect((await me(secret)).status).toBe(200);
    await vi.waitFor(async () => expect(await lastUse(id)).not.toBeNull(), 10_000);
    const shown = (await list()).find((key) => key.id === id) as unknown as { last_used_at: string };
    expect(Date.parse(shown.last_used_at)).toBeGreaterThanOrEqual(before);
    expect(await lastUse(refusedId)).toBeNull();
  });
});
