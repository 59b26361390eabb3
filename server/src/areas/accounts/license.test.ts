import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, HOUR } from '../../clock.ts';
import { recordRevocation, signLicense } from '../../road/gate/license.ts';
import { sql } from '../../store/sql.ts';
import { Browser, code, expectSignedIn, newEmail, PASSWORD } from './accounts.support.ts';
import { makeLink } from './links.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const EXPIRES = '2099-01-01T00:00:00.000Z';
const license = (expires_at = EXPIRES) =>
  signLicense({ id: 'lic-1', licensee: 'Acme', issued_at: '2026-01-01T00:00:00Z', expires_at }, privateKey);

let t: TestTurnout;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
});
afterAll(() => t.stop());
const lift = () =>
  runSql(
    t.database.adminUrl,
    'delete from license_revocations; update installation set license_id = null, license_revoked_at = null',
  );
beforeEach(lift);

const start = (LICENSE_KEY?: string) =>
  startTest({
    database: t.database,
    clock: t.clock,
    env: {
      EDITION: 'self_hosted',
      SIGNUP: 'open',
      LICENSE_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      ...(LICENSE_KEY !== undefined && { LICENSE_KEY }),
    },
  });
const revoke = (at = t.clock.now()) =>
  t.system((tx) => recordRevocation(tx, { license_id: 'lic-1', revoked_at: at.toISOString() }));
const membership = async (on: TestTurnout, session: string) =>
  (await on.call('GET', '/app/api/membership', { headers: { cookie: `turnout_session=${session}` } })).body;

describe('members are told about the license', () => {
  test('an installation that needs none has none', async () => {
    expect((await membership(t, await t.session('acme', 'viewer'))).license).toBeNull();
  });

  test.each([
    ['valid', license(), EXPIRES],
    ['expired', license('2026-02-01T00:00:00Z'), '2026-02-01T00:00:00.000Z'],
    ['missing', undefined, null],
    ['does_not_verify', `${license()}x`, null],
  ])('%s', async (validity, token, expires_at) => {
    const on = await start(token);
    const told = (await membership(on, await t.session('acme', 'viewer'))).license;
    expect(told).toEqual({ validity, expires_at, read_only_at: null, read_only: false });
    await on.stop();
  });

  test('revoked: when the installation becomes read-only, and that it is', async () => {
    const on = await start(license());
    const session = await t.session('acme', 'viewer');
    const revokedAt = t.clock.now();
    const read_only_at = new Date(revokedAt.getTime() + 7 * DAY).toISOString();
    await revoke(revokedAt);
    const told = { validity: 'valid', expires_at: EXPIRES, read_only_at };
    expect((await membership(on, session)).license).toEqual({ ...told, read_only: false });
    t.clock.advance(7 * DAY);
    expect((await membership(on, session)).license).toEqual({ ...told, read_only: true });
    await on.stop();
  });
});

describe('a read-only installation', () => {
  let on: TestTurnout;
  const READ_ONLY = [403, 'instance_read_only'];
  beforeAll(async () => {
    on = await start(license());
  });
  afterAll(() => on.stop());
  /** Does something in the last hour before everything is refused that makes an organization or a member. */
  const readOnlyAfter = async <T>(work: () => Promise<T>): Promise<T> => {
    await revoke();
    t.clock.advance(7 * DAY - HOUR);
    const made = await work();
    t.clock.advance(2 * HOUR);
    return made;
  };

  test('makes no organization, and the link for it works later', async () => {
    const email = newEmail();
    const browser = new Browser(on);
    const token = await readOnlyAfter(async () => {
      expect((await browser.post('/sign-up', { email })).status).toBe(202);
      return t.system((tx) => makeLink(tx, { kind: 'sign_up', account: null, email }));
    });
    expect(code(await browser.post('/sign-up', { email }))).toEqual(READ_ONLY);
    const organization = { code: 'readonly', name: 'Read only', timezone: 'Europe/Berlin' };
    const begin = () => browser.post('/start', { token, organization, name: 'Ada', email, password: PASSWORD });
    const refused = await begin();
    expect(code(refused)).toEqual(READ_ONLY);
    expect(refused.body.error.read_only_since).toEqual(expect.any(String));
    await lift();
    expectSignedIn(await begin());
  });

  test('makes no member from an invitation, which can be accepted later', async () => {
    const headers = { cookie: `turnout_session=${await t.session('acme', 'owner')}` };
    const body = { email: newEmail(), role: 'viewer' };
    const token = await readOnlyAfter(async () => {
      const made = await on.call('POST', '/app/api/invitations', { headers, body });
      return made.body.link.split('#')[1];
    });
    const invited = new Browser(on);
    const accept = () => invited.post('/invitations/accept', { token, name: 'Ada', password: PASSWORD });
    expect(code(await accept())).toEqual(READ_ONLY);
    expect(code(await invited.post('/sign-in/oidc', { token }))).toEqual(READ_ONLY);
    expect((await invited.post('/invitations/look', { token })).status).toBe(200);
    await lift();
    expectSignedIn(await accept());
  });

  test('lets people sign in, read, and change their own password', async () => {
    const session = await t.session('acme', 'owner');
    const fresh = await readOnlyAfter(() => t.session('acme', 'owner'));
    // A password is set only by somebody who has just proved who they are.
    await t.system((tx) => tx.run(sql`update account_sessions set proved_at = ${tx.clock.now()}`));
    const headers = { cookie: `turnout_session=${fresh}` };
    const own = await on.call('POST', '/app/api/-/account/password', { headers, body: { password: PASSWORD } });
    expect(own.status).toBe(200);
    expect((await membership(on, session)).license.read_only).toBe(true);
    expectSignedIn(await new Browser(on).signIn(own.body.email));
    expect(code(await on.call('POST', '/app/api/keys', { headers, body: {} }))).toEqual(READ_ONLY);
  });
});
