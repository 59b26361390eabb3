import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, HOUR, MINUTE, MovedClock } from '../../clock.ts';
import { addressAllowed, parseRange } from '../../common/addresses.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { recordRevocation, signLicense } from './license.ts';
import { MemoryRates } from './rates.ts';

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
  await t.org('acme');
});
afterAll(() => t.stop());

const me = (key: string, headers: Record<string, string> = {}) => t.call('GET', '/v1/me', { key, headers });
const code = async (reply: ReturnType<typeof me>) => [(await reply).status, (await reply).body.error?.code];

describe('keys', () => {
  // claim: key-revoked
  test('a revoked key fails on its next request', async () => {
    const { id, secret } = await t.key('acme');
    expect((await me(secret)).status).toBe(200);
    const { acrossOrganizationsRevokeKey } = await import('../../areas/access/index.ts');
    await t.system((tx) => acrossOrganizationsRevokeKey(tx, id));
    expect(await code(me(secret))).toEqual([401, 'api_key_revoked']);
  });

  // claim: key-expires
  test('a key fails from the instant at which it expires', async () => {
    const clock = t.clock.now();
    const { secret } = await t.key('acme', { expires: new Date(clock.getTime() + MINUTE).toISOString() });
    expect((await me(secret)).status).toBe(200);
    t.clock.advance(MINUTE);
    expect(await code(me(secret))).toEqual([401, 'api_key_expired']);
  });

  // claim: key-secret-once
  test('only a hash is stored', async () => {
    const { secret } = await t.key('acme');
    const rows = await t.system((tx) => tx.all<{ row: string }>(sql`select k::text as row from api_keys k`));
    expect(rows.some(({ row }) => row.includes(secret) || row.includes(secret.slice(9, 30)))).toBe(false);
  });

  // claim: bearer
  test.each(['', 'Basic abc', 'Bearer', 'bearer svc_live_nope', 'Bearer a b'])(
    '"%s" is not a known key',
    async (authorization) => {
      const reply = await t.call('GET', '/v1/me', { headers: { authorization } });
      expect(reply.status).toBe(401);
      expect(['api_key_required', 'api_key_unknown']).toContain(reply.body.error.code);
    },
  );
});

describe('addresses', () => {
  // claim: key-addresses
  test('IPv4, IPv6, ranges and mapped addresses', () => {
    expect(addressAllowed('192.0.2.7', ['192.0.2.0/24'])).toBe(true);
    expect(addressAllowed('192.0.3.7', ['192.0.2.0/24'])).toBe(false);
    expect(addressAllowed('::ffff:192.0.2.7', ['192.0.2.7'])).toBe(true);
    expect(addressAllowed('2001:db8::9', ['2001:db8::/32'])).toBe(true);
    expect(addressAllowed('2001:db9::9', ['192.0.2.0/24', '2001:db8::/32'])).toBe(false);
    expect(addressAllowed('192.0.2.7', null)).toBe(true);
    expect(addressAllowed('nonsense', ['0.0.0.0/0'])).toBe(false);
    for (const bad of ['10.1', '0x7f.1', '300.1.1.1', '10.0.0.0/33', 'example.org', ''])
      expect(parseRange(bad)).toBeNull();
  });

  // claim: key-addresses
  test('X-Forwarded-For counts behind a trusted proxy', async () => {
    const { secret } = await t.key('acme', { allow: ['203.0.113.0/24', '2001:db8::/32'] });
    expect(await code(me(secret))).toEqual([403, 'api_key_ip_not_allowed']);
    expect((await me(secret, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
    expect((await me(secret, { 'x-forwarded-for': '2001:db8::1' })).status).toBe(200);
    // Entries that the client itself put first are not believed: the entry of the proxy is the last one.
    expect(await code(me(secret, { 'x-forwarded-for': '203.0.113.9, 198.51.100.1' }))).toEqual([
      403,
      'api_key_ip_not_allowed',
    ]);
  });

  test('X-Forwarded-For does not count without one', async () => {
    const plain = await startTest({ database: t.database, clock: t.clock });
    const { secret } = await t.key('acme', { allow: ['203.0.113.9'] });
    const reply = await plain.call('GET', '/v1/me', { key: secret, headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(reply.body.error.code).toBe('api_key_ip_not_allowed');
    await plain.stop();
  });
});

describe('requests per minute', () => {
  // claim: rate-limited
  test('the call after the last allowed one is refused with Retry-After, until the window is over', async () => {
    const { secret } = await t.key('acme', { rpm: 5 });
    for (let left = 4; left >= 0; left -= 1) {
      const reply = await me(secret);
      expect([
        reply.status,
        reply.headers.get('x-ratelimit-limit'),
        reply.headers.get('x-ratelimit-remaining'),
      ]).toEqual([200, '5', String(left)]);
    }
    const over = await me(secret);
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(over.headers.get('x-ratelimit-remaining')).toBe('0');
    t.clock.advance(MINUTE);
    expect((await me(secret)).status).toBe(200);
  });

  // claim: key-rate
  test('is 60 when unset and never above the plan', async () => {
    const { secret } = await t.key('acme', { rpm: undefined });
    expect((await me(secret)).headers.get('x-ratelimit-limit')).toBe('60');
    expect((await me((await t.key('acme', { rpm: 5000 })).secret)).headers.get('x-ratelimit-limit')).toBe('600');
  });

  // claim: rate-limited
  test('is one budget on two processes (PostgreSQL store)', async () => {
    const second = await startTest({ database: t.database, clock: t.clock });
    const { secret } = await t.key('acme', { rpm: 20 });
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? t : second).call('GET', '/v1/me', { key: secret })),
    );
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(20);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(20);
    await second.stop();
  });

  test('follows the same rule with the store in memory', async () => {
    const clock = new MovedClock();
    const rates = new MemoryRates(clock);
    for (let i = 1; i <= 3; i += 1) expect((await rates.take('a')).calls).toBe(i);
    expect((await rates.take('b')).calls).toBe(1);
    clock.advance(MINUTE);
    expect((await rates.take('a')).calls).toBe(1);
  });
});

describe('calls per month', () => {
  const calls = (month: string) =>
    t.system(
      async (tx) =>
        (
          await tx.maybe<{ calls: number }>(
            sql`select calls from api_usage where month = ${month} and org_id = (select id from organizations where code = 'quota')`,
          )
        )?.calls ?? 0,
    );

  // claim: quota
  test('count, warn the owners at 80 % and 100 % once each, refuse past 150 % until the 1st', async () => {
    t.clock.jump('2027-03-30T12:00:00Z');
    await t.org('quota');
    await t.plan('quota', 'scale', [['api_calls_monthly', '10']]);
    await t.session('quota', 'owner');
    await t.session('quota', 'owner');
    await t.session('quota', 'viewer');
    const { secret } = await t.key('quota');
    const statuses: number[] = [];
    const shown: number[] = [];
    for (let i = 0; i < 17; i += 1) {
      const reply = await me(secret);
      statuses.push(reply.status);
      if (reply.status === 200) shown.push(reply.body.usage.calls);
    }
    expect(shown).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    expect(statuses).toEqual([...Array(15).fill(200), 429, 429]);
    expect(await code(me(secret))).toEqual([429, 'quota_exceeded']);
    // The counts are written every second.
    await expect.poll(() => calls('2027-03'), { timeout: 10_000 }).toBe(15);
    const mails = () =>
      t.system((tx) =>
        tx.all<{ kind: string; recipients: number }>(sql`
        select kind, count(*)::int as recipients from mails where kind like 'api_calls_%'
          and org_id = (select id from organizations where code = 'quota') group by kind order by kind`),
      );
    await expect.poll(mails, { timeout: 10_000 }).toEqual([
      { kind: 'api_calls_100', recipients: 2 },
      { kind: 'api_calls_80', recipients: 2 },
    ]);
    t.clock.jump('2027-03-31T23:59:59.000Z');
    expect((await me(secret)).status).toBe(429);
    t.clock.jump('2027-04-01T00:00:00.100Z');
    const fresh = await me(secret);
    expect([fresh.status, fresh.body.usage]).toEqual([200, { month: '2027-04', calls: 1, allowance: 10 }]);
  });

  test('calls refused with 401, for the address or with 429 do not count, all others do', async () => {
    await t.org('counting');
    const shown = async (key: string) => (await me(key)).body.usage.calls;
    const { secret } = await t.key('counting');
    const { secret: narrow } = await t.key('counting', { scopes: ['scanner'] });
    const { secret: elsewhere } = await t.key('counting', { allow: ['198.51.100.1'] });
    const { secret: slow } = await t.key('counting', { rpm: 1 });
    const { id, secret: expired } = await t.key('counting');
    await t.system((tx) =>
      tx.run(sql`update api_keys set expires_at = '2001-01-01T00:00:00Z' where id = ${toUuid(id)}`),
    );
    expect(await shown(secret)).toBe(1);
    expect((await me(narrow)).status).toBe(403); // counts
    expect((await me(elsewhere)).status).toBe(403);
    expect((await me(expired)).status).toBe(401);
    expect((await me(slow)).status).toBe(200); // counts
    expect((await me(slow)).status).toBe(429);
    expect((await t.call('GET', '/v1/events/none', { key: secret })).status).toBe(404); // counts
    const made = { key: secret, body: { name: 'Twice' }, idempotencyKey: 'counted-twice' };
    expect((await t.call('POST', '/v1/events', made)).status).toBe(201); // counts
    expect((await t.call('POST', '/v1/events', made)).headers.get('idempotent-replayed')).toBe('true'); // counts
    expect(await shown(secret)).toBe(7);
  });

  test('a key that is used from elsewhere cannot lock its organization out', async () => {
    await t.org('stolen');
    await t.plan('stolen', 'scale', [['api_calls_monthly', '200']]);
    const { secret } = await t.key('stolen');
    const { secret: elsewhere } = await t.key('stolen', { allow: ['198.51.100.1'] });
    for (let i = 0; i < 8; i += 1) {
      const replies = await Promise.all(Array.from({ length: 40 }, () => code(me(elsewhere))));
      expect(new Set(replies.map(String))).toEqual(new Set(['403,api_key_ip_not_allowed']));
    }
    const reply = await me(secret);
    expect([reply.status, reply.body.usage.calls]).toEqual([200, 1]);
  });

  const mailsOf = (org: string) =>
    t.system((tx) =>
      tx.all<{ kind: string; mails: number }>(sql`
        select kind, count(*)::int as mails from mails where kind like 'api_calls_%'
          and org_id = (select id from organizations where code = ${org}) group by kind order by kind`),
    );
  const BOTH = [
    { kind: 'api_calls_100', mails: 1 },
    { kind: 'api_calls_80', mails: 1 },
  ];

  test('owners are told of both thresholds even if one count passes both', async () => {
    await t.org('jumping');
    await t.session('jumping', 'owner');
    const { secret } = await t.key('jumping');
    for (let i = 0; i < 5; i += 1) await me(secret);
    await t.plan('jumping', 'scale', [['api_calls_monthly', '5']]);
    expect((await me(secret)).status).toBe(200);
    await expect.poll(() => mailsOf('jumping'), { timeout: 10_000 }).toEqual(BOTH);
  });

  test('owners are told even if no single process has counted that many calls', async () => {
    const second = await startTest({ database: t.database, clock: t.clock });
    await t.org('shared');
    await t.session('shared', 'owner');
    await t.plan('shared', 'scale', [['api_calls_monthly', '40']]);
    const { secret } = await t.key('shared');
    // The calls come all at once, so each process knows only of its own calls when it answers the last one.
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (i % 2 ? t : second).call('GET', '/v1/me', { key: secret })),
    );
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    await expect.poll(() => mailsOf('shared'), { timeout: 10_000 }).toEqual(BOTH);
    await second.stop();
  });

  // claim: error-entitlement-required
  test('free and starter have no allowance and are refused by entitlement instead', async () => {
    await t.org('small', 'free');
    const { secret } = await t.key('small');
    const reply = await me(secret);
    expect(reply.body.error).toMatchObject({ code: 'entitlement_required', key: 'api_read', upgrade_plan: 'growth' });
  });
});

describe('X-Service-Client', () => {
  // claim: changes-audited, client-header, plan-client-header
  test('needs client_apps, and names the app in the audit log', async () => {
    await t.org('apps');
    const { secret } = await t.key('apps');
    const made = await t.call('POST', '/v1/events', {
      key: secret,
      body: { name: 'By app' },
      headers: { 'x-service-client': 'zapier' },
    });
    expect(made.status).toBe(201);
    const log = await t.call('GET', '/v1/audit-log?action=event.created', { key: secret });
    expect(log.body.data[0]).toMatchObject({
      action: 'event.created',
      actor: { kind: 'key' },
      source: 'api',
      client: 'zapier',
      request_id: made.headers.get('x-request-id'),
      object: { kind: 'event', id: made.body.id },
      changes: { fields: { name: { before: null, after: 'By app' } } },
    });
    await t.org('noapps', 'starter');
    const refused = await t.call('GET', '/v1/me', {
      key: (await t.key('noapps')).secret,
      headers: { 'x-service-client': 'zapier' },
    });
    expect(refused.body.error).toMatchObject({
      code: 'entitlement_required',
      key: 'client_apps',
      upgrade_plan: 'growth',
    });
  });

  // claim: client-header-left-out
  test('may be left out, and then the audit log names no app', async () => {
    await t.org('own');
    const { secret } = await t.key('own');
    expect((await t.call('POST', '/v1/events', { key: secret, body: { name: 'By hand' } })).status).toBe(201);
    const log = await t.call('GET', '/v1/audit-log?action=event.created', { key: secret });
    expect(log.body.data[0]).toMatchObject({ actor: { kind: 'key' }, source: 'api', client: null });
  });
});

describe('the license of a self-hosted installation', () => {
  // What one test revokes would make the installation of the next one read-only.
  beforeEach(async () => {
    await runSql(
      t.database.adminUrl,
      'delete from license_revocations; update installation set license_id = null, license_revoked_at = null',
    );
  });
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const other = generateKeyPairSync('ed25519');
  const license = (expires: string, key = privateKey) =>
    signLicense({ id: 'lic-1', licensee: 'Acme', issued_at: '2026-01-01T00:00:00Z', expires_at: expires }, key);
  const start = (LICENSE_KEY?: string) =>
    startTest({
      database: t.database,
      clock: t.clock,
      env: {
        EDITION: 'self_hosted',
        LICENSE_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        ...(LICENSE_KEY !== undefined && { LICENSE_KEY }),
      },
    });
  let serial = 0;
  async function publish(on: TestTurnout, key: string) {
    const name = `licensed-${++serial}`;
    await on.call('POST', '/v1/events', { key, body: { code: name, name } });
    await on.call('POST', `/v1/events/${name}/days`, { key, body: { date: '2027-06-01' } });
    await on.call('POST', `/v1/events/${name}/attendee-types`, { key, body: { name: 'Adult' } });
    return on.call('POST', `/v1/events/${name}/publish`, { key });
  }

  // claim: license-publishing
  test.each([
    ['missing', undefined],
    ['does_not_verify', license('2099-01-01T00:00:00Z', other.privateKey)],
    ['does_not_verify', `${license('2099-01-01T00:00:00Z')}x`],
    ['does_not_verify', 'garbage'],
    ['expired', license('2026-01-31T00:00:00Z')],
  ])('%s: publishing is 422, everything else works', async (validity, token) => {
    const on = await start(token);
    const { secret } = await t.key('acme');
    const reply = await publish(on, secret);
    expect([reply.status, reply.body.error.code, reply.body.error.validity]).toEqual([
      422,
      'license_not_valid',
      validity,
    ]);
    await on.stop();
  });

  // claim: license-read-only
  test('valid: publishing works; revoked: seven days, then read-only', async () => {
    const on = await start(license('2099-01-01T00:00:00Z'));
    const { secret } = await t.key('acme');
    expect((await publish(on, secret)).body.status).toBe('published');
    const revokedAt = t.clock.now();
    await t.system((tx) =>
      tx.run(sql`update installation set license_id = 'lic-1', license_revoked_at = ${revokedAt}`),
    );
    t.clock.advance(7 * DAY - HOUR);
    expect((await publish(on, secret)).status).toBe(200);
    t.clock.advance(HOUR);
    const refused = await on.call('POST', '/v1/events', { key: secret, body: { name: 'Too late' } });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'instance_read_only']);
    expect(refused.body.error.read_only_since).toBe(new Date(revokedAt.getTime() + 7 * DAY).toISOString());
    expect((await on.call('GET', '/v1/events', { key: secret })).status).toBe(200);
    const wanted = { what: 'people', format: 'csv', event: `licensed-${serial}` };
    expect((await on.call('POST', '/v1/exports', { key: secret, body: wanted })).body.status).toBe('succeeded');
    await on.stop();
  });

  describe('that was revoked', () => {
    const second = (issued: string, expires: string) =>
      signLicense({ id: 'lic-2', licensee: 'Acme', issued_at: issued, expires_at: expires }, privateKey);
    const revoke = async (on: TestTurnout, id: string) => {
      const at = t.clock.now();
      await on.system((tx) => recordRevocation(tx, { license_id: id, revoked_at: at.toISOString() }));
    };
    const writes = async (env: Record<string, string>) => {
      const on = await startTest({ database: t.database, clock: t.clock, env });
      const { secret } = await t.key('acme');
      const reply = await on.call('POST', '/v1/events', { key: secret, body: { name: 'Again' } });
      await on.stop();
      return [reply.status, reply.body.error?.code];
    };
    const self = {
      EDITION: 'self_hosted',
      LICENSE_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    };
    const READ_ONLY = [403, 'instance_read_only'];
    const first = license('2099-01-01T00:00:00Z');

    test('cannot be escaped by removing or damaging LICENSE_KEY or by another EDITION', async () => {
      await revoke(t, 'lic-1');
      t.clock.advance(8 * DAY);
      expect(await writes({ ...self, LICENSE_KEY: first })).toEqual(READ_ONLY);
      expect(await writes(self)).toEqual(READ_ONLY);
      expect(await writes({ ...self, LICENSE_KEY: `${first}x` })).toEqual(READ_ONLY);
      expect(await writes({ EDITION: 'self_hosted', LICENSE_KEY: first })).toEqual(READ_ONLY);
      expect(await writes({ EDITION: 'hosted' })).toEqual(READ_ONLY);
      const old = second('2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z');
      expect(await writes({ ...self, LICENSE_KEY: old })).toEqual(READ_ONLY);
    });

    test('ends with another license that is valid, or that was issued after it and has expired', async () => {
      await revoke(t, 'lic-1');
      t.clock.advance(8 * DAY);
      expect(await writes({ ...self, LICENSE_KEY: second('2026-01-01T00:00:00Z', '2099-01-01T00:00:00Z') })).toEqual([
        201,
        undefined,
      ]);
      const issued = t.clock.now();
      const lapsed = second(issued.toISOString(), new Date(issued.getTime() + DAY).toISOString());
      t.clock.advance(2 * DAY);
      expect(await writes({ ...self, LICENSE_KEY: lapsed })).toEqual([201, undefined]);
    });

    test('stays revoked if another license is revoked after it', async () => {
      await revoke(t, 'lic-1');
      t.clock.advance(DAY);
      await revoke(t, 'lic-2');
      t.clock.advance(8 * DAY);
      expect(await writes({ ...self, LICENSE_KEY: first })).toEqual(READ_ONLY);
    });
  });
});
